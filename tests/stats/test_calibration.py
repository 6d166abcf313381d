"""Calibration error, Brier, log loss, isotonic regression."""

from __future__ import annotations

import importlib.util
import sys
import types
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
import sklearn.isotonic
import sklearn.metrics

from assize.base.errors import DataError
from assize.stats import fit_isotonic, log_loss, mean, smooth_calibration


def forecasts(n: int, power: float = 1.0, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Predictions p of outcomes that happen with probability p ** power."""
    rng = np.random.default_rng(seed)
    p = rng.random(n)
    return p, (rng.random(n) < p**power).astype(float)


@pytest.fixture
def relplot_metrics() -> Iterator[Any]:
    """relplot's metrics alone: its package imports plotting libraries at once."""
    spec = importlib.util.find_spec("relplot")
    if spec is None or spec.submodule_search_locations is None:
        pytest.skip("relplot, the reference for the smooth calibration error, is not installed")
    package = types.ModuleType("relplot")
    package.__path__ = list(spec.submodule_search_locations)
    sys.modules["relplot"] = package
    try:
        yield importlib.import_module("relplot.metrics")
    except ImportError as error:
        pytest.skip(f"relplot cannot be imported: {error}")
    finally:
        for name in [one for one in sys.modules if one.partition(".")[0] == "relplot"]:
            del sys.modules[name]


@pytest.mark.parametrize("power", [1.0, 1.6, 0.4])
@pytest.mark.parametrize("n", [50, 3_000])
def test_the_smooth_error_is_relplots(relplot_metrics: Any, power: float, n: int) -> None:
    p, y = forecasts(n, power)
    # relplot steps through bandwidths in thousandths
    assert smooth_calibration(p, y).error.estimate == pytest.approx(
        relplot_metrics.smECE(p, y), abs=2e-3
    )


def test_one_prediction_by_hand_and_the_bandwidth_is_the_error() -> None:
    # all say 1/2, a share s happens: the smoothed residual is |s - 1/2| whatever the bandwidth
    single = smooth_calibration(np.full(10, 0.5), [1] * 8 + [0] * 2)
    assert (single.error.estimate, single.bandwidth) == pytest.approx((0.3, 0.3), abs=1e-6)
    many = smooth_calibration(*forecasts(500, 2.0))
    assert many.bandwidth == pytest.approx(many.error.estimate, abs=1e-4)


def test_a_perfect_forecaster_is_recovered_and_a_bold_one_found() -> None:
    rng = np.random.default_rng(0)
    fair = smooth_calibration(*forecasts(20_000), rng=rng, resamples=100)
    assert fair.error.estimate < 0.015
    inside = (fair.at > 0.05) & (fair.at < 0.95)
    assert np.abs(fair.curve - fair.at)[inside].max() < 0.05
    bold = smooth_calibration(*forecasts(20_000, 2.0), rng=rng, resamples=100)
    # the curve is smoothed over a bandwidth of 1/6, which bends it near the ends
    middle = (bold.at > 0.3) & (bold.at < 0.7)
    assert np.abs(bold.curve - bold.at**2)[middle].max() < 0.06
    # E|p - p^2| = 1/6
    assert bold.error.estimate == pytest.approx(1 / 6, abs=0.02)
    assert bold.error.interval[0] < bold.error.estimate < bold.error.interval[1]
    assert ((bold.low <= bold.curve) & (bold.curve <= bold.high))[inside].mean() > 0.95


def test_exchanging_the_two_answers_changes_nothing() -> None:
    p, y = forecasts(300, 1.5)
    one, two = smooth_calibration(p, y), smooth_calibration(1 - p, 1 - y)
    assert one.error.estimate == pytest.approx(two.error.estimate, abs=1e-9)
    assert one.curve == pytest.approx(1 - two.curve[::-1], abs=1e-6)
    assert one.density.mean() == pytest.approx(1, abs=0.01)


def test_clusters_widen_the_band() -> None:
    p, y = forecasts(200, 1.5)
    copied, labels = (np.repeat(p, 8), np.repeat(y, 8)), np.repeat(np.arange(200), 8)
    rng = np.random.default_rng(1)
    alone = smooth_calibration(*copied, rng=rng, resamples=200)
    grouped = smooth_calibration(*copied, clusters=labels, rng=rng, resamples=200)
    assert (grouped.high - grouped.low).mean() > 2 * (alone.high - alone.low).mean()


def test_log_loss_is_scikit_learns() -> None:
    p, y = forecasts(200)
    assert log_loss(p, y).estimate == pytest.approx(sklearn.metrics.log_loss(y, p))
    rng = np.random.default_rng(2)
    many, classes = rng.dirichlet(np.ones(4), 200), rng.integers(0, 4, 200)
    assert log_loss(many, classes).estimate == pytest.approx(
        sklearn.metrics.log_loss(classes, many, labels=range(4))
    )


def test_a_certain_and_wrong_prediction_costs_the_floor() -> None:
    assert log_loss([0.0], [1], floor=1e-3).estimate == pytest.approx(-np.log(1e-3))
    assert log_loss([0.0, np.nan], [1, 0]).unscored == 1
    assert log_loss([1.0], [1]).signature != mean([0.0]).signature


def test_each_rater_gets_scikit_learns_isotonic_map() -> None:
    rng = np.random.default_rng(3)
    x, raters = rng.integers(0, 10, 200).astype(float), np.repeat(["a", "b"], 100)
    y = x * np.where(raters == "a", 1, 0.2) + rng.normal(size=200)
    fitted = fit_isotonic(x, y, raters)
    at = np.linspace(-1, 10, 23)
    for name in ("a", "b"):
        own = sklearn.isotonic.IsotonicRegression(out_of_bounds="clip")
        own.fit(x[raters == name], y[raters == name])
        assert fitted.predict(at, np.full(23, name)) == pytest.approx(own.predict(at))
    pooled = fit_isotonic(x, y).predict(at)
    assert fitted.predict(at, np.full(23, "new")) == pytest.approx(pooled)
    assert (np.diff(pooled) >= 0).all()
    assert np.isnan(fitted.predict([np.nan])[0])


def test_a_rater_with_few_rows_gets_the_pooled_map() -> None:
    fitted = fit_isotonic([1, 2, 3, 4], [1, 2, 3, 4], ["a", "a", "a", "b"], least=2)
    assert set(fitted.knots) == {None, "a"}


def test_nothing_is_nan_with_a_reason() -> None:
    empty = smooth_calibration([np.nan], [1])
    assert empty.error.reason == "no rows with both values"
    assert np.isnan(empty.curve).all()
    assert smooth_calibration([0.5], [1]).error.reason == "no generator was given"


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: fit_isotonic([np.nan], [1]), "have no row in common"),
        (lambda: smooth_calibration([1.2], [1]), "`predicted` must lie in"),
        (lambda: log_loss([0.5], [2]), r"`outcome` must be one of 0\.\.1"),
        (lambda: log_loss([0.5], [1, 0]), "`predicted` has 1, `outcome` has 2"),
    ],
)
def test_bad_arguments_are_named(call: Callable[[], Any], message: str) -> None:
    with pytest.raises(DataError, match=message):
        call()


def test_far_from_all_predictions_there_is_no_curve_and_no_band() -> None:
    p = np.full(400, 0.5)
    result = smooth_calibration(p, np.arange(400) % 2, rng=np.random.default_rng(0), resamples=50)
    assert np.isnan([result.curve[0], result.low[0]]).all()
    assert result.curve[100] == pytest.approx(0.5)
