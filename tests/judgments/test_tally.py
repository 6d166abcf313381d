from __future__ import annotations

import pytest
from tests.judgments.conftest import row

from assize.base.judgment import PREFERENCE, Question, Unscored
from assize.judgments.tally import MOST_ANSWERS, Tally, main_question, question_of

ORDINAL = Question("q", kind="ordinal", answers=("low", "high"), values=(1.0, 4.0))


def test_several_votes_on_an_item_are_one_value() -> None:
    tally = Tally(ORDINAL)
    assert tally.add([row(answer="low"), row(answer="high", repeat=1)]) == 2.5
    assert (tally.items, tally.rows, list(tally.values)) == (1, 2, [2.5])
    assert tally.answers == {"low": 1, "high": 1}


def test_a_distribution_is_shared_out_over_the_answers() -> None:
    tally = Tally(ORDINAL)
    tally.add([row(distribution={"low": 0.2, "high": 0.6}, outside=0.2)])
    assert tally.answers == pytest.approx({"low": 0.25, "high": 0.75})


def test_votes_that_cancel_out_are_a_split_tie() -> None:
    tally = Tally(PREFERENCE)
    tally.add([row(answer="A", order="AB"), row(answer="B", order="BA")])
    tally.add([row(answer="A", order="AB"), row(answer="A", order="BA")])
    tally.add([row(answer="tie", order="AB"), row(answer="tie", order="BA")])
    assert tally.preferences == {"tie": 2, "A": 1}
    assert tally.split == 1


def test_a_failure_is_counted_with_its_reason_and_half_an_answer_is_none() -> None:
    tally = Tally(PREFERENCE)
    tally.add([row(answer="A", order="AB"), row(unscored=Unscored("timeout"), order="BA")])
    tally.add([row(unscored=Unscored("refused")), row(unscored=Unscored("refused"), repeat=1)])
    assert tally.unscored == 3
    assert tally.items_unscored == 2
    assert tally.preferences == {}
    assert list(tally.values) == []


def test_one_order_is_not_enough_where_any_pair_was_shown_in_both() -> None:
    tally = Tally(PREFERENCE)
    tally.add([row(answer="A", order="AB")])
    assert (tally.preferences, tally.items_unscored) == ({"A": 1}, 0)
    tally.add([row(answer="B", order="AB"), row(answer="B", order="BA")])
    assert (tally.preferences, tally.items_unscored) == ({"B": 1}, 1)


def test_free_answers_do_not_fill_the_memory() -> None:
    tally = Tally(Question("q", kind="nominal"))
    for number in range(1000):
        tally.add([row(answer=str(number))])
    assert len(tally.answers) == MOST_ANSWERS
    assert tally.further == 1000 - MOST_ANSWERS


def test_the_text_of_a_text_answer_is_not_kept() -> None:
    tally = Tally(Question("q", kind="text"))
    tally.add([row(answer="a long story")])
    assert tally.answers == {}


def test_the_main_question() -> None:
    first = Question("first", kind="nominal")
    second = Question("second", kind="ordinal")
    assert main_question([]) is None
    assert main_question([first]) == "first"
    assert main_question([first, second]) == "second"
    assert main_question([second, PREFERENCE]) == "preference"
    assert main_question([PREFERENCE, Question("Overall")]) == "Overall"


def test_a_question_is_guessed_from_a_row() -> None:
    assert question_of(row(score=0.5)).kind == "number"
    assert question_of(row(answer="A")).kind == "preference"
    assert question_of(row(answer="3")).kind == "ordinal"
