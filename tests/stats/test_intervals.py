"""Means, shares and the bootstrap."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
import scipy.stats as reference

from assize.base.errors import DataError
from assize.stats import Interval, bootstrap_of, mean, share, wilson


@pytest.mark.parametrize(("successes", "n"), [(0, 7), (3, 7), (7, 7), (80, 1000)])
def test_wilson_is_scipys(successes: int, n: int) -> None:
    expected = reference.binomtest(successes, n).proportion_ci(0.9, "wilson")
    assert wilson(successes, n, confidence=0.9).interval == pytest.approx(tuple(expected))


def test_a_share_of_independent_clusters_is_wilsons() -> None:
    found = share([1, 0, 1, 1, np.nan])
    assert found.interval == wilson(3, 4).interval
    assert (found.count, found.unscored) == (3, 1)


def test_copied_rows_in_clusters_do_not_narrow_a_share() -> None:
    rng = np.random.default_rng(0)
    values = rng.integers(0, 2, 60)
    copied = share(np.repeat(values, 10), clusters=np.repeat(np.arange(60), 10))
    single = share(values, clusters=np.arange(60))
    assert copied.interval == pytest.approx(single.interval, abs=0.01)
    assert np.diff(copied.interval) > 2 * np.diff(share(np.repeat(values, 10)).interval)


def test_a_clustered_share_without_variation_counts_clusters() -> None:
    sure = share(np.ones(100), clusters=np.arange(100) // 10)
    assert sure.interval[1] == 1
    assert sure.interval[0] == pytest.approx(
        1 / (1 + reference.t.ppf(0.975, 9) ** 2 / 10)
    )  # Wilson's lower end at p = 1 is n / (n + z2), here with 10 clusters and t


def test_the_mean_of_independent_rows_has_students_interval() -> None:
    values = np.random.default_rng(1).normal(size=30)
    error = values.std(ddof=1) / np.sqrt(30)
    expected = reference.t.interval(0.95, 29, values.mean(), error)
    assert mean(values).interval == pytest.approx(expected)


def test_any_statistic_can_be_bootstrapped_with_clusters() -> None:
    rng = np.random.default_rng(4)
    values, clusters = rng.normal(size=90), np.repeat(list("abcdefghi"), 10)
    slow = bootstrap_of(
        lambda column: float(column.mean()),
        (values,),
        clusters=clusters,
        interval=Interval("percentile", resamples=4_000),
    )
    other = Interval("percentile", resamples=4_000, seed=1)
    fast = mean(values, clusters=clusters, interval=other)
    assert slow.estimate == pytest.approx(fast.estimate)
    assert slow.interval == pytest.approx(fast.interval, abs=0.03)


def test_empty_input_is_nan_with_a_reason() -> None:
    assert mean([]).reason == "no values"
    assert mean([np.nan]).unscored == 1
    assert (np.isnan(wilson(0, 0).estimate), wilson(0, 0).reason) == (True, "no trials")


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: wilson(3, 2), "`successes` must lie between"),
        (lambda: wilson(1, 2, confidence=1.0), "`confidence` must lie"),
        (lambda: share([0.5]), "`values` must be 0, 1 or NaN"),
    ],
)
def test_what_is_no_share_is_refused(call: Callable[[], object], message: str) -> None:
    with pytest.raises(DataError, match=message):
        call()
