"""Ranks with ties, in weighted samples too, and how far one row moves Spearman's rho."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.stats as reference
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from assize.stats import spearman
from assize.stats._ranks import influence, levels, midranks, weighted_spearman

LIKERT = arrays(np.float64, 12, elements=st.integers(1, 5).map(float))


def test_equal_values_are_one_level() -> None:
    # sorted: 5 (row 2), then 7 7 (rows 0 and 3), then 9 (row 1)
    found = levels(np.array([7.0, 9, 5, 7]))
    parts = [part.tolist() for part in (found.order, found.starts, found.codes)]
    assert parts == [[2, 0, 3, 1], [0, 1, 3], [1, 2, 0, 1]]


def test_weighted_rho_is_scipys_on_the_copied_rows() -> None:
    rng = np.random.default_rng(0)
    x, y = rng.integers(1, 6, (2, 30)).astype(float)
    weights = rng.integers(0, 4, (5, 30)).astype(float)
    found = weighted_spearman(x, y)(weights)
    for value, row in zip(found, weights.astype(int), strict=True):
        expected = reference.spearmanr(np.repeat(x, row), np.repeat(y, row)).statistic
        assert value == pytest.approx(expected)


def test_rho_of_a_sample_with_one_value_is_nan() -> None:
    at = weighted_spearman(np.array([1.0, 1, 2]), np.array([1.0, 2, 3]))
    assert np.isnan(at(np.array([[1.0, 1, 0]]))).all()
    assert not np.isnan(at(np.array([[1.0, 1, 1]]))).any()


@given(LIKERT)
def test_midranks_are_scipys(x: np.ndarray) -> None:
    assert midranks(x).tolist() == reference.rankdata(x).tolist()


def test_the_influence_function_is_the_limit_of_the_jackknife() -> None:
    rng = np.random.default_rng(3)
    x = rng.integers(1, 6, 2_000).astype(float)
    y = x + rng.normal(0, 2, 2_000).round()
    pull = influence(x, y)
    whole = spearman(x, y).estimate
    for row in (0, 17, 923):
        left_out = spearman(np.delete(x, row), np.delete(y, row)).estimate
        assert (whole - left_out) * 2_000 == pytest.approx(pull[row], abs=0.01)
    assert pull.mean() == pytest.approx(0, abs=1e-10)
