"""Moments and roots by hand."""

from __future__ import annotations

import numpy as np
import pytest

from assize.calibrate._data.arrays import moments, root_of


def test_moments_are_of_the_known_values_and_a_spread_of_0_counts_as_1() -> None:
    x = np.array([[1.0, 7.0, np.nan], [3.0, 7.0, np.nan], [np.nan, 7.0, np.nan]])
    mean, spread = moments(x)
    assert mean.tolist() == [2.0, 7.0, 0.0]
    assert spread.tolist() == [1.0, 1.0, 1.0]


def test_a_root_gives_its_covariance_also_of_several_and_of_one_without_full_rank() -> None:
    flat = np.array([[1.0, 1.0], [1.0, 1.0]])
    both = np.stack([np.array([[2.0, 0.5], [0.5, 1.0]]), flat])
    roots = root_of(both)
    assert roots @ roots.transpose(0, 2, 1) == pytest.approx(both)
    assert root_of(flat) == pytest.approx(roots[1])
