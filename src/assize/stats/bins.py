"""How many items reach perfect agreement, a majority, a plurality."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from assize.stats.arrays import IntArray, numbers
from assize.stats.estimate import Estimate
from assize.stats.intervals import share


@dataclass(frozen=True, slots=True)
class AgreementBins:
    """Shares of the items in which raters agree this far.

    Args:
        perfect: all ratings are the same.
        majority: more than half of them are.
        plurality: one answer is given more often than any other.
        none: no answer is (a tie for the most frequent, or all differ).
        exclusive: whether an item counts only in the first of these bins that it reaches;
            when False, `majority` includes `perfect`, and `plurality` both.
        reached: (N,) bin of each item: 3 perfect, 2 majority, 1 plurality, 0 none, -1
            unscored (fewer than two ratings).
    """

    perfect: Estimate
    majority: Estimate
    plurality: Estimate
    none: Estimate
    exclusive: bool
    reached: IntArray


def agreement_bins(
    ratings: ArrayLike,
    *,
    exclusive: bool = True,
    clusters: ArrayLike | None = None,
    confidence: float = 0.95,
) -> AgreementBins:
    """How many items reach perfect agreement, a majority, a plurality.

    Args:
        ratings: (raters R, items N); NaN marks a missing rating.
        exclusive: see `AgreementBins`.
        clusters: (N,) labels of items that are not independent.

    Source: UPHELD, table 5 (exclusive) and table 12 (nested). Differs: bins are fractions
    of the ratings present, so any number of raters works.
    """
    matrix = numbers(ratings, "ratings", dimensions=2)
    counts = np.zeros((matrix.shape[1], 2))  # of the most frequent answers, and the next
    ordered = np.sort(matrix, axis=0)  # NaN last
    m = (~np.isnan(matrix)).sum(axis=0)
    run = np.zeros(matrix.shape[1])
    for rater in range(matrix.shape[0]):
        run = np.where(ordered[rater] == ordered[max(0, rater - 1)], run + 1, 1.0)
        ends = (ordered[min(rater + 1, len(ordered) - 1)] != ordered[rater]) | (
            rater == len(ordered) - 1
        )
        longer = np.where(ends & ~np.isnan(ordered[rater]), run, 0)
        counts = np.sort(np.column_stack([counts, longer]), axis=1)[:, 1:]
    next_one, top = counts.T
    level = (top > next_one).astype(np.int64)
    level = np.where(top > m / 2, 2, level)
    level = np.where(top == m, 3, level)
    reached = np.where(m >= 2, level, -1)

    def of(lowest: int) -> Estimate:
        hit = reached == lowest if exclusive or lowest == 0 else reached >= lowest
        values = np.where(reached < 0, np.nan, hit)
        return share(values, clusters=clusters, confidence=confidence)

    return AgreementBins(of(3), of(2), of(1), of(0), exclusive, reached)
