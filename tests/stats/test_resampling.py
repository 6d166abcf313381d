"""The jackknife and the three bootstraps: by hand, against scipy, and where there is none."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.stats as reference

from assize.base.errors import DataError
from assize.stats import Interval, mean
from assize.stats._arrays import Clusters
from assize.stats._resampling import (
    AT_MOST_1,
    JACKKNIFE,
    blocks,
    interval_ends,
    of_cells,
    of_rows,
    of_sums,
    percentile_ends,
    standard_error,
)

NAN = float("nan")


def test_the_jackknifes_standard_error_of_a_mean_by_hand_and_of_merged_clusters() -> None:
    # 1 2 3 without each: 2.5, 2, 1.5; sqrt(2/3 * (1/4 + 0 + 1/4)) = sqrt(1/3), as s / sqrt(n)
    assert standard_error(np.array([2.5, 2, 1.5])) == pytest.approx(np.sqrt(1 / 3))
    values, copies = np.array([2.5, 1.5]), np.array([3, 2])
    apart = standard_error(np.repeat(values, copies))
    assert standard_error(values, copies.astype(float)) == pytest.approx(apart)


def test_equal_rows_are_merged_into_cells_and_left_out_once() -> None:
    # cell 0 twice, cell 2 once, cell 1 never; the statistic is cell 0's share
    def share(counts: np.ndarray) -> np.ndarray:
        return np.asarray(counts[..., 0] / counts.sum(axis=-1))

    statistic: Any = of_cells(np.array([0, 2, 0]), 3, share, Clusters(None, 3))
    assert (statistic.clusters, statistic.copies.tolist()) == (3, [2, 1])
    assert statistic.left_out().tolist() == [0.5, 1]  # without one 0; without the 2


def test_a_cluster_is_left_out_with_all_of_its_rows() -> None:
    rows = np.array([1.0, 2, 6])
    clusters = Clusters(np.array([0, 1, 0]), 2)
    statistic = of_rows(lambda w: w @ rows / w.sum(axis=1), clusters, 3)
    assert statistic.left_out().tolist() == [2, 3.5]  # without rows 0 and 2; without row 1


def test_blocks_hold_all_rows_in_order_and_at_least_one_each() -> None:
    assert [list(one) for one in blocks(5, 1_000_000)] == [[0, 1], [2, 3], [4]]
    assert [list(one) for one in blocks(2, 10**9)] == [[0], [1]]


def test_an_end_beyond_the_statistics_scale_is_cut_there() -> None:
    # means of 0 1 1: 2/3 with error 1/3, and t of 2 degrees is 4.30: far above 1
    columns = np.array([[0.0, 1], [1, 1], [1, 1]])
    statistic = of_sums(columns, lambda s: s[..., 0] / s[..., 1], Clusters(None, 3))
    reach = reference.t.ppf(0.975, 2) / 3
    free = interval_ends(statistic, JACKKNIFE).interval
    assert free == pytest.approx((2 / 3 - reach, 2 / 3 + reach))
    cut = interval_ends(statistic, JACKKNIFE, AT_MOST_1).interval
    assert cut == pytest.approx((2 / 3 - reach, 1))


@pytest.mark.parametrize(
    ("drawn", "reason"),
    [
        ([*range(95), *[NAN] * 5], None),  # a twentieth may be undefined
        ([*range(94), *[NAN] * 6], "undefined in 6% of the resamples"),
        ([1.0] * 20, "no variation between resamples"),
    ],
)
def test_resamples_that_are_undefined_or_all_alike_give_no_interval(
    drawn: list[float], reason: str | None
) -> None:
    found = percentile_ends(np.array(drawn), 0.95)
    assert found.reason == reason
    assert np.isnan(found.interval).any() == (reason is not None)


def test_percentile_intervals_are_scipys() -> None:
    values = np.random.default_rng(2).exponential(size=80)
    rng = np.random.default_rng(3)
    expected = reference.bootstrap(
        (values,), np.mean, method="percentile", n_resamples=20_000, rng=rng
    )
    ours = mean(values, interval=Interval("percentile", resamples=20_000)).interval
    assert ours == pytest.approx(tuple(expected.confidence_interval), abs=0.01)


def test_the_same_seed_gives_the_same_interval_and_signature() -> None:
    values = np.arange(20.0)
    one, two, other = (
        mean(values, interval=Interval("percentile", seed=seed)) for seed in (5, 5, 6)
    )
    assert one == two
    assert one.signature != other.signature


def test_one_cluster_has_no_interval() -> None:
    result = mean([1.0, 2.0], clusters=["c", "c"])
    assert result.estimate == 1.5
    assert result.reason == "an interval needs at least 2 clusters"


@pytest.mark.parametrize(
    "bad", [{"confidence": 1.0}, {"resamples": 0}, {"method": "magic"}], ids=str
)
def test_an_impossible_interval_is_refused(bad: dict[str, object]) -> None:
    with pytest.raises(DataError, match=f"`{next(iter(bad))}` must"):
        Interval(**bad)  # type: ignore[arg-type]
