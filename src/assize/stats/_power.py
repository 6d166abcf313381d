"""How many rows a difference of some size needs, and the least difference that rows can show."""

from __future__ import annotations

import math
from collections.abc import Callable

from scipy.special import stdtrit

from assize.base.errors import DataError

_MOST = 2**50


def rows_needed(
    deviation: float, size: float, *, sides: int = 1, power: float = 0.8, level: float = 0.05
) -> int:
    """Return how many rows a two-sided test of means needs to find a difference of this size.

    Args:
        deviation: standard deviation of a row's difference; of two samples the square root of
            the sum of both variances.
        size: the difference to be found, in the values' unit; above 0.
        sides: 1 for pairs, 2 for two samples of the same size.
        power: chance of finding it, in (0.5, 1).
        level: of the test.

    Returns:
        Pairs, or rows on each side; -1 where they are past counting.

    Source: Student's quantiles at the level and at the power added up, the usual approximation
    (Guenther, 1981); within a row or two of the noncentral t from 8 rows on.

    >>> rows_needed(1.0, 0.5), rows_needed(2**0.5, 0.5, sides=2)
    (34, 64)
    """
    if not size > 0:
        raise DataError(f"`size` must be above 0; it is {size}")
    if math.isnan(deviation):
        return -1
    if deviation == 0:
        return 2
    return least_count(lambda rows: _least(deviation, rows, sides, power, level) <= size, 2)


def least_count(enough: Callable[[int], bool], start: int) -> int:
    """Return the least number from `start` on that is enough; -1 where it is past counting."""
    low, high = start - 1, start
    while not enough(high):
        low, high = high, 2 * high
        if high > _MOST:
            return -1
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high


def _least(deviation: float, rows: int, sides: int, power: float, level: float) -> float:
    freedom = sides * (rows - 1)
    return detectable(deviation / math.sqrt(rows), freedom, power=power, level=level)


def detectable(error: float, freedom: float, *, power: float = 0.8, level: float = 0.05) -> float:
    """Return the least difference that a test with this standard error finds with that power.

    Args:
        error: standard error of the difference.
        freedom: degrees of freedom of Student's t, above 0.
        power, level: as in `rows_needed`.

    >>> round(detectable(0.1, 1e9), 3)
    0.28
    """
    both = stdtrit(freedom, 1 - level / 2) + stdtrit(freedom, power)
    return float(both) * error
