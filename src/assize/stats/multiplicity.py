"""P-values of several tests, adjusted for their number."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from assize.errors import DataError
from assize.stats.arrays import FloatArray, numbers


def holm(p_values: ArrayLike) -> FloatArray:
    """P-values adjusted so that the chance of any false rejection stays below the level.

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
