"""P-values of several tests, adjusted for their number."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from assize.base.errors import DataError
from assize.results.numbers import LeastP
from assize.stats._arrays import FloatArray, numbers


def holm(p_values: ArrayLike) -> FloatArray:
    """Adjust p-values so that the chance of any false rejection stays below the level.

    Args:
        p_values: (N,) in [0, 1]; NaN marks a test that could not be made: it stays NaN and
            does not count among the tests.

    Source: Holm (1979). Differs: none.

    >>> holm([0.01, 0.04, 0.03]).tolist()
    [0.03, 0.06, 0.06]
    """
    p = numbers(p_values, "p_values")
    if ((p < 0) | (p > 1)).any():
        raise DataError("`p_values` must lie in [0, 1]")
    made = np.flatnonzero(~np.isnan(p))
    order = made[np.argsort(p[made], kind="stable")]
    stepped = np.maximum.accumulate(p[order] * np.arange(len(order), 0, -1))
    adjusted = np.full(len(p), np.nan)
    adjusted[order] = np.minimum(1, stepped)
    return adjusted


def adjust(p_values: Sequence[float]) -> list[float]:
    """Return Holm's adjusted p-values; one that comes from a `LeastP` is a `LeastP` again.

    >>> adjust([LeastP(0.01), 0.04]) == [0.02, 0.04]
    True
    """
    adjusted = holm(p_values).tolist() if p_values else []
    highest = 0.0
    bounded = False
    for index in sorted(range(len(adjusted)), key=lambda index: p_values[index]):
        if adjusted[index] > highest:
            highest, bounded = adjusted[index], isinstance(p_values[index], LeastP)
        if bounded and highest < 1:
            adjusted[index] = LeastP(adjusted[index])
    return adjusted
