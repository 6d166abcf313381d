"""What judges said about criteria, as numbers from 0 to 10."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from assize.base.errors import DataError
from assize.base.judgment import Judgment, Question, Unscored
from assize.criteria._criterion import Criterion
from assize.criteria._evaluations import evaluations_of
from assize.judgments import JudgmentTable

GOOD, BAD = Criterion("helps", "It helps.", "sat"), Criterion("repeats", "It repeats.", "dsat")


def said(item: str, question: str, answer: Any, judge: str = "bot") -> Judgment:
    return Judgment(item, judge, question, answer=answer)


def test_likert_answers_are_their_values_and_dsat_is_not_turned_round() -> None:
    rows = [
        said("a", "helps", "Agree"),
        said("a", "repeats", "Strongly Disagree"),
        said("b", "helps", "Neutral"),
    ]
    table = JudgmentTable.of(rows, [GOOD.question(), BAD.question()])
    found = evaluations_of(table, [GOOD, BAD])
    assert found.items == ["a", "b"]
    assert found.values[0].tolist() == [7.5, 0]
    assert found.values[1, 0] == 5
    assert np.isnan(found.values[1, 1])
    assert np.isnan(found.values).sum(axis=0).tolist() == [0, 1]
    assert found.notes == []


STATED = [
    Question("helps", kind="ordinal", answers=("1", "2", "3"), values=(1, 2, 3)),
    Question("repeats", range=(0, 100)),
]


@pytest.mark.parametrize(
    ("rows", "questions", "values", "notes"),
    [
        pytest.param(
            [said("a", "helps", "2"), Judgment("a", "bot", "repeats", score=70.0)],
            STATED,
            [[5, 7]],
            [
                "1 criteria: answers from 0 to 100 are stretched to 0 to 10",
                "1 criteria: answers from 1 to 3 are stretched to 0 to 10",
            ],
            id="other scales are stretched, and that is said",
        ),
        pytest.param(
            [
                Judgment("a", "bot", "helps", score=1.0),
                Judgment("b", "bot", "helps", score=2.0),
                Judgment("a", "bot", "repeats", score=5.0),
            ],
            [],
            [[0, 10], [2.5, np.nan]],
            ["2 criteria: answers from 1 to 5 are stretched to 0 to 10"],
            id="scales that nobody states are taken together",
        ),
        pytest.param(
            [said("a", "helps", "Agree", "ann"), said("a", "helps", "Disagree", "bob")],
            [GOOD.question()],
            [[5, np.nan]],
            ["2.0 answers a score, of 2 judges, are averaged: ann, bob"],
            id="judges, repeats and turns are averaged",
        ),
    ],
)
def test_evaluations_by_hand(
    rows: list[Judgment], questions: list[Question], values: list[list[float]], notes: list[str]
) -> None:
    result = evaluations_of(JudgmentTable.of(rows, questions), [GOOD, BAD])
    assert result.values == pytest.approx(np.array(values), nan_ok=True)
    assert result.notes == notes


def test_not_applicable_is_neutral_and_unscored_is_nothing() -> None:
    failed = Judgment("b", "bot", "helps", unscored=Unscored("parse"))
    table = JudgmentTable.of([said("a", "helps", "NA"), failed], [GOOD.question()])
    found = evaluations_of(table, [GOOD])
    assert found.values[0, 0] == 5
    assert np.isnan(found.values[1, 0])
    assert (found.neutral, found.notes) == (
        1,
        ["1 answers that a criterion does not apply count as neutral"],
    )


def test_judgments_of_something_else_are_refused() -> None:
    table = JudgmentTable.of([said("a", "overall", "1")])
    with pytest.raises(DataError, match=r"any of the 2 criteria \(helps, repeats, ...\); judged"):
        evaluations_of(table, [GOOD, BAD])


def test_a_part_is_taken_by_name() -> None:
    rows = [said("a", "helps", "Agree"), said("b", "repeats", "Agree")]
    table = JudgmentTable.of(rows, [GOOD.question(), BAD.question()])
    found = evaluations_of(table, [GOOD, BAD])
    assert found.of(["b"], [BAD]).tolist() == [[7.5]]


def test_answers_to_other_questions_do_not_count_as_answers_a_score() -> None:
    rows = [
        said(item, name, "Agree", f"of {item}")
        for item in "abcd"
        for name in ("one", "two", "three", "helps", "repeats")
    ]
    found = evaluations_of(JudgmentTable.of(rows, [GOOD.question(), BAD.question()]), [GOOD, BAD])
    assert found.notes == []
