"""How often a value of one sample is above one of another."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import stdtrit

from assize.base.signature import sign_text
from assize.results.types import NO_INTERVAL, Estimate
from assize.stats._arrays import FloatArray, numbers
from assize.stats._estimate import describe, missing


@dataclass(frozen=True, slots=True)
class Superiority:
    """Of all pairs of a value of the first sample with one of the second.

    Args:
        above, equal, below: shares in which the first is the higher one, neither, the lower one.
    """

    above: Estimate
    equal: Estimate
    below: Estimate


def superiority(first: ArrayLike, second: ArrayLike, *, confidence: float = 0.95) -> Superiority:
    """Estimate how often a value of `first` is above, equal to or below a value of `second`.

    Args:
        first, second: (N,) and (M,) independent values; NaN is missing.
        confidence: of the intervals, in (0, 1), which end at 0 and 1.

    Returns:
        NaN with a reason where a side has no value, no interval where it has one alone.

    Source: Brunner and Munzel (2000): the variance of placements, and their degrees of freedom.
    Differs: `equal` and `below` are shares of their own, and not halves of ties.

    >>> found = superiority([2.0, 3.0, 3.0], [1.0, 3.0])
    >>> round(found.above.estimate, 3), round(found.equal.estimate, 3)
    (0.5, 0.333)
    """
    one, two = numbers(first, "first"), numbers(second, "second")
    unscored = int(np.isnan(one).sum() + np.isnan(two).sum())
    one, two = np.sort(one[~np.isnan(one)]), np.sort(two[~np.isnan(two)])
    if not len(one) or not len(two):
        none = missing("superiority", 1, "no values on one side", unscored=unscored)
        return Superiority(none, none, none)
    left, right = _placed(one, two), _placed(two, one)
    shares = [
        _share(left[at], right[2 - at], confidence, unscored) for at in range(3)
    ]  # what is above from the one side is below from the other
    return Superiority(*shares)


def _placed(values: FloatArray, others: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Of each value the share of the others (sorted) that it is above, equal to, below."""
    low = np.searchsorted(others, values, "left") / len(others)
    high = np.searchsorted(others, values, "right") / len(others)
    return low, high - low, 1 - high


def _share(left: FloatArray, right: FloatArray, confidence: float, unscored: int) -> Estimate:
    n = len(left) + len(right)
    value = float(left.mean())
    method = describe("superiority", 1, f"{confidence:.4g}", f"{len(left)}:{len(right)}")
    ends, reason = NO_INTERVAL, "an interval needs at least 2 values on each side"
    if min(len(left), len(right)) > 1:
        parts = [float(one.var(ddof=1)) / len(one) for one in (left, right)]
        total = sum(parts)
        reason = "no variation to estimate an interval from"
        if total > 1e-15:
            below = sum(v**2 / (len(one) - 1) for v, one in zip(parts, (left, right), strict=True))
            reach = float(stdtrit(total**2 / below, (1 + confidence) / 2)) * math.sqrt(total)
            ends, reason = (max(0.0, value - reach), min(1.0, value + reach)), ""
    return Estimate(value, ends, n, unscored, reason or None, sign_text(method), method, n)
