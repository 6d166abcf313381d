"""Bands say what was drawn, hold their curve, and cover."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from scipy.stats import norm
from tests.web.dashboard.simulated import view_of_chances, view_of_scores

from assize.web._dashboard.figures.bands import bands_of, bands_to_json
from assize.web._dashboard.figures.charts import Look, chart_of
from assize.web._dashboard.figures.densities import grid_of, kernel, width_of
from assize.web._dashboard.figures.panels import aggregated, panel_of
from assize.web._dashboard.figures.resampling import Drawing
from assize.web._dashboard.prepared.view import View


def test_the_same_seed_gives_the_same_bands_and_another_others(tmp_path: Path) -> None:
    view = view_of_scores(tmp_path / "v", np.random.default_rng(0).uniform(1, 4, (40, 4)))
    first, again, other = (
        bands_of(view, Look("q"), Drawing(replicates=20), one) for one in (0, 0, 1)
    )
    assert bands_to_json(first) == bands_to_json(again)
    assert bands_to_json(first) != bands_to_json(other)


def test_bands_say_what_was_drawn(view: View) -> None:
    found = bands_of(view, Look("Q0"), Drawing(replicates=20), 3).drawn
    assert (found.sources, found.answers, found.seed) == (
        ("raters", "conversations", "answers"),
        6,
        3,
    )
    alone = bands_of(view, Look("Q0", panel="io@m"), Drawing(replicates=20), 0)
    assert alone.drawn.sources == ("conversations",)
    apart = bands_of(view, Look("Q0", disaggregated=True), Drawing(replicates=20), 0)
    assert apart.drawn.sources == ("raters", "conversations")


def test_a_band_lies_around_its_curve_where_no_answers_are_drawn(view: View) -> None:
    how = Drawing(("raters", "conversations"), 60)
    chart, found = chart_of(view, Look("Q0")), bands_of(view, Look("Q0"), how, 0)
    inside = (found.bands[0].low <= chart.curves[0].height + 1e-9) & (
        chart.curves[0].height <= found.bands[0].high + 1e-9
    )
    assert inside.mean() > 0.95


def test_the_interval_of_a_mean_and_of_a_difference_hold_the_figures(view: View) -> None:
    chart = chart_of(view, Look("Q0", "system"))
    found = bands_of(view, Look("Q0", "system"), Drawing(replicates=60), 0)
    for curve, band in zip(chart.curves, found.bands, strict=True):
        assert band.mean[0] < curve.mean < band.mean[1]
    low, high = found.bands[1].apart
    assert low < chart.curves[1].mean - chart.curves[0].mean < high
    assert np.isnan(found.bands[0].apart).all()


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
