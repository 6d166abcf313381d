"""How many rows a difference needs."""

from __future__ import annotations

import numpy as np
import pytest
from statsmodels.stats.power import TTestIndPower, TTestPower

from assize.base.errors import DataError
from assize.stats import detectable, mean_difference, rows_needed


@pytest.mark.parametrize("size", [0.2, 0.5, 0.8])
def test_rows_are_those_of_the_noncentral_t(size: float) -> None:
    pairs = TTestPower().solve_power(size, alpha=0.05, power=0.8)
    assert abs(rows_needed(1.0, size) - np.ceil(pairs)) <= 2
    samples = TTestIndPower().solve_power(size, alpha=0.05, power=0.8)
    assert abs(rows_needed(np.sqrt(2), size, sides=2) - np.ceil(samples)) <= 2


def test_the_least_difference_and_the_rows_agree() -> None:
    rows = rows_needed(3.0, 0.7, power=0.9)
    assert detectable(3 / np.sqrt(rows), rows - 1, power=0.9) <= 0.7
    assert detectable(3 / np.sqrt(rows - 1), rows - 2, power=0.9) > 0.7


@pytest.mark.parametrize("sides", [1, 2])
@pytest.mark.parametrize("size", [0.4, 0.9, 1.7, 3.0])
def test_rows_are_the_fewest_that_find_the_difference(size: float, sides: int) -> None:
    enough = (n for n in range(2, 200) if detectable(1 / np.sqrt(n), sides * (n - 1)) <= size)
    assert rows_needed(1.0, size, sides=sides) == next(enough)


def test_so_many_rows_find_the_difference_so_often() -> None:
    rng = np.random.default_rng(0)
    rows = rows_needed(1.0, 0.6)
    found = 0
    for _ in range(400):
        values = rng.normal(0.6, 1.0, rows), np.zeros(rows)
        test = mean_difference(*values, paired=True, permutations=299, rng=rng).test
        found += test.p_value <= 0.05
    assert found / 400 == pytest.approx(0.8, abs=0.06)


def test_the_ends() -> None:
    assert rows_needed(0.0, 1.0) == 2
    assert rows_needed(float("nan"), 1.0) == rows_needed(1.0, 1e-9) == -1
    with pytest.raises(DataError, match="`size` must be above 0"):
        rows_needed(1.0, 0.0)
