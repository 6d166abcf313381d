"""Methods whose every prediction can be told beforehand."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from assize.stats._studies import Predict

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


def told(level: float, slope: float) -> Predict[Floats]:
    """A line in the first column."""
    return lambda data, rows: np.asarray(level + slope * data[rows, 0])


def mean(data: Floats, rows: Ints, seed: int) -> Predict[Floats]:
    """The mean of what is fitted on; the second column is the truth."""
    return told(float(data[rows, 1].mean()), 0.0)


def least_squares(data: Floats, rows: Ints, seed: int) -> Predict[Floats]:
    """Least squares on the first column."""
    slope, level = np.polyfit(data[rows, 0], data[rows, 1], 1).tolist()
    return told(level, slope)


def own_seed(data: Floats, rows: Ints, seed: int) -> Predict[Floats]:
    """Its seed, whatever the data say."""
    return told(float(seed), 0.0)


@pytest.fixture
def line() -> Any:
    """200 rows about 100 items: the truth is 2 + 3 x with noise of deviation 0.5."""
    rng = np.random.default_rng(0)
    x = rng.normal(size=200)
    return np.column_stack([x, 2 + 3 * x + rng.normal(0, 0.5, 200)]), np.arange(200) // 2
