"""P-values of several tests, adjusted for their number."""

from __future__ import annotations

from collections.abc import Callable

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
    return _adjusted(p_values, lambda p: np.maximum.accumulate(p * np.arange(len(p), 0, -1)))


def benjamini_hochberg(p_values: ArrayLike) -> FloatArray:
    """P-values adjusted so that the expected share of false rejections stays below the level.

    Arguments and missing values as in `holm`. Holds for independent and for positively
    dependent tests.

    Source: Benjamini and Hochberg (1995). Differs: none.

    >>> benjamini_hochberg([0.01, 0.04, 0.03]).tolist()
    [0.03, 0.04, 0.04]
    """

    def stepped(p: FloatArray) -> FloatArray:
        scaled = p * len(p) / np.arange(1, len(p) + 1)
        return np.asarray(np.minimum.accumulate(scaled[::-1])[::-1])

    return _adjusted(p_values, stepped)


def _adjusted(p_values: ArrayLike, stepped: Callable[[FloatArray], FloatArray]) -> FloatArray:
    p = numbers(p_values, "p_values")
    if ((p < 0) | (p > 1)).any():
        raise DataError("`p_values` must lie in [0, 1]")
    made = np.flatnonzero(~np.isnan(p))
    order = made[np.argsort(p[made], kind="stable")]
    adjusted = np.full(len(p), np.nan)
    adjusted[order] = np.minimum(1, stepped(p[order]))
    return adjusted
