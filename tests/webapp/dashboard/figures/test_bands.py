"""Replicates draw what they say, with the right chances, and bands cover."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.stats import norm
from tests.webapp.dashboard.simulated import view_of_chances, view_of_scores

from assize.webapp.dashboard.figures.bands import Drawing, replicates
from assize.webapp.dashboard.figures.charts import Look, bands_of, chart_of
from assize.webapp.dashboard.figures.densities import (
    CELLS,
    Grid,
    counted,
    grid_of,
    kernel,
    width_of,
)
from assize.webapp.dashboard.figures.panels import aggregated, panel_of
from assize.webapp.dashboard.prepared.view import View

SCALE = Grid(1.0, 4.0)
NAN = float("nan")


def drawn(view: View, sources: tuple[str, ...], count: int = 20, seed: int = 0, **how: bool) -> (
    NDArray[np.float64]
):  # fmt: skip
    """(B, CELLS) counts of replicates over all raters, in one group."""
    return replicates(
        view.cells("q"), panel_of(view, ""), SCALE, np.zeros(view.size, dtype=int), 1,
        Drawing(sources, count), np.random.default_rng(seed), **how,
    )[:, 0]  # fmt: skip


def test_with_nothing_drawn_every_replicate_is_the_observed_counts(tmp_path: Path) -> None:
    view = view_of_scores(tmp_path / "v", np.array([[1.0, 2.0], [NAN, 4.0], [3.0, NAN]]))
    means = np.array([1.5, 4.0, 3.0])
    assert (drawn(view, ()) == counted(SCALE, means, np.zeros(3, dtype=int), 1)).all()
    every = np.array([1.0, 3.0, 2.0, 4.0])
    apart = drawn(view, (), disaggregated=True)
    assert (apart == counted(SCALE, every, np.zeros(4, dtype=int), 1)).all()


def test_as_many_conversations_are_drawn_as_there_are(tmp_path: Path) -> None:
    view = view_of_scores(tmp_path / "v", np.random.default_rng(0).uniform(1, 4, (30, 3)))
    assert (drawn(view, ("conversations",)).sum(axis=1) == 30).all()
    assert (drawn(view, ("conversations",), disaggregated=True).sum(axis=1) == 90).all()


def test_conversations_are_drawn_with_all_their_raters(tmp_path: Path) -> None:
    """Each conversation has one number from all raters: its counts come in threes."""
    scores = np.repeat(np.linspace(1, 4, 10)[:, None], 3, axis=1)
    view = view_of_scores(tmp_path / "v", scores)
    assert (drawn(view, ("conversations",), disaggregated=True) % 3 == 0).all()


def test_a_rater_drawn_twice_counts_twice(tmp_path: Path) -> None:
    """Two raters, who say 1 and 4: a replicate's mean is 1, 2.5 or 4, with 1/4, 1/2, 1/4."""
    view = view_of_scores(tmp_path / "v", np.array([[1.0, 4.0]] * 5))
    found = drawn(view, ("raters",), 4_000).argmax(axis=1)
    shares = np.bincount(found, minlength=CELLS)[[0, (CELLS - 1) // 2, CELLS - 1]] / 4_000
    assert shares == pytest.approx([0.25, 0.5, 0.25], abs=0.03)


def test_answers_are_drawn_with_their_chances(tmp_path: Path) -> None:
    """Two raters with P(2) = 0.3 and 0.6: the mean is 1, 1.5, 2 with 0.28, 0.54, 0.18."""
    p = np.tile(np.array([[0.7, 0.3], [0.4, 0.6]]), (20_000 // 50, 1, 1))
    view = view_of_chances(tmp_path / "v", p)
    found = drawn(view, ("answers",), 50)
    at = SCALE.places(np.array([1.0, 1.5, 2.0]))
    shares = found[:, at].sum(axis=0) / found.sum()
    assert shares.sum() == pytest.approx(1.0)
    assert shares == pytest.approx([0.28, 0.54, 0.18], abs=4 * 0.5 / np.sqrt(20_000))


def test_answers_of_uneven_values_and_of_some_raters_only_are_drawn_alike(tmp_path: Path) -> None:
    """The same chances by both ways of summing: whole raters of even values, and all others."""
    rng = np.random.default_rng(1)
    p = rng.dirichlet(np.ones(4), (300, 5))
    whole = view_of_chances(tmp_path / "whole", p)
    quick = drawn(whole, ("answers",), 200)
    slow = replicates(
        whole.cells("q"), panel_of(whole, ""), SCALE,
        np.where(np.arange(300) < 299, 0, -1), 1, Drawing(("answers",), 200),
        np.random.default_rng(5),
    )[:, 0]  # fmt: skip
    means = [one @ SCALE.centres / one.sum() for one in (quick.sum(axis=0), slow.sum(axis=0))]
    assert means[0] == pytest.approx(means[1], abs=0.02)
    spread = [one.sum(axis=0)[:: CELLS // 8].cumsum() / one.sum() for one in (quick, slow)]
    assert spread[0] == pytest.approx(spread[1], abs=0.02)


def test_without_the_source_answers_stay_what_is_expected(tmp_path: Path) -> None:
    view = view_of_chances(tmp_path / "v", np.full((10, 3, 4), 0.25))
    found = drawn(view, ("raters",))
    assert (found[:, SCALE.places(np.array([2.5]))[0]] == 10).all()


def test_the_mean_of_drawn_answers_is_the_mean_of_the_expected(tmp_path: Path) -> None:
    rng = np.random.default_rng(2)
    view = view_of_chances(tmp_path / "v", rng.dirichlet(np.ones(4), (200, 6)))
    expected = aggregated(view.cells("q"), panel_of(view, ""), 200).mean()
    found = drawn(view, ("answers",), 300)
    assert (found @ SCALE.centres / 200).mean() == pytest.approx(expected, abs=0.01)


def test_groups_are_drawn_each_within_itself(tmp_path: Path) -> None:
    systems = ["a"] * 10 + ["b"] * 20
    view = view_of_scores(
        tmp_path / "v", np.random.default_rng(0).uniform(1, 4, (30, 3)), systems=systems
    )
    code = np.repeat([0, 1], [10, 20])
    for apart in (False, True):
        found = replicates(
            view.cells("q"), panel_of(view, ""), SCALE, code, 2, Drawing(),
            np.random.default_rng(0), disaggregated=apart,
        ).sum(axis=2)  # fmt: skip
        assert (found == (np.array([10, 20]) * (3 if apart else 1))).all()


def test_the_same_seed_gives_the_same_bands_and_another_others(tmp_path: Path) -> None:
    view = view_of_scores(tmp_path / "v", np.random.default_rng(0).uniform(1, 4, (40, 4)))
    first, again, other = (
        bands_of(view, Look("q"), Drawing(replicates=20), one) for one in (0, 0, 1)
    )
    assert first.to_json() == again.to_json()
    assert first.to_json() != other.to_json()


def coverage(folder: Path, simulations: int, items: int, raters: int, *, drawing: bool) -> float:
    """Share of points at which 95% bands hold the density that they are bands of.

    Conversations have a quality, raters a leniency; the density is that of qualities, smoothed
    by the same kernel. With `drawing` raters' answers are drawn from predictions.
    """
    hits = []
    points = slice(40, 161)  # where there is anything
    for seed in range(simulations):
        rng = np.random.default_rng(seed)
        quality = rng.normal(2.5, 0.4, items)
        lenient = rng.normal(0, 0.15, raters)
        expected = (quality[:, None] + lenient).clip(1.01, 3.99)
        place = folder / f"{drawing}-{seed}"
        if drawing:
            low = np.floor(expected)
            up = expected - low
            p = np.zeros((items, raters, 4))
            np.put_along_axis(p, (low - 1).astype(int)[..., None], (1 - up)[..., None], 2)
            np.put_along_axis(p, low.astype(int)[..., None], up[..., None], 2)
            view = view_of_chances(place, p)
        else:
            view = view_of_scores(place, expected)
        chart = chart_of(view, Look("q", kind="density"))
        found = bands_of(view, Look("q", kind="density"), Drawing(replicates=100), seed)
        centres = chart.grid.centres
        spread = 0.4
        if drawing:  # means of `raters` answers, each with variance up (1 - up), about 1/6
            spread = float(np.hypot(0.4, np.sqrt((up * (1 - up)).mean() / raters)))
        mass = np.diff(norm.cdf(np.r_[centres, centres[-1] + chart.grid.step], 2.5, spread))
        truth = (mass / mass.sum()) @ chart.shape.weights
        band = found.bands[0]
        inside = (band.low <= truth) & (truth <= band.high)
        hits.append(inside[points].mean())
    return float(np.mean(hits))


def test_bands_cover_the_true_density_at_about_the_nominal_rate(tmp_path: Path) -> None:
    assert 0.9 <= coverage(tmp_path, 20, 120, 12, drawing=False) <= 0.99


@pytest.mark.nightly
def test_bands_cover_also_where_answers_are_drawn(tmp_path: Path) -> None:
    assert 0.9 <= coverage(tmp_path, 100, 200, 24, drawing=False) <= 0.985
    assert 0.88 <= coverage(tmp_path, 60, 200, 24, drawing=True) <= 0.99


def test_the_kernel_of_a_band_is_that_of_its_curve(tmp_path: Path) -> None:
    view = view_of_scores(tmp_path / "v", np.random.default_rng(0).uniform(1, 4, (40, 4)))
    values = aggregated(view.cells("q"), panel_of(view, ""), 40)
    grid = grid_of(view.question("q"), values)
    chart = chart_of(view, Look("q", kind="density"))
    assert np.array_equal(chart.shape.weights, kernel(grid, width_of(values, grid)))
