"""Whose answers count, and their means."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from tests.web.dashboard.simulated import view_of_answers, view_of_choices, view_of_scores

from assize.base.errors import ConfigError
from assize.base.judgment import Judgment
from assize.judgments import JudgmentTable
from assize.web._dashboard.figures.panels import (
    aggregated,
    apart,
    chances,
    most_given,
    panel_of,
    panels,
)
from assize.web._dashboard.prepared.cells import STEPS
from assize.web._dashboard.prepared.preparing import prepare_view
from assize.web._dashboard.prepared.view import View

NAN = float("nan")


def test_predicted_raters_come_first_then_each_judge(view: View) -> None:
    found = panels(view)
    assert next(iter(found)) == "calibrated raters"
    assert len(found["calibrated raters"]) == 6
    assert "io@m" in found
    assert panel_of(view, "") == found["calibrated raters"]


def test_trusted_raters_come_first_and_the_unknown_one_counts_nowhere(tmp_path: Path) -> None:
    rows = [
        Judgment("i", name, "q", score=1.0)
        for name in ("calibration:ann", "calibration:bob", "calibration:cat", "calibration:unknown")
    ]
    table = JudgmentTable.of(rows)
    view = prepare_view(table, [], tmp_path / "all")
    assert [view.raters[at].name[12:] for at in panel_of(view, "")] == ["ann", "bob", "cat"]
    view = prepare_view(table, [], tmp_path / "some", trusted=["ann", "cat"])
    assert [view.raters[at].name[12:] for at in panel_of(view, "")] == ["ann", "cat"]
    assert panel_of(view, "trusted raters") == panel_of(view, "")


def test_an_unknown_panel_is_refused(view: View) -> None:
    with pytest.raises(ConfigError, match="nobody here is called 'eve'"):
        panel_of(view, "eve")


def test_a_mean_is_over_those_who_answered(tmp_path: Path) -> None:
    view = view_of_scores(tmp_path / "v", np.array([[1.0, 2.0], [NAN, 4.0], [3.0, NAN]]))
    assert aggregated(view.cells("q"), (0, 1), 3).tolist() == [1.5, 4.0, 3.0]
    alone = aggregated(view.cells("q"), (0,), 3)
    assert np.array_equal(alone, [1.0, NAN, 3.0], equal_nan=True)


def test_kept_apart_every_number_has_its_rater(tmp_path: Path) -> None:
    view = view_of_scores(tmp_path / "v", np.array([[1.0, 2.0], [NAN, 4.0]]))
    value, unit, rater = apart(view.cells("q"), (0, 1))
    assert list(zip(unit.tolist(), rater.tolist(), value.tolist(), strict=True)) == [
        (0, 0, 1.0),
        (0, 1, 2.0),
        (1, 1, 4.0),
    ]


def test_a_conversation_has_the_answer_that_most_raters_give(tmp_path: Path) -> None:
    answers: list[list[str | None]] = [
        ["a", "b", "b"],
        ["c", "a", None],
        [None, "c", None],
        ["a", "b", "c"],
    ]
    view = view_of_answers(tmp_path / "v", answers)
    assert most_given(view.cells("q"), (0, 1, 2), 4, 3).tolist() == [1.0, 3.0, 2.0, 3.0]
    alone = most_given(view.cells("q"), (0,), 4, 3)
    assert np.array_equal(alone, [0.0, 2.0, NAN, 0.0], equal_nan=True)


def test_predicted_raters_give_answers_with_their_probabilities(tmp_path: Path) -> None:
    """The second alone says b most probably; together a has 1.0, b 0.9, c 0.1."""
    p = np.array([[[0.55, 0.4, 0.05], [0.45, 0.5, 0.05]]])
    cells = view_of_choices(tmp_path / "v", p).cells("q")
    assert most_given(cells, (0, 1), 1, 3).tolist() == [0.0]
    assert most_given(cells, (1,), 1, 3).tolist() == [1.0]
    found = chances(cells, 0, 3)
    assert found.sum() == STEPS
    assert found[:, 0] / STEPS == pytest.approx(p[0, 0], abs=1 / STEPS)
