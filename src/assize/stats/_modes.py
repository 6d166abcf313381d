"""The answer most raters gave, and how often a single rater gives it."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from assize.results.types import Estimate
from assize.stats._arrays import FloatArray, numbers
from assize.stats._estimate import missing
from assize.stats._intervals import mean


def modes(ratings: ArrayLike) -> FloatArray:
    """Return the most frequent rating of each item.

    Args:
        ratings: (raters R, items N); NaN marks a missing rating.

    Returns:
        (N,); NaN for an item with several most frequent ratings, or fewer than two ratings.

    >>> modes([[1, 1, 5], [1, 2, 5], [3, 3, 1]]).tolist()
    [1.0, nan, 5.0]
    """
    matrix = numbers(ratings, "ratings", dimensions=2)
    found = np.full(matrix.shape[1], np.nan)
    present = ~np.isnan(matrix)
    values = np.unique(matrix[present])
    if not len(values):
        return found
    counts = np.stack([(matrix == value).sum(axis=0) for value in values])  # (K, N)
    top = counts.max(axis=0)
    clear = ((counts == top).sum(axis=0) == 1) & (present.sum(axis=0) >= 2)
    found[clear] = values[counts.argmax(axis=0)[clear]]
    return found


def at_mode(ratings: ArrayLike, *, clusters: ArrayLike | None = None) -> Estimate:
    """Return the share of an item's ratings that equal its mode, averaged over items.

    A rating counts towards the mode that it is compared with: of five ratings with a mode of two
    the share is 0.4, and cannot be less.

    Args:
        ratings: (raters R, items N); NaN marks a missing rating. Items without a mode count as
            unscored.
        clusters: (N,) labels of items that are not independent, or None.

    Returns:
        In (0, 1], with a jackknife interval over items or clusters.

    >>> at_mode([[1, 1], [1, 2], [3, 2]]).estimate
    0.6666666666666666
    """
    matrix, mode = numbers(ratings, "ratings", dimensions=2), modes(ratings)
    with np.errstate(invalid="ignore"):
        hits = (matrix == mode).sum(axis=0) / (~np.isnan(matrix)).sum(axis=0)
    return mean(np.where(np.isnan(mode), np.nan, hits), clusters=clusters)


def against_others(ratings: ArrayLike, *, clusters: ArrayLike | None = None) -> Estimate:
    """Return how often a rating equals the mode of the other raters, averaged over items.

    Comparable with a judge's accuracy: neither is part of what it is compared with. A rating whose
    others have no mode is left out, and so is an item without any such rating.

    Args:
        ratings, clusters: as in `at_mode`; items need three ratings, so that two are left.

    >>> against_others([[1, 1], [1, 2], [1, 2]]).estimate
    0.5
    """
    matrix = numbers(ratings, "ratings", dimensions=2)
    if len(matrix) < 3:
        reason = f"needs three raters; there are {len(matrix)}"
        return missing("against_others", 1, reason, unscored=matrix.shape[1])
    each = np.full(matrix.shape, np.nan)
    for rater in range(len(matrix)):
        others = modes(np.delete(matrix, rater, axis=0))
        known = ~(np.isnan(others) | np.isnan(matrix[rater]))
        each[rater, known] = matrix[rater, known] == others[known]
    counted = (~np.isnan(each)).sum(axis=0)
    with np.errstate(invalid="ignore"):
        shares = np.nansum(each, axis=0) / counted
    return mean(np.where(counted > 0, shares, np.nan), clusters=clusters)
