from __future__ import annotations

from typing import Any

import pytest

from assize.base.judgment import PREFERENCE, Judgment, Order, Question, Unscored
from assize.judgments import JudgmentTable
from assize.web._tasks.aggregate import together

RATING = Question("rating", kind="ordinal", answers=("1", "2", "3"), values=(1, 2, 3))
KIND = Question("kind", kind="nominal", answers=("x", "y"))


def said(question: Question, *answers: str | None, item: str = "i") -> JudgmentTable:
    rows = [
        Judgment(
            item,
            f"r{number}",
            question.id,
            answer=answer,
            kind="person",
            unscored=Unscored("skipped") if answer is None else None,
        )
        for number, answer in enumerate(answers)
    ]
    return JudgmentTable.of(rows, [question])


def only(table: JudgmentTable) -> Any:
    (row,) = list(table)
    return row


def test_ratings_have_their_mean() -> None:
    row = only(together(said(RATING, "1", "3", "3", None)))
    assert row.score == pytest.approx(7 / 3)
    assert (row.judge, row.details) == ("people", {"raters": 3})


@pytest.mark.parametrize(
    ("votes", "most"),
    [(("A", "A", "B"), "A"), (("A", "B", "tie", "tie"), "tie"), (("A", "B"), "tie")],
)
def test_pairs_have_the_answer_of_most_and_else_a_tie(votes: tuple[str, ...], most: str) -> None:
    assert only(together(said(PREFERENCE, *votes))).answer == most


def test_answers_without_an_order_need_a_majority() -> None:
    assert only(together(said(KIND, "x", "x", "y"))).answer == "x"
    assert only(together(said(KIND, "x", "y"))).unscored.reason == "no_majority"


def test_an_item_that_nobody_could_judge_is_unscored() -> None:
    assert only(together(said(RATING, None, None))).unscored.reason == "unrated"


def test_a_question_that_does_not_apply_stays_na() -> None:
    assert only(together(said(RATING, "NA", "NA"))).answer == "NA"


def test_models_count_for_nothing() -> None:
    model = JudgmentTable.of([Judgment("i", "m", "rating", answer="1", kind="model")], [RATING])
    both = JudgmentTable.concat([said(RATING, "3"), model])
    assert only(together(both)).score == 3.0


def test_sides_that_were_exchanged_for_some_raters_do_not_matter() -> None:
    shown: list[tuple[str, str, Order]] = [
        ("p", "anna", "AB"),
        ("q", "anna", "BA"),
        ("p", "ben", "BA"),
        ("q", "ben", "BA"),
    ]
    rows = [
        Judgment(item, rater, "preference", answer="A", order=order, kind="person")
        for item, rater, order in shown
    ]
    assert [row.answer for row in together(JudgmentTable.of(rows, [PREFERENCE]))] == ["A", "A"]


@pytest.mark.parametrize("truth", ["gold", "adjudicated"])
def test_what_counts_as_true_is_no_rater(truth: str) -> None:
    rows = [*said(RATING, "1", "1", "3"), Judgment("i", truth, "rating", answer="3", kind="person")]
    row = only(together(JudgmentTable.of(rows, [RATING])))
    assert row.details == {"raters": 3}
    assert row.score == pytest.approx(5 / 3)
