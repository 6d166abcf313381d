"""One number a rater and conversation, whatever they said and how often."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from assize.base.judgment import Judgment, Question, Unscored
from assize.judgments import JudgmentTable
from assize.web._dashboard.prepared.cells import STEPS, cells_of
from assize.web._dashboard.prepared.preparing import raters_of
from assize.web._dashboard.prepared.view import Cells

LIKERT = Question("q", kind="ordinal", answers=("1", "2", "3"), values=(1.0, 2.0, 5.0))
CHOICE = Question("q", kind="nominal", answers=("no", "yes", "both"))
ITEMS = {"a": 0, "b": 1, "c": 2}


def cells(rows: Sequence[Judgment], question: Question = LIKERT) -> Cells:
    table = JudgmentTable.of(rows, [question])
    return cells_of(table, question, raters_of(table), ITEMS)


def test_an_answer_counts_with_its_value() -> None:
    found = cells([Judgment("b", "ann", "q", answer="3"), Judgment("a", "ann", "q", answer="1")])
    assert found.unit.tolist() == [0, 1]
    assert found.value.tolist() == [1.0, 5.0]


def test_repeats_are_averaged() -> None:
    rows = [Judgment("a", "ann", "q", answer=one, repeat=at) for at, one in enumerate("13")]
    assert cells(rows).value.tolist() == [3.0]


def test_turns_are_averaged_where_nothing_is_said_of_the_whole() -> None:
    rows = [Judgment("a", "ann", "q", answer=one, turn=at) for at, one in enumerate("122")]
    assert cells(rows).value.tolist() == [pytest.approx(5 / 3)]


def test_what_is_said_of_the_whole_goes_before_turns() -> None:
    rows = [
        Judgment("a", "ann", "q", answer="1", turn=0),
        Judgment("a", "ann", "q", answer="2"),
    ]
    assert cells(rows).value.tolist() == [2.0]


def test_unscored_and_not_applicable_are_counted_and_have_no_number() -> None:
    rows = [
        Judgment("a", "ann", "q", unscored=Unscored("timeout")),
        Judgment("b", "ann", "q", answer="NA"),
        Judgment("c", "ann", "q", answer="2"),
    ]
    found = cells(rows)
    assert found.unit.tolist() == [2]
    assert (found.scored.tolist(), found.unscored.tolist(), found.skipped.tolist()) == (
        [1],
        [1],
        [1],
    )


def test_cells_of_each_rater_stand_together() -> None:
    rows = [Judgment(item, judge, "q", answer="1") for item in "abc" for judge in ("y", "x")]
    found = cells([*rows, Judgment("a", "w", "q", answer="2")])
    assert found.starts.tolist() == [0, 1, 4, 7]
    assert found.value[found.of(0)].tolist() == [2.0]


def test_chances_become_numbers_that_an_answer_is_drawn_by() -> None:
    p = {"1": 0.25, "2": 0.25, "3": 0.5}
    found = cells([Judgment("a", "calibration:ann", "q", distribution=p)])
    assert found.drawn.tolist() == [True]
    assert found.levels.tolist() == [1.0, 2.0, 5.0]
    assert found.cuts is not None
    assert found.cuts[:, 0].tolist() == [STEPS // 4, STEPS // 2]


def test_answers_of_people_and_models_are_never_drawn() -> None:
    found = cells([Judgment("a", "io@m", "q", distribution={"1": 0.5, "2": 0.5}, kind="model")])
    assert not found.drawn.any()
    assert found.value.tolist() == [1.5]


def test_a_rater_with_one_prediction_without_chances_is_not_drawn() -> None:
    rows = [
        Judgment("a", "calibration:ann", "q", distribution={"1": 0.5, "2": 0.5}),
        Judgment("b", "calibration:ann", "q", answer="3"),
    ]
    assert not cells(rows).drawn.any()


def test_a_nominal_answer_is_its_place() -> None:
    rows = [Judgment("a", "ann", "q", answer="both"), Judgment("b", "ann", "q", answer="no")]
    assert cells(rows, CHOICE).value.tolist() == [2.0, 0.0]


def test_of_turns_the_most_frequent_nominal_answer_counts() -> None:
    """Of a `both` stands twice; b has as many `no` as `yes`, so none; c has one answer."""
    told = {"a": ("both", "no", "both"), "b": ("no", "yes"), "c": ("yes",)}
    rows = [
        Judgment(item, "ann", "q", answer=answer, turn=at)
        for item, given in told.items()
        for at, answer in enumerate(given)
    ]
    found = cells(rows, CHOICE)
    assert (found.unit.tolist(), found.value.tolist()) == ([0, 2], [2.0, 1.0])
    assert (found.scored.tolist(), found.unscored.tolist()) == ([2], [1])


def test_nominal_chances_are_drawn_by_the_answers_places() -> None:
    p = {"both": 0.5, "no": 0.25, "yes": 0.25}
    found = cells([Judgment("a", "calibration:ann", "q", distribution=p)], CHOICE)
    assert found.value.tolist() == [2.0]
    assert found.levels.tolist() == [0.0, 1.0, 2.0]
    assert found.cuts is not None
    assert found.cuts[:, 0].tolist() == [STEPS // 4, STEPS // 2]
