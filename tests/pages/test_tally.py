from __future__ import annotations

import pytest

from assize.judgment import PREFERENCE, Judgment, Question, Unscored
from assize.pages.tally import (
    MOST_ANSWERS,
    Tally,
    answer_of,
    main_question,
    question_of,
    value_of,
)

ORDINAL = Question("q", kind="ordinal", answers=("low", "high"), values=(1.0, 4.0))
NUMBER = Question("q", kind="number")


def row(**given: object) -> Judgment:
    return Judgment("i", "j", "q", **given)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("judgment", "question", "value"),
    [
        (row(score=0.0), NUMBER, 0.0),
        (row(answer="high"), ORDINAL, 4.0),
        (row(answer="3"), Question("q", kind="ordinal", answers=("3",)), 3.0),
        (row(answer="NA"), ORDINAL, None),
        (row(answer="nan"), NUMBER, None),
        (row(answer="red"), Question("q", kind="nominal"), None),
        (row(answer="B"), PREFERENCE, -1.0),
        (row(answer="B"), Question("q", kind="preference"), -1.0),
        (row(score=float("nan")), NUMBER, None),
        (row(unscored=Unscored("refused")), NUMBER, None),
        # 0.2 and 0.6 of 0.8: (0.2 * 1 + 0.6 * 4) / 0.8
        (row(distribution={"low": 0.2, "high": 0.6}), ORDINAL, 3.25),
        (row(distribution={"low": 0.0, "high": 0.0}, outside=1.0), ORDINAL, None),
    ],
)
def test_the_number_a_judgment_stands_for(
    judgment: Judgment, question: Question, value: float | None
) -> None:
    found = value_of(judgment, question)
    assert found == (None if value is None else pytest.approx(value))


def test_the_likeliest_answer_of_a_distribution_and_the_earlier_of_two_alike() -> None:
    assert answer_of(row(distribution={"high": 0.6, "low": 0.2}), ORDINAL) == "high"
    assert answer_of(row(distribution={"high": 0.4, "low": 0.4}), ORDINAL) == "low"
    assert answer_of(row(distribution={"low": 0.0}), ORDINAL) is None


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
    tally.add([row(answer="tie")])
    assert tally.preferences == {"tie": 2, "A": 1}
    assert tally.split == 1


def test_a_failure_is_counted_with_its_reason_and_the_other_vote_still_counts() -> None:
    tally = Tally(PREFERENCE)
    tally.add([row(answer="A", order="AB"), row(unscored=Unscored("timeout"), order="BA")])
    tally.add([row(unscored=Unscored("refused")), row(unscored=Unscored("refused"), repeat=1)])
    assert tally.unscored == {"timeout": 1, "refused": 2}
    assert tally.items_unscored == 1
    assert tally.preferences == {"A": 1}
    assert list(tally.values) == [1.0]


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
