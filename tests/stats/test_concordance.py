"""Kendall's tau-b."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.stats as reference
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from assize.stats import Interval, kendall
from assize.stats._concordance import pair_signs

LIKERT = arrays(np.float64, 12, elements=st.integers(1, 5).map(float))


@given(LIKERT, LIKERT)
def test_tau_b_is_scipys(x: np.ndarray, y: np.ndarray) -> None:
    ours = kendall(x, y).estimate
    if np.ptp(x) == 0 or np.ptp(y) == 0:
        assert np.isnan(ours)
    else:
        assert ours == pytest.approx(reference.kendalltau(x, y).statistic, abs=1e-12)


@given(st.lists(st.tuples(*[st.integers(0, 9)] * 3), min_size=1, max_size=30))
def test_signs_are_counted_as_a_double_loop_would(rows: list[tuple[int, int, int]]) -> None:
    x, y, block = np.array(rows).T
    expected = [
        sum(
            np.sign(x[i] - x[j]) * np.sign(y[i] - y[j])
            for j in range(len(x))
            if block[i] == block[j]
        )
        for i in range(len(x))
    ]
    assert pair_signs(x, y, block).tolist() == expected


@pytest.mark.parametrize("clustered", [False, True])
def test_the_jackknife_leaves_out_whole_clusters(clustered: bool) -> None:
    rng = np.random.default_rng(0)
    x = rng.integers(0, 6, 40)
    y = x + rng.integers(0, 4, 40)
    codes = np.arange(40) // 4 if clustered else np.arange(40)
    count = codes.max() + 1
    whole = kendall(x, y).estimate
    left_out = np.array(
        [reference.kendalltau(x[codes != g], y[codes != g]).statistic for g in range(count)]
    )
    z = np.arctanh(left_out)
    error = np.sqrt((count - 1) / count * np.sum((z - z.mean()) ** 2))
    expected = np.tanh(np.arctanh(whole) + reference.t.ppf([0.025, 0.975], count - 1) * error)
    assert kendall(x, y, clusters=codes).interval == pytest.approx(tuple(expected))


def test_the_bootstrap_is_that_of_rows_drawn_by_cluster() -> None:
    rng = np.random.default_rng(1)
    x = rng.integers(0, 5, 60)
    y = x + rng.integers(0, 5, 60)
    interval = Interval("percentile", resamples=200, seed=2)
    ends = kendall(x, y, interval=interval, clusters=np.arange(60) // 2)
    rows = np.random.default_rng(2).integers(0, 30, size=(200, 30))
    drawn = [
        reference.kendalltau(x[members], y[members]).statistic
        for members in ((row[:, None] * 2 + [0, 1]).ravel() for row in rows)
    ]
    assert ends.interval == pytest.approx(tuple(np.quantile(drawn, [0.025, 0.975])))


def test_too_little_data_is_nan_with_a_reason() -> None:
    assert kendall([1, 2], [1, 2]).reason == "needs at least 3 rows with both values; there are 2"
    assert kendall([1, 1, 1], [1, 2, 3]).reason == "`x` is constant"
