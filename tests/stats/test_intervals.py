"""Means, shares and the bootstrap."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.stats as reference

from assize.errors import DataError
from assize.stats import (
    Interval,
    bootstrap_of,
    cohen_kappa,
    crossed,
    difference,
    mean,
    share,
    spearman,
    wilson,
)


def test_wilson_by_hand() -> None:
    # p = .5, n = 4, z = 1.96: centre .5, reach z/(1 + z2/n) * sqrt(1/16 + z2/64)
    z2 = reference.norm.ppf(0.975) ** 2
    reach = np.sqrt(z2) / (1 + z2 / 4) * np.sqrt(1 / 16 + z2 / 64)
    assert wilson(2, 4).interval == pytest.approx((0.5 - reach, 0.5 + reach))


@pytest.mark.parametrize(("successes", "n"), [(0, 7), (3, 7), (7, 7), (80, 1000)])
def test_wilson_is_scipys(successes: int, n: int) -> None:
    expected = reference.binomtest(successes, n).proportion_ci(0.9, "wilson")
    assert wilson(successes, n, confidence=0.9).interval == pytest.approx(tuple(expected))


def test_no_trials_give_nan_with_a_reason() -> None:
    result = wilson(0, 0)
    assert np.isnan(result.estimate)
    assert result.reason == "no trials"
    with pytest.raises(DataError, match="`successes` must lie between"):
        wilson(3, 2)


def test_a_share_of_independent_clusters_is_wilsons() -> None:
    values = [1, 0, 1, 1, np.nan]
    assert share(values).interval == wilson(3, 4).interval
    assert share(values).unscored == 1
    assert share(values).to_share()["count"] == 3


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


def test_the_difference_is_paired() -> None:
    first, second = np.array([3.0, 5, np.nan, 9]), np.array([1.0, 2, 4, 5])
    result = difference(first, second)
    assert result.estimate == pytest.approx(3)
    assert (result.n, result.unscored) == (3, 1)


@pytest.mark.parametrize("method", ["percentile", "BCa"])
def test_bootstrap_intervals_are_scipys(method: str) -> None:
    values = np.random.default_rng(2).exponential(size=80)
    rng = np.random.default_rng(3)
    expected = reference.bootstrap((values,), np.mean, method=method, n_resamples=20_000, rng=rng)  # type: ignore[call-overload]
    how = Interval(method.lower(), resamples=20_000)  # type: ignore[arg-type]
    ours = mean(values, how=how, rng=rng).interval
    assert ours == pytest.approx(tuple(expected.confidence_interval), abs=0.01)


def test_the_studentised_bootstrap_by_hand() -> None:
    values = np.random.default_rng(8).exponential(size=12)
    how = Interval("studentised", resamples=500)
    result = mean(values, how=how, rng=np.random.default_rng(9))
    drawn = values[np.random.default_rng(9).integers(0, 12, size=(500, 12))]
    errors = drawn.std(axis=1, ddof=1) / np.sqrt(12)
    t = (drawn.mean(axis=1) - values.mean()) / errors
    error = values.std(ddof=1) / np.sqrt(12)
    expected = values.mean() - error * np.quantile(t, [0.975, 0.025])
    assert result.interval == pytest.approx(tuple(expected))


def test_the_studentised_interval_of_merged_items_is_that_of_single_ones() -> None:
    rng = np.random.default_rng(10)
    truth = rng.integers(0, 3, 150)
    other = np.where(rng.random(150) < 0.7, truth, rng.integers(0, 3, 150))
    how = Interval("studentised", resamples=3_000)
    merged = cohen_kappa(truth, other, how=how, rng=rng)
    apart = cohen_kappa(truth, other, how=how, rng=rng, clusters=np.arange(150))
    assert merged.interval == pytest.approx(apart.interval, abs=0.02)
    with pytest.raises(DataError, match="not offered for ranks"):
        spearman(truth, other, how=how, rng=rng)


def test_any_statistic_can_be_bootstrapped_with_clusters() -> None:
    rng = np.random.default_rng(4)
    values, clusters = rng.normal(size=90), np.repeat(list("abcdefghi"), 10)
    how = Interval("percentile", resamples=4_000)
    slow = bootstrap_of(
        lambda column: float(column.mean()), (values,), rng=rng, clusters=clusters, how=how
    )
    fast = mean(values, clusters=clusters, how=how, rng=rng)
    assert slow.estimate == pytest.approx(fast.estimate)
    assert slow.interval == pytest.approx(fast.interval, abs=0.03)
    bca = bootstrap_of(
        lambda column: float(np.median(column)), (values,), rng=rng, how=Interval("bca")
    )
    assert bca.interval[0] < bca.estimate < bca.interval[1]


def test_the_same_generator_state_gives_the_same_interval_and_signature() -> None:
    values = np.arange(20.0)
    how = Interval("percentile")
    one, two, other = (mean(values, how=how, rng=np.random.default_rng(seed)) for seed in (5, 5, 6))
    assert one == two
    assert one.signature != other.signature


def test_crossed_resampling_is_wider_than_resampling_items_alone() -> None:
    rng = np.random.default_rng(7)
    ratings = rng.normal(size=(8, 1)) + rng.normal(size=(8, 50))

    def weighted(raters: np.ndarray, items: np.ndarray) -> float:
        return float(raters @ ratings @ items / (raters.sum() * items.sum()))

    both = crossed(weighted, 8, 50, rng=rng).interval
    alone = mean(ratings.mean(axis=0)).interval
    assert np.diff(both) > 2 * np.diff(alone)
    assert np.isnan(crossed(weighted, 1, 50, rng=rng).interval).all()


def test_one_cluster_has_no_interval() -> None:
    result = mean([1.0, 2.0], clusters=["c", "c"])
    assert result.estimate == 1.5
    assert result.reason == "an interval needs at least 2 clusters"


def test_empty_input_is_nan_with_a_reason() -> None:
    assert mean([]).reason == "no values"
    assert mean([np.nan]).unscored == 1


@pytest.mark.parametrize(
    "bad", [{"confidence": 1.0}, {"resamples": 0}, {"method": "magic"}], ids=str
)
def test_an_impossible_interval_is_refused(bad: dict[str, object]) -> None:
    with pytest.raises(DataError, match=f"`{next(iter(bad))}` must"):
        Interval(**bad)  # type: ignore[arg-type]


def test_a_row_without_a_cluster_is_refused() -> None:
    absent: list[Any] = [[1.0, np.nan], ["a", None], np.array(["a", np.nan], dtype=object)]
    for clusters in absent:
        with pytest.raises(DataError, match="`clusters` holds NaN or None"):
            mean([1.0, 2.0], clusters=clusters)
    # a missing value needs none
    assert mean([1.0, 2.0, np.nan], clusters=np.array(["a", "b", None])).n == 2


def test_a_share_takes_no_impossible_confidence() -> None:
    with pytest.raises(DataError, match="`confidence` must lie"):
        wilson(1, 2, confidence=1.0)
    with pytest.raises(DataError, match="`values` must be 0, 1 or NaN"):
        share([0.5])
