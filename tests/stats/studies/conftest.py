"""Methods whose every prediction can be told beforehand."""

from __future__ import annotations

import numpy as np
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


# 200 rows about 100 items: the truth, the second column, is 2 + 3 x with noise of deviation 0.5
_RNG = np.random.default_rng(0)
_X = _RNG.normal(size=200)
DATA = np.column_stack([_X, 2 + 3 * _X + _RNG.normal(0, 0.5, 200)])
ITEMS = np.arange(200) // 2
