"""How a figure changes along a sequence, within whoever has the sequence."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from assize.results.types import Estimate
from assize.stats._arrays import grouped, numbers, same_length
from assize.stats._estimate import missing
from assize.stats._intervals import ratio
from assize.stats._resampling import JACKKNIFE, Interval, estimate, of_sums


def within_slope(
    values: ArrayLike,
    at: ArrayLike,
    *,
    clusters: ArrayLike,
    sequences: ArrayLike | None = None,
    interval: Interval = JACKKNIFE,
) -> Estimate:
    """Return the change of a value for one step along its sequence.

    Least squares with a level of its own for each sequence, so that sequences that differ in level
    or in length do not pass for a change.

    Args:
        values: (N,); NaN is missing.
        at: (N,) the step of each row, such as the turn of a conversation.
        clusters: (N,) labels; whole clusters are the independent units.
        sequences: (N,) the sequence of each row, within one cluster each; None for the clusters.

    Returns:
        NaN where no sequence has values at two different steps.

    >>> within_slope([1.0, 2.0, 7.0, 9.0], [0, 1, 0, 1], clusters=["a", "a", "b", "b"]).estimate
    1.5
    """
    y, x = numbers(values, "values"), numbers(at, "at")
    same_length(values=y, at=x, clusters=np.asarray(clusters))
    keep = ~np.isnan(y) & ~np.isnan(x)
    unscored = int((~keep).sum())
    if not keep.any():
        return missing("slope", 1, "no values", unscored=unscored)
    groups = grouped(clusters, keep)
    lines = groups if sequences is None else grouped(sequences, keep, "sequences")
    codes = np.arange(int(keep.sum())) if lines.codes is None else lines.codes
    counts = np.bincount(codes)
    dx, dy = (one - (np.bincount(codes, one) / counts)[codes] for one in (x[keep], y[keep]))
    statistic = of_sums(
        np.stack([dx * dy, dx * dx], axis=1), lambda s: ratio(s[..., 0], s[..., 1]), groups
    )
    why = "no sequence has values at two different steps"
    return estimate("slope", statistic, n=len(dx), unscored=unscored, interval=interval, reason=why)
