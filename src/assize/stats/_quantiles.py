"""A quantile with an interval that assumes nothing of the distribution."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import bdtr

from assize.base.errors import DataError
from assize.base.signature import sign_text
from assize.results.types import NO_INTERVAL, Estimate
from assize.stats._arrays import numbers
from assize.stats._estimate import describe, missing


def quantile(values: ArrayLike, share: float, *, confidence: float = 0.95) -> Estimate:
    """Return the value below which a share of the values lies, with its exact interval.

    Args:
        values: (N,) independent; NaN is missing.
        share: in (0, 1); 0.5 is the median.
        confidence: at least this; ends are values that were seen.

    Returns:
        No interval, with a reason, where there are too few values for one.

    Source: order statistics and the binomial distribution, as in Hahn and Meeker (1991), 5.2.

    >>> quantile([1, 2, 3, 4, 5, 6, 7, 8, 9], 0.5).interval
    (2.0, 8.0)
    """
    if not 0 < share < 1:
        raise DataError(f"`share` must lie between 0 and 1; it is {share}")
    if not 0 < confidence < 1:
        raise DataError(f"`confidence` must lie between 0 and 1; it is {confidence}")
    array = numbers(values, "values")
    known = np.sort(array[~np.isnan(array)])
    n, unscored = len(known), len(array) - len(known)
    if n == 0:
        return missing("quantile", 1, "no values", unscored=unscored)
    below = np.array([bdtr(k, n, share) for k in range(n)])  # at most k values below it
    tail = (1 - confidence) / 2
    low = int(np.sum(below <= tail))  # the low-th smallest value, from 1
    high = int(np.sum(below < 1 - tail)) + 1
    method = describe("quantile", 1, f"{share:g}", f"{confidence:.4g}")
    ends, reason = NO_INTERVAL, f"{n} values are too few for an interval"
    if low >= 1 and high <= n:
        ends, reason = (float(known[low - 1]), float(known[high - 1])), ""
    return Estimate(
        float(np.quantile(known, share)),
        ends,
        n,
        unscored,
        reason or None,
        sign_text(method),
        method,
        n,
    )
