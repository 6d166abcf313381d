from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import average_precision_score, roc_auc_score

from assize.base.errors import DataError
from assize.stats import auc, average_precision
from assize.stats._resampling import Interval

ROWS = st.lists(st.tuples(st.integers(0, 6), st.integers(0, 1)), min_size=4, max_size=40)


@given(ROWS)
def test_both_are_scikit_learns(rows: list[tuple[int, int]]) -> None:
    score, label = np.array(rows, dtype=float).T
    if len(set(label)) < 2:
        assert np.isnan(auc(score, label).estimate)
        assert "both classes" in (average_precision(score, label).reason or "")
        return
    assert auc(score, label).estimate == pytest.approx(roc_auc_score(label, score))
    expected = average_precision_score(label, score)
    assert average_precision(score, label).estimate == pytest.approx(expected)


@given(ROWS)
def test_a_monotone_scale_changes_nothing_and_a_reversed_one_turns_the_auc(
    rows: list[tuple[int, int]],
) -> None:
    score, label = np.array(rows, dtype=float).T
    if len(set(label)) == 2:
        found = auc(score, label).estimate
        assert auc(np.exp(score), label).estimate == found
        assert auc(-score, label).estimate == pytest.approx(1 - found)


def test_a_missing_row_is_unscored_and_a_label_of_another_value_an_error() -> None:
    found = average_precision([1, 2, np.nan, 4], [0, 1, 1, 1])
    assert (found.n, found.unscored) == (3, 1)
    assert found.details["chance"] == pytest.approx(2 / 3)
    with pytest.raises(DataError, match="must be 0, 1 or NaN"):
        auc([1, 2], [1, 2])


def test_of_many_clusters_groups_are_left_out_with_nearly_the_same_interval(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rng = np.random.default_rng(0)
    label = rng.integers(0, 2, 600)
    score = rng.normal(size=600) + label
    single = auc(score, label)
    monkeypatch.setattr("assize.stats._ranked._MOST", 100)
    grouped = auc(score, label)
    assert (single.clusters, grouped.clusters) == (600, 100)
    assert grouped.interval == pytest.approx(single.interval, abs=0.01)


@pytest.mark.slow("400 samples")
@pytest.mark.parametrize("statistic", [auc, average_precision])
def test_the_interval_covers_the_true_value(statistic) -> None:  # type: ignore[no-untyped-def]
    # Normal scores one standard deviation apart: AUC Phi(1 / sqrt 2); that of precision from a
    # large sample.
    rng = np.random.default_rng(1)
    big = rng.integers(0, 2, 200_000)
    exact = roc_auc_score if statistic is auc else average_precision_score
    truth = exact(big, rng.normal(size=len(big)) + big)
    hits, runs = 0, 400
    for _ in range(runs):
        label = rng.integers(0, 2, 120)
        low, high = statistic(rng.normal(size=120) + label, label).interval
        hits += low <= truth <= high
    assert 0.92 <= hits / runs <= 0.98


def test_a_bootstrap_is_near_the_jackknife() -> None:
    rng = np.random.default_rng(2)
    label = rng.integers(0, 2, 200)
    score = rng.normal(size=200) + label
    how = Interval("percentile", resamples=500)
    drawn = auc(score, label, interval=how)
    assert drawn.interval == pytest.approx(auc(score, label).interval, abs=0.03)
