"""Methods whose every prediction can be told beforehand."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Told:
    """What was learnt: a level and a slope of the first column."""

    level: float
    slope: float

    def predict(self, data: Floats, rows: NDArray[np.int64]) -> Floats:
        return self.level + self.slope * data[rows, 0]


class Mean:
    """The mean of what is fitted on; the second column is the truth."""

    def fit(self, data: Floats, rows: NDArray[np.int64], seed: int) -> Told:
        return Told(float(data[rows, 1].mean()), 0.0)


class Line:
    """Least squares on the first column."""

    def fit(self, data: Floats, rows: NDArray[np.int64], seed: int) -> Told:
        slope, level = np.polyfit(*data[rows].T, 1)
        return Told(float(level), float(slope))


class Seed:
    """Its seed, whatever the data say."""

    def fit(self, data: Floats, rows: NDArray[np.int64], seed: int) -> Told:
        return Told(float(seed), 0.0)


@pytest.fixture
def line() -> Any:
    """200 rows about 100 items: the truth is 2 + 3 x with noise of deviation 0.5."""
    rng = np.random.default_rng(0)
    x = rng.normal(size=200)
    return np.column_stack([x, 2 + 3 * x + rng.normal(0, 0.5, 200)]), np.arange(200) // 2
