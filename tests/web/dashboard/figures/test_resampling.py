"""Raters, answers and conversations are drawn as often as they should be."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from tests.web.dashboard.simulated import view_of_chances, view_of_scores

from assize.web._dashboard.figures.panels import panel_of
from assize.web._dashboard.figures.resampling import Drawing, RaterMeans, Resampler
from assize.web._dashboard.prepared.view import View

NAN = float("nan")


def resampler(view: View, *sources: str, seed: int = 0) -> Resampler:
    return Resampler(
        view.cells("q"),
        panel_of(view, ""),
        view.size,
        Drawing(sources),
        np.random.default_rng(seed),
    )


def test_as_many_raters_are_drawn_as_there_are(tmp_path: Path) -> None:
    view = view_of_scores(tmp_path / "v", np.ones((2, 5)))
    draws = resampler(view, "raters")
    found = [draws.raters() for _ in range(50)]
    assert {sum(weight for _, weight in one) for one in found} == {5}
    assert len({tuple(one) for one in found}) > 10
    assert resampler(view).raters() == [(rater, 1.0) for rater in range(5)]


def test_sums_and_counts_are_those_of_the_raters_who_gave_a_number(tmp_path: Path) -> None:
    view = view_of_scores(tmp_path / "v", np.array([[1.0, 2.0], [NAN, 4.0], [3.0, NAN]]))
    total, count = RaterMeans(resampler(view)).sums()
    assert (total.tolist(), count.tolist()) == ([3.0, 4.0, 3.0], [2.0, 1.0, 1.0])


def test_a_drawn_answer_is_one_of_those_that_were_predicted(tmp_path: Path) -> None:
    p = np.zeros((40, 1, 4))
    p[:20, 0, [0, 1]] = 0.5
    p[20:, 0, 3] = 1
    draws = resampler(view_of_chances(tmp_path / "v", p), "answers")
    found = np.stack([draws.answers(0).copy() for _ in range(200)])
    assert set(found[:, :20].ravel().tolist()) == {0, 1}
    assert (found[:, 20:] == 3).all()
    assert found[:, :20].mean() == pytest.approx(0.5, abs=0.03)
