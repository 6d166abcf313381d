from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assize.base.errors import DataError
from assize.stats._trend import within_slope

nan = float("nan")


def test_levels_of_sequences_are_no_change() -> None:
    # two sequences with slope 1, the second starts later and 10 lower: pooled it would fall
    found = within_slope([1, 2, 3, -4, -3], [0, 1, 2, 5, 6], clusters=["a"] * 3 + ["b"] * 2)
    assert found.estimate == pytest.approx(1)
    assert found.clusters == 2


def test_its_interval_covers_the_true_slope_as_often_as_it_says() -> None:
    clusters, at = np.repeat(np.arange(40), 6), np.tile(np.arange(6), 40)
    covered = 0
    for seed in range(100):
        rng = np.random.default_rng(seed)
        values = rng.normal(size=40)[clusters] + 0.3 * at + rng.normal(size=240)
        low, high = within_slope(values, at, clusters=clusters).interval
        covered += low < 0.3 < high
    assert 88 <= covered <= 100


def test_sequences_of_one_cluster_have_levels_of_their_own() -> None:
    # two systems in one conversation, the second 5 higher and only late: each rises by 1
    values, at, systems = [0, 1, 5, 6], [0, 1, 1, 2], ["a", "a", "b", "b"]
    found = within_slope(values, at, clusters=["c"] * 4, sequences=systems)
    assert found.estimate == pytest.approx(1)
    assert found.clusters == 1


@pytest.mark.parametrize(
    ("values", "at", "reason"),
    [
        ([], [], "no values"),
        ([1, 2], [0, 0], "no sequence has values at two different steps"),
        ([1, nan], [0, 1], "no sequence has values at two different steps"),
    ],
)
def test_too_little_gives_no_figure(values: list[float], at: list[float], reason: str) -> None:
    found = within_slope(values, at, clusters=["a"] * len(values))
    assert np.isnan(found.estimate)
    assert found.reason == reason


def test_missing_values_are_counted_and_lengths_must_agree() -> None:
    found = within_slope([1, nan, 3], [0, 1, 2], clusters=["a"] * 3)
    assert (found.estimate, found.n, found.unscored) == (1, 2, 1)
    with pytest.raises(DataError, match="one length"):
        within_slope([1, 2], [1], clusters=["a", "a"])


@given(st.floats(-5, 5), st.floats(-5, 5))
def test_a_shift_changes_nothing_and_a_scale_scales(level: float, scale: float) -> None:
    values, at, clusters = np.array([1.0, 2, 4, 0, 1]), [0, 1, 2, 0, 3], list("aaabb")
    base = within_slope(values, at, clusters=clusters).estimate
    moved = within_slope(level + scale * values, at, clusters=clusters).estimate
    assert moved == pytest.approx(scale * base, abs=1e-9)
