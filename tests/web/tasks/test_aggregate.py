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


@pytest.mark.parametrize(
    ("question", "votes", "answer", "score", "reason"),
    [
        (RATING, ("1", "3", "3", None), None, 7 / 3, None),
        (PREFERENCE, ("A", "A", "B"), "A", None, None),
        (PREFERENCE, ("A", "B", "tie", "tie"), "tie", None, None),
        (PREFERENCE, ("A", "B"), "tie", None, None),
        (KIND, ("x", "x", "y"), "x", None, None),
        (KIND, ("x", "y"), None, None, "no_majority"),
        (RATING, (None, None), None, None, "unrated"),
        (RATING, ("NA", "NA"), "NA", None, None),
    ],
    ids=[
        "ratings have their mean",
        "pairs have the answer of most",
        "pairs have the tie of most",
        "pairs are else a tie",
        "answers without an order have that of most",
        "answers without an order need a majority",
        "what nobody could judge is unscored",
        "what does not apply stays NA",
    ],
)
def test_people_have_one_answer_together(
    question: Question,
    votes: tuple[str | None, ...],
    answer: str | None,
    score: float | None,
    reason: str | None,
) -> None:
    row = only(together(said(question, *votes)))
    assert (row.answer, row.score) == (answer, pytest.approx(score))
    assert (row.unscored and row.unscored.reason) == reason


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
    assert (row.judge, row.details) == ("people", {"raters": 3})
    assert row.score == pytest.approx(5 / 3)
