"""Correlations and errors: hand-computed, against scipy, properties, recovery."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import scipy.stats as reference
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from assize.base.errors import DataError
from assize.stats import Estimate, Interval, cramers_v, mae, pearson, rmse, spearman

COEFFICIENTS: list[Callable[..., Estimate]] = [pearson, spearman]
LIKERT = arrays(np.float64, 12, elements=st.integers(1, 5).map(float))


@pytest.mark.parametrize(
    ("statistic", "x", "y", "value"),
    [
        # x - mean = -1.5 -.5 .5 1.5, y - mean = -1.5 .5 -.5 1.5: 4 / sqrt(5 * 5)
        (pearson, [1, 2, 3, 4], [1, 3, 2, 4], 0.8),
        # ranks 1 2 3 4 and 1 2 4 3: 1 - 6 * (1 + 1) / (4 * 15)
        (spearman, [1, 2, 3, 4], [0, 10, 99, 50], 0.8),
        (rmse, [1, 2, 3], [1, 4, 3], np.sqrt(4 / 3)),
        (mae, [1, 2, 3], [1, 4, 3], 2 / 3),
    ],
)
def test_correlations_and_errors_by_hand(
    statistic: Callable[..., Estimate], x: list[float], y: list[float], value: float
) -> None:
    assert statistic(x, y).estimate == pytest.approx(value)


@pytest.mark.parametrize("shape", [(2, 2), (2, 5), (5, 2), (3, 4)])
def test_the_corrected_v_is_bergsmas(shape: tuple[int, int]) -> None:
    """Bergsma (2013), with chi squared from scipy."""
    rng = np.random.default_rng(0)
    x = rng.integers(shape[0], size=60)
    y = np.where(rng.random(60) < 0.5, x % shape[1], rng.integers(shape[1], size=60))
    table = reference.contingency.crosstab(x, y).count
    assert table.shape == shape
    phi2 = reference.chi2_contingency(table, correction=False).statistic / 60
    r, c = shape
    spare = min(r - (r - 1) ** 2 / 59, c - (c - 1) ** 2 / 59) - 1
    expected = np.sqrt((phi2 - (r - 1) * (c - 1) / 59) / spare)
    assert cramers_v(x, y).estimate == pytest.approx(expected)


@given(LIKERT, LIKERT)
def test_the_coefficients_are_scipys(x: np.ndarray, y: np.ndarray) -> None:
    if np.ptp(x) == 0 or np.ptp(y) == 0:
        assert np.isnan(pearson(x, y).estimate)
        return
    assert pearson(x, y).estimate == pytest.approx(reference.pearsonr(x, y).statistic)
    assert spearman(x, y).estimate == pytest.approx(reference.spearmanr(x, y).statistic)
    association = reference.contingency.crosstab(x, y).count
    expected = reference.contingency.association(association, method="cramer")
    assert cramers_v(x, y, corrected=False).estimate == pytest.approx(expected)


def test_the_interval_of_a_weighted_sample_is_that_of_the_copied_rows() -> None:
    rng = np.random.default_rng(2)
    x = rng.integers(1, 5, 20).astype(float)
    y = x + rng.integers(0, 3, 20)
    twice = spearman(np.tile(x, 2), np.tile(y, 2), clusters=np.tile(np.arange(20), 2))
    assert twice.interval == pytest.approx(spearman(x, y).interval, abs=1e-9)
    assert twice.clusters == 20


def test_many_rows_use_the_influence_function_with_nearly_the_same_interval(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rng = np.random.default_rng(4)
    x = rng.normal(size=1_500)
    y = x + rng.normal(size=1_500)
    exact = spearman(x, y).interval
    monkeypatch.setattr("assize.stats._correlation._EXACT_CELLS", 10)
    assert spearman(x, y).interval == pytest.approx(exact, abs=2e-4)


@pytest.mark.parametrize("coefficient", COEFFICIENTS)
def test_bootstrap_intervals_are_close_to_the_jackknifes(
    coefficient: Callable[..., Estimate],
) -> None:
    rng = np.random.default_rng(5)
    x = rng.normal(size=400)
    y = x + rng.normal(size=400)
    sampled = coefficient(x, y, interval=Interval("percentile"))
    assert sampled.interval == pytest.approx(coefficient(x, y).interval, abs=0.02)
    assert "seed:0" in sampled.method


@pytest.mark.parametrize("coefficient", [pearson, spearman, cramers_v])
@pytest.mark.parametrize(
    ("x", "y", "reason"),
    [
        ([1.0], [2.0], "needs"),
        ([np.nan] * 5, [np.nan] * 5, "needs"),
        ([1.0, 1, 1, 1], [1.0, 2, 3, 4], "`x` is constant"),
        ([1.0, 2, 3, 4], [1.0, 1, 1, 1], "`y` is constant"),
    ],
)
def test_too_little_or_constant_data_is_nan_with_a_reason(
    coefficient: Callable[..., Estimate], x: list[float], y: list[float], reason: str
) -> None:
    result = coefficient(x, y)
    assert np.isnan(result.estimate)
    assert reason in str(result.reason)
    assert result.signature


def test_a_perfect_correlation_has_no_interval_and_says_why() -> None:
    result = pearson([1, 2, 3, 4], [1, 2, 3, 4])
    assert result.estimate == 1
    assert np.isnan(result.interval).all()
    assert result.reason == "no variation between clusters to estimate an interval from"


@pytest.mark.parametrize("coefficient", COEFFICIENTS)
@pytest.mark.parametrize(
    ("x", "y", "more", "message"),
    [
        ([1, 2], [1, 2, 3], {}, "`x` has 2, `y` has 3"),
        ([1, 2], [[1, 2]], {}, "`y` must have 1 dimension"),
        ([1, np.inf, 3], [1, 2, 3], {}, "`x` holds an infinite value"),
        ([1, 2, 3], [1, 2, -1e200], {}, "`y` holds a value beyond 1e"),
        ([1, 2, 3], [1, 2, 3], {"clusters": [1]}, "`clusters` must have shape"),
    ],
)
def test_bad_arguments_are_named(
    coefficient: Callable[..., Estimate], x: Any, y: Any, more: Any, message: str
) -> None:
    with pytest.raises(DataError, match=message):
        coefficient(x, y, **more)
