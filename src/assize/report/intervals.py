"""The two intervals that the page for scores shows."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

NAN = math.nan


@dataclass(frozen=True, slots=True)
class Interval:
    """A value with both ends of its 95% interval; NaN where there is too little data."""

    value: float
    low: float = NAN
    high: float = NAN


def mean(values: Sequence[float]) -> Interval:
    """The mean with Student's interval; no interval from fewer than two values.

    >>> mean([0.4, 0.6]).value
    0.5
    """
    import numpy as np
    from scipy.special import stdtrit

    n = len(values)
    if n == 0:
        return Interval(NAN)
    array = np.asarray(values, dtype=float)
    middle = float(array.mean())
    if n == 1:
        return Interval(middle)
    half = float(stdtrit(n - 1, 0.975)) * float(array.std(ddof=1)) / math.sqrt(n)
    return Interval(middle, middle - half, middle + half)


def share(count: int, n: int) -> Interval:
    """A share of `n` with Wilson's interval.

    Source: Wilson (1927). Differs: none.

    >>> round(share(5, 10).low, 4)
    0.2366
    """
    if n == 0:
        return Interval(NAN)
    z = 1.959963984540054
    part = count / n
    scale = 1 + z * z / n
    middle = (part + z * z / (2 * n)) / scale
    half = z * math.sqrt(part * (1 - part) / n + z * z / (4 * n * n)) / scale
    return Interval(part, max(0.0, middle - half), min(1.0, middle + half))
