"""Judgments, their tables, and scales guessed from answers."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assize.base.judgment import Judgment, Question, infer_questions
from assize.judgments import JudgmentTable


def rows(*answers: str) -> list[Judgment]:
    return [Judgment(f"i{n}", "j", "q", answer=answer) for n, answer in enumerate(answers)]


def test_numeric_answers_are_ordered_by_value_and_not_by_spelling() -> None:
    question = infer_questions(rows("10", "9", "-1", "2.5"))["q"]
    assert question.kind == "ordinal"
    assert question.answers == ("-1", "2.5", "9", "10")
    assert question.values == (-1.0, 2.5, 9.0, 10.0)


@pytest.mark.parametrize(
    ("answers", "kind"),
    [
        (("A", "tie"), "preference"),
        (("yes", "3"), "nominal"),
        (("no", "yes"), "binary"),
        (("up",), "binary"),
        (("nan", "1"), "nominal"),
        (("NA",), "number"),
        ((), "number"),
    ],
)
def test_the_kind_follows_from_the_answers(answers: tuple[str, ...], kind: str) -> None:
    table = JudgmentTable.of([Judgment("i", "j", "q", score=0.5), *rows(*answers)])
    assert table.questions["q"].kind == kind
    assert table.inferred == {"q"}


def test_a_distribution_shows_answers_that_nobody_gave() -> None:
    row = Judgment("i", "j", "q", distribution={"2": 1.0, "1": 0.0})
    assert infer_questions([row])["q"].answers == ("1", "2")


def test_a_question_that_is_given_is_not_guessed() -> None:
    given_ = Question("q", kind="ordinal", answers=("1", "2", "3"))
    table = JudgmentTable.of(rows("1"), [given_])
    assert table.questions == {"q": given_}
    assert table.inferred == frozenset()


def test_duplicates_are_kept_and_counted_by_their_key() -> None:
    one = Judgment("i", "j", "q", answer="1")
    others = [
        Judgment("i", "j", "q", answer="2"),
        Judgment("i", "j", "q", answer="1", order="BA"),
        Judgment("i", "j", "q", answer="1", turn=0),
        Judgment("i", "j", "q", answer="1", repeat=1),
    ]
    table = JudgmentTable.of([one, *others])
    assert (len(table), table.duplicates) == (5, 1)


@given(st.permutations(["1", "2", "30", "NA", "4"]))
def test_the_order_of_rows_does_not_change_the_scale(answers: list[str]) -> None:
    assert infer_questions(rows(*answers)) == infer_questions(rows("1", "2", "4", "30"))


def test_words_of_questionnaires_have_an_order() -> None:
    question = infer_questions(rows("Agree", "Strongly disagree", "Neutral"))["q"]
    assert question.kind == "ordinal"
    assert question.answers == ("Strongly disagree", "Neutral", "Agree")
    assert question.values == (1.0, 2.0, 3.0)
    assert infer_questions(rows("agree", "blue"))["q"].kind == "nominal"
    assert infer_questions(rows("good", "Good"))["q"].kind == "nominal"
