"""Intervals around a prediction that hold what people say as often as they promise.

Every rated item is predicted by a fit that has not seen its conversation; the interval's half
width is the quantile of the errors that were made, of rank ceil((n + 1) * confidence) of n
(cross-conformal prediction, Vovk 2015; split conformal where there is one fold). It promises to
hold the raters' mean for that share of new continuations of new conversations like those rated:
over all, not for each one.

Departure: errors within a conversation are not independent, while the rank takes them so; the
held-out coverage stands in the artefact.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from assize.base.record_parts import FIGURES
from assize.stats._arrays import FloatArray, IntArray


@dataclass(frozen=True, slots=True)
class Intervals:
    """One half width for all items.

    Args:
        confidence: share of the items that is promised.
        width: half of an interval; infinite where there were too few errors for a quantile.
        coverage: share of rated items held, each by the errors on the other folds.
    """

    confidence: float
    width: Annotated[float, FIGURES]
    coverage: Annotated[float, FIGURES] = float("nan")


def intervals_of(errors: FloatArray, confidence: float, fold: IntArray) -> Intervals:
    """The width that held-out errors tell.

    Args:
        errors: (N,) absolute, of held-out items.
        fold: (N,) who was held out together.
    """
    held = np.zeros(len(errors), dtype=bool)
    for one in np.unique(fold):
        own = fold == one
        held[own] = errors[own] <= quantile(errors[~own], confidence)
    return Intervals(confidence, quantile(errors, confidence), float(held.mean()))


def quantile(errors: FloatArray, confidence: float) -> float:
    """The error of rank ceil((n + 1) * confidence); infinite where that is above n.

    >>> quantile(np.array([4.0, 1.0, 3.0, 2.0]), 0.6), quantile(np.array([1.0]), 0.9)
    (3.0, inf)
    """
    rank = int(np.ceil(round((len(errors) + 1) * confidence, 9)))
    return float(np.sort(errors)[rank - 1]) if rank <= len(errors) else float("inf")
