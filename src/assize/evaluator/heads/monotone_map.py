"""The fixed monotone map from a head's raw number to a score in [0, 1]."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from assize.errors import DataError
from assize.evaluator.features.surface import FloatArray

KNOTS = 101
_EDGE = 0.01  # the share of the training data beyond the first and beyond the last knot


@dataclass(frozen=True, slots=True, eq=False)
class MonotoneMap:
    """Strictly increasing: linear between knots, approaching 0 and 1 beyond them.

    The score is the share of the training data that is predicted worse, each corpus
    counted alike. Beyond the last knot what is left to 1 (to 0 below the first) halves
    with every tenth of the knots' span, so that different numbers keep different scores.

    Raises:
        DataError: the knots or levels are not as described.
    """

    knots: FloatArray  # raw numbers, (K,), strictly increasing
    levels: FloatArray  # the scores there, (K,), strictly increasing inside (0, 1)

    def __post_init__(self) -> None:
        if len(self.knots) < 2 or len(self.knots) != len(self.levels):
            raise DataError("a score map needs two knots or more, and as many levels")
        if not all(np.all(np.diff(part) > 0) for part in (self.knots, self.levels)):
            raise DataError("the knots and the levels of a score map must rise")
        if not 0 < self.levels[0] < self.levels[-1] < 1:
            raise DataError("the levels of a score map must lie between 0 and 1")

    def __call__(self, raw: ArrayLike) -> FloatArray:
        """Scores of raw numbers (N,).

        >>> MonotoneMap(np.array([0.0, 1.0]), np.array([0.25, 0.75]))([0.5, 1.1]).round(6).tolist()
        [0.5, 0.875]
        """
        values = np.asarray(raw, dtype=np.float64)
        first, last = self.knots[0], self.knots[-1]
        inside = np.interp(values, self.knots, self.levels)
        step = (last - first) / 10
        below = np.exp2(np.minimum(values - first, 0) / step)
        above = np.exp2(np.minimum(last - values, 0) / step)
        return np.asarray(1 - (1 - inside * below) * above)


def fit_map(raw: ArrayLike, weights: ArrayLike) -> MonotoneMap:
    """The map that sends raw numbers (N,) to their weighted rank among `raw`."""
    values, shares = np.asarray(raw, np.float64), np.asarray(weights, np.float64)
    order = np.argsort(values, kind="stable")
    ranks = (np.cumsum(shares[order]) - shares[order] / 2) / shares.sum()
    levels = np.linspace(_EDGE, 1 - _EDGE, KNOTS)
    knots = np.interp(levels, ranks, values[order])
    apart = np.diff(knots) > 1e-9 * float(np.ptp(values))
    keep = np.concatenate([[True], apart])
    if keep.sum() < 2:
        raise DataError("a score map needs at least two different predictions to learn from")
    return MonotoneMap(knots[keep], levels[keep])
