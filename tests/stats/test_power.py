"""How many rows a difference needs."""

from __future__ import annotations

import numpy as np
import pytest
from statsmodels.stats.power import TTestIndPower, TTestPower

from assize.base.errors import DataError
from assize.stats import detectable, rows_needed


@pytest.mark.parametrize("size", [0.2, 0.5, 0.8])
def test_rows_are_those_of_the_noncentral_t(size: float) -> None:
    pairs = TTestPower().solve_power(size, alpha=0.05, power=0.8)
    assert abs(rows_needed(1.0, size) - np.ceil(pairs)) <= 2
    samples = TTestIndPower().solve_power(size, alpha=0.05, power=0.8)
    assert abs(rows_needed(np.sqrt(2), size, sides=2) - np.ceil(samples)) <= 2


@pytest.mark.parametrize("sides", [1, 2])
@pytest.mark.parametrize("size", [0.4, 0.9, 1.7, 3.0])
def test_rows_are_the_fewest_that_find_the_difference(size: float, sides: int) -> None:
    def found(n: int) -> float:
        return detectable(3 / np.sqrt(n), sides * (n - 1), power=0.9)

    enough = (n for n in range(2, 200) if found(n) <= 3 * size)
    assert rows_needed(3.0, 3 * size, sides=sides, power=0.9) == next(enough)


def test_the_ends() -> None:
    assert rows_needed(0.0, 1.0) == 2
    assert rows_needed(float("nan"), 1.0) == rows_needed(1.0, 1e-9) == -1
    with pytest.raises(DataError, match="`size` must be above 0"):
        rows_needed(1.0, 0.0)
