"""What a judgment is worth: the table of the design, row by row, and columns as rows."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.judgments.conftest import (
    BETTER,
    FREE,
    KINDS,
    LIKERT,
    NUMBER,
    QUESTIONS,
    WORDS,
    YES,
    judgments,
    row,
)

from assize.base.judgment import Judgment, Question, Unscored
from assize.judgments import JudgmentTable
from assize.judgments.values import (
    categories,
    goodness,
    name_answer,
    number_of,
    numbers,
    probabilities,
    scale_ends,
    scale_of,
    vote_of,
    votes,
)

NUMBERS = [
    # unscored, and NA whatever stands beside it
    (row(unscored=Unscored("refused")), NUMBER, None),
    (row(unscored=Unscored("parse"), score=1.0, answer="3"), LIKERT, None),
    (row(answer="NA"), LIKERT, None),
    (row(answer="NA", score=3.0), LIKERT, None),
    (row(answer="NA", distribution={"3": 1.0}), LIKERT, None),
    # the score comes first
    (row(score=0.0), NUMBER, 0.0),
    (row(score=2.5, answer="3", distribution={"1": 1.0}), LIKERT, 2.5),
    (row(score=0.5, answer="B"), BETTER, 0.5),
    (row(score=math.nan), NUMBER, None),
    (row(score=math.nan, answer="3"), LIKERT, 4.0),
    # then the answer: its value, its place where the question gives none, what it spells
    (row(answer="3", distribution={"1": 1.0}), LIKERT, 4.0),
    (row(answer="high"), WORDS, 1.0),
    (row(answer="yes"), YES, 1.0),
    (row(answer="B"), BETTER, -1.0),
    (row(answer="2.5"), LIKERT, None),
    (row(answer="0.25"), NUMBER, 0.25),
    (row(answer="nan"), NUMBER, None),
    (row(answer="great"), LIKERT, None),
    (row(answer="x"), KINDS, None),
    (row(answer="x"), Question("q", kind="nominal", answers=("x", "y"), values=(5.0, 7.0)), 5.0),
    (row(answer="3"), FREE, None),
    # then the mean of the distribution over the known answers:
    # 0.2 x 1 + 0.6 x 4 = 2.6 of 0.8 together, so 3.25; the 0.1 of "?" is left out
    (row(distribution={"1": 0.2, "3": 0.6, "?": 0.1}), LIKERT, 3.25),
    (row(distribution={"low": 0.25, "high": 0.75}), WORDS, 0.75),
    (row(distribution={"A": 0.5, "B": 0.25, "tie": 0.25}), BETTER, 0.25),
    (row(distribution={"1": 0.0}, outside=1.0), LIKERT, None),
    (row(distribution={"x": 1.0}), KINDS, None),
    (row(answer="great", distribution={"1": 0.5, "2": 0.5}), LIKERT, 1.5),
]


@pytest.mark.parametrize(("judgment", "question", "value"), NUMBERS)
def test_the_number_of_a_judgment(
    judgment: Judgment, question: Question, value: float | None
) -> None:
    assert number_of(judgment, question) == (None if value is None else pytest.approx(value))


VOTES = [
    (row(unscored=Unscored("refused"), answer="A"), None),
    (row(answer="NA", score=1.0), None),
    (row(answer="A"), "A"),
    (row(answer="A", score=-1.0), "A"),
    (row(answer="tie", distribution={"A": 1.0}), "tie"),
    (row(score=0.25), "A"),
    (row(score=-1.0), "B"),
    (row(score=0.0), "tie"),
    (row(score=3.0), None),  # no number between -1 and 1
    (row(score=3.0, distribution={"B": 1.0}), "B"),
    (row(distribution={"A": 0.4, "B": 0.5, "tie": 0.1}), "B"),
    (row(distribution={"A": 0.5, "B": 0.5}), "tie"),
    (row(distribution={"A": 0.2, "B": 0.2, "tie": 0.1}), "tie"),
    (row(distribution={"other": 1.0}), None),
    (row(answer="C"), None),
]


@pytest.mark.parametrize(("judgment", "vote"), VOTES)
def test_the_vote_of_a_judgment(judgment: Judgment, vote: str | None) -> None:
    assert vote_of(judgment) == vote


PROBABILITIES = [
    (row(distribution={"no": 0.2, "yes": 0.6}), YES, 0.75),
    (row(score=0.9), YES, 0.9),
    (row(score=3.0), YES, None),
    (row(distribution={"A": 0.5, "tie": 0.5}), BETTER, 0.75),
    (row(score=0.9), BETTER, None),
    (row(answer="yes"), YES, None),
    (row(answer="NA", distribution={"yes": 1.0}), YES, None),
    (row(unscored=Unscored("parse"), score=0.5), YES, None),
]


@pytest.mark.parametrize(("judgment", "question", "p"), PROBABILITIES)
def test_the_probability_of_a_judgment(
    judgment: Judgment, question: Question, p: float | None
) -> None:
    (found,) = probabilities(JudgmentTable.of([judgment], [replace(question, id="q")]), question)
    assert found == pytest.approx(math.nan if p is None else p, nan_ok=True)


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda one: str(one.id))
@given(data=st.data())
def test_columns_are_worth_what_their_rows_are(question: Question, data: st.DataObject) -> None:
    rows = data.draw(st.lists(judgments((question,)), min_size=1, max_size=8))
    table = JudgmentTable.of(rows, [question])

    def listed(values: list[float | None]) -> list[float]:
        return [math.nan if value is None else value for value in values]

    expected = listed([number_of(one, question) for one in rows])
    assert numbers(table, question) == pytest.approx(expected, nan_ok=True)
    signs = {"A": 1.0, "tie": 0.0, "B": -1.0}
    cast = listed([signs[vote] if (vote := vote_of(one)) else None for one in rows])
    assert votes(table) == pytest.approx(cast, nan_ok=True)


def test_nominal_answers_are_places_among_the_questions() -> None:
    rows = [
        row(answer="x"),
        row(distribution={"x": 0.2, "y": 0.7}),
        row(distribution={"x": 0.5, "y": 0.5}),
        row(answer="NA"),
        row(unscored=Unscored("parse"), answer="x"),
        row(answer="z"),
    ]
    found = categories(JudgmentTable.of(rows, [KINDS]), KINDS)
    assert np.array_equal(found, [0, 1, np.nan, np.nan, np.nan, np.nan], equal_nan=True)


def test_goodness_turns_a_scale_round_where_higher_is_worse() -> None:
    worse = Question("q", kind="ordinal", answers=("1", "2"), values=(1.0, 2.0), higher="worse")
    table = JudgmentTable.of([row(answer="2"), row(answer="NA")], [worse])
    assert np.array_equal(goodness(table, worse), [-2.0, np.nan], equal_nan=True)


def test_a_scale_is_what_each_named_answer_is_worth() -> None:
    assert scale_of(LIKERT) == {"1": 1.0, "2": 2.0, "3": 4.0}
    assert scale_of(WORDS) == {"low": 0.0, "high": 1.0}
    assert scale_of(KINDS) == {"x": 0.0, "y": 1.0}
    assert scale_of(BETTER) == {"A": 1.0, "tie": 0.0, "B": -1.0}


def test_the_ends_of_a_scale_are_those_of_its_answers_or_its_range() -> None:
    assert scale_ends(LIKERT) == (1.0, 4.0)
    assert scale_ends(BETTER) == (-1.0, 1.0)
    assert scale_ends(Question("share", range=(0.0, 10.0))) == (0.0, 10.0)
    for endless in (Question("free"), Question("open", range=(0.0, math.inf))):
        assert scale_ends(endless) is None
    assert scale_ends(Question("sole", kind="ordinal", answers=("1",))) is None


def test_answers_have_their_labels_and_numbers_their_answers() -> None:
    graded = replace(LIKERT, labels={LIKERT.answers[0]: "poor"})
    first = graded.values[0] if graded.values else 0.0
    assert name_answer(graded, LIKERT.answers[0]) == name_answer(graded, first)
    assert name_answer(graded, first) == f"{LIKERT.answers[0]}: poor"
    assert name_answer(graded, LIKERT.answers[1]) == LIKERT.answers[1]
    assert name_answer(graded, 2.25) == "2.25"
