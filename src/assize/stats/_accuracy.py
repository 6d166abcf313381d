"""How often what is said is right: over all rows, and over each class alike."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from assize.base.errors import DataError
from assize.results.types import Estimate
from assize.stats._arrays import FloatArray, complete_rows, numbers, same_length
from assize.stats._estimate import missing
from assize.stats._intervals import ratio, share
from assize.stats._resampling import FROM_0_TO_1, JACKKNIFE, Interval, estimate, of_sums


def accuracy(
    said: ArrayLike, gold: ArrayLike, *, clusters: ArrayLike | None = None, confidence: float = 0.95
) -> Estimate:
    """Return the share of rows where `said` equals `gold`, with Wilson's interval.

    Args:
        said, gold: (N,) numbers, for example codes of answers; NaN is missing, and a row with a
            missing value is unscored.
        clusters: (N,) labels of rows that are not independent, or None.
        confidence: of the interval, in (0, 1).

    Returns:
        In [0, 1]; NaN with a reason if no row has both values.

    >>> accuracy([1, 2, 3, 3], [1, 2, 2, float("nan")]).estimate
    0.6666666666666666
    """
    one, two = numbers(said, "said"), numbers(gold, "gold")
    same_length(said=one, gold=two)
    right = np.where(np.isnan(one) | np.isnan(two), np.nan, one == two)
    return share(right, clusters=clusters, confidence=confidence)


def balanced_accuracy(
    said: ArrayLike,
    gold: ArrayLike,
    *,
    clusters: ArrayLike | None = None,
    interval: Interval = JACKKNIFE,
) -> Estimate:
    """Return the mean recall over the classes of `gold`.

    A judge that gives the same answer to every row gets 1 / classes, however rare the others are.

    Args:
        said, gold, clusters: as in `accuracy`.
        interval: as in `pearson`.

    Returns:
        In [0, 1]; NaN with a reason where `gold` holds a single class.

    Source: Brodersen et al. (2010), the mean of sensitivity and specificity; for more than two
    classes the mean of all recalls. Differs: none.

    >>> balanced_accuracy([1, 1, 1, 1], [1, 1, 1, 0]).estimate
    0.5
    """
    rows = complete_rows(clusters, said=said, gold=gold)
    answers, truth = rows.columns
    n, unscored = rows.n, rows.unscored
    if n == 0:
        return missing("balanced_accuracy", 1, "no rows with both values", unscored=unscored)
    classes, codes = np.unique(truth, return_inverse=True)
    if len(classes) == 1:
        reason = "`gold` holds a single class"
        return missing("balanced_accuracy", 1, reason, n=n, unscored=unscored)
    if len(classes) > _MOST_CLASSES:
        raise DataError(f"`gold` holds {len(classes)} classes; at most {_MOST_CLASSES} are taken")
    of_class = np.eye(len(classes))[codes]
    columns = np.hstack([of_class, of_class * (answers == truth)[:, None]])

    def function(sums: FloatArray) -> FloatArray:
        recalls = ratio(sums[..., len(classes) :], sums[..., : len(classes)])
        return np.asarray(recalls.mean(axis=-1))

    statistic = of_sums(columns, function, rows.clusters)
    return estimate(
        "balanced_accuracy",
        statistic,
        n=n,
        unscored=unscored,
        interval=interval,
        scale=FROM_0_TO_1,
    )


_MOST_CLASSES = 1_000  # a table of answers has few; more are numbers, and want another measure
