"""Intervals around a prediction that hold what people say as often as they promise.

Every rated item is predicted by a fit that has not seen its conversation; the interval's half
width is the quantile of the errors that were made, of rank ceil((n + 1) * confidence) of n
(cross-conformal prediction, Vovk 2015; split conformal where there is one fold). It promises to
hold the raters' mean for that share of new continuations of new conversations like those rated:
over all, not for each one. Errors are larger where raters disagree, which no new item tells; so
where several raters answered, items are parted by the disagreement that is predicted of them, and
each part has a width of its own (Mondrian conformal prediction).

Departure: errors within a conversation are not independent, while the rank takes them so; the
held-out coverage stands in the artefact.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from assize.stats.arrays import FloatArray, IntArray

LEVELS = ("agreed", "mixed", "disputed")
"""Items by predicted disagreement, from the least: thirds of what was rated."""

FEWEST = 30  # errors in a part, or it has the width of all


@dataclass(frozen=True, slots=True)
class Intervals:
    """Half widths.

    Args:
        confidence: share of the items that is promised.
        width: of all items; infinite where there were too few errors for a quantile.
        edges: predicted disagreements between the levels; () where it is not predicted.
        widths: one a level.
        coverage: share of rated items held, each by the errors on the other folds.
    """

    confidence: float
    width: float
    edges: tuple[float, ...] = ()
    widths: tuple[float, ...] = ()
    coverage: float = float("nan")

    def level(self, spread: FloatArray) -> IntArray:
        """(N,) the part that each predicted disagreement is in; -1 where there is none."""
        if not self.edges:
            return np.full(len(spread), -1)
        found = np.searchsorted(np.array(self.edges), np.nan_to_num(spread), side="right")
        return np.where(np.isnan(spread), -1, found)

    def half(self, spread: FloatArray) -> FloatArray:
        """(N,) half of each interval."""
        level = self.level(spread)
        widths = np.array([*self.widths, self.width])
        return np.asarray(widths[level])


def intervals_of(
    errors: FloatArray, confidence: float, fold: IntArray, spread: FloatArray | None = None
) -> Intervals:
    """The widths that held-out errors tell.

    Args:
        errors: (N,) absolute, of held-out items.
        fold: (N,) who was held out together.
        spread: (N,) predicted disagreement, held out too; None where there is none.
    """
    edges: tuple[float, ...] = ()
    if spread is not None and not np.isnan(spread).any() and np.ptp(spread) > 0:
        edges = tuple(np.quantile(spread, [1 / 3, 2 / 3]).tolist())
    drawn = np.full(len(errors), np.nan) if spread is None else spread
    made = _made(errors, confidence, edges, drawn)
    held = np.zeros(len(errors), dtype=bool)
    for one in np.unique(fold):
        own = fold == one
        others = _made(errors[~own], confidence, edges, drawn[~own])
        held[own] = errors[own] <= others.half(drawn[own])
    return Intervals(confidence, made.width, made.edges, made.widths, float(held.mean()))


def _made(
    errors: FloatArray, confidence: float, edges: tuple[float, ...], spread: FloatArray
) -> Intervals:
    whole = quantile(errors, confidence)
    if not edges:
        return Intervals(confidence, whole)
    level = Intervals(confidence, whole, edges).level(spread)
    own = [errors[level == at] for at in range(len(LEVELS))]
    widths = [whole if len(one) < FEWEST else quantile(one, confidence) for one in own]
    return Intervals(confidence, whole, edges, tuple(widths))


def quantile(errors: FloatArray, confidence: float) -> float:
    """The error of rank ceil((n + 1) * confidence); infinite where that is above n.

    >>> quantile(np.array([4.0, 1.0, 3.0, 2.0]), 0.6), quantile(np.array([1.0]), 0.9)
    (3.0, inf)
    """
    rank = int(np.ceil(round((len(errors) + 1) * confidence, 9)))
    return float(np.sort(errors)[rank - 1]) if rank <= len(errors) else float("inf")
