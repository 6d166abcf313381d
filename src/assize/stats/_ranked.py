"""How well a score finds the items of one of two classes: AUC and average precision."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike

from assize.base.errors import DataError
from assize.results.types import Estimate
from assize.stats._arrays import Clusters, FloatArray, complete_rows
from assize.stats._estimate import missing
from assize.stats._intervals import ratio
from assize.stats._resampling import JACKKNIFE, LOGIT, Interval, estimate, of_rows

_MOST = 2_000  # clusters that are left out one by one; of more, groups of them
_CELLS, _LEAST = 20_000_000, 50  # rows x groups that are looked at, and the fewest groups
_Statistic = Callable[[FloatArray, FloatArray], FloatArray]


def auc(
    score: ArrayLike,
    label: ArrayLike,
    *,
    clusters: ArrayLike | None = None,
    interval: Interval = JACKKNIFE,
) -> Estimate:
    """Return the area under the ROC curve: how often class 1 scores above class 0, ties as half.

    Args:
        score: (N,), higher for class 1; NaN is missing, such rows count as unscored.
        label: (N,) 0, 1 or NaN.
        clusters: (N,) labels of rows that are not independent, or None.
        interval: how it is made; the jackknife works on the logit. Of more than 2,000 clusters it
            leaves out groups of them.

    Returns:
        In [0, 1]: 1 tells all apart, 0.5 is chance. NaN with a reason where a class has no row.

    Raises:
        DataError: a label is another number, or lengths differ.

    Source: Hanley and McNeil (1982): the Mann-Whitney statistic. Differs: none.

    >>> auc([1, 2, 3, 4], [0, 1, 0, 1]).estimate
    0.75
    """
    return _ranked("auc", score, label, _auc_of_groups, clusters, interval)


def average_precision(
    score: ArrayLike,
    label: ArrayLike,
    *,
    clusters: ArrayLike | None = None,
    interval: Interval = JACKKNIFE,
) -> Estimate:
    """Return the average precision: the area below the curve of precision against recall.

    Arguments, missing rows and errors are those of `auc`. Chance is the share of class 1, given in
    `details["chance"]`. Equal scores are one threshold.

    Source: as scikit-learn's `average_precision_score`, a sum of steps without interpolation.

    >>> round(average_precision([1, 2, 3, 4], [0, 1, 0, 1]).estimate, 6)
    0.833333
    """
    return _ranked("average_precision", score, label, _precision_of_groups, clusters, interval)


def _ranked(
    name: str,
    score: ArrayLike,
    label: ArrayLike,
    function: _Statistic,
    clusters: ArrayLike | None,
    interval: Interval,
) -> Estimate:
    rows = complete_rows(clusters, score=score, label=label)
    scores, labels = rows.columns
    if not np.isin(labels, (0, 1)).all():
        raise DataError("`label` must be 0, 1 or NaN")
    ones, n = int(labels.sum()), rows.n
    if ones in (0, n):
        reason = f"needs rows of both classes; {ones} of {n} are of class 1"
        return missing(name, 1, reason, n=n, unscored=rows.unscored)
    statistic = of_rows(_weighted(scores, labels, function), _few(rows.clusters, n), n)
    figure = estimate(name, statistic, n=n, unscored=rows.unscored, interval=interval, scale=LOGIT)
    return replace(figure, details={"chance": 0.5 if name == "auc" else ones / n})


def _few(groups: Clusters, n: int) -> Clusters:
    """The clusters, of many neighbouring ones together: a jackknife of groups."""
    most = min(_MOST, max(_LEAST, _CELLS // n))
    if groups.count <= most:
        return groups
    codes = np.arange(n) if groups.codes is None else groups.codes
    return Clusters(codes * most // groups.count, most)


def _weighted(
    score: FloatArray, label: FloatArray, function: _Statistic
) -> Callable[[FloatArray], FloatArray]:
    """The statistic of rows by their weights (B, N) -> (B,); rows of one score are a group."""
    order = np.argsort(-score, kind="stable")
    starts = np.flatnonzero(np.r_[True, np.diff(score[order]) != 0])
    positive = label[order]

    def at(weights: FloatArray) -> FloatArray:
        sorted_ = weights[:, order]
        ones = np.add.reduceat(sorted_ * positive, starts, axis=1)
        zeros = np.add.reduceat(sorted_ * (1 - positive), starts, axis=1)
        return function(ones, zeros)

    return at


def _auc_of_groups(ones: FloatArray, zeros: FloatArray) -> FloatArray:
    """From the weight of each class in groups (B, V), the highest score first."""
    total = zeros.sum(axis=1, keepdims=True)
    below = total - np.cumsum(zeros, axis=1)
    won = (ones * (below + zeros / 2)).sum(axis=1)
    return np.round(ratio(won, ones.sum(axis=1) * total[:, 0]), 12)


def _precision_of_groups(ones: FloatArray, zeros: FloatArray) -> FloatArray:
    found = np.cumsum(ones, axis=1)
    precision = ratio(found, found + np.cumsum(zeros, axis=1))
    terms = np.where(ones > 0, ones * precision, 0.0)
    value = ratio(terms.sum(axis=1), ones.sum(axis=1))
    both = (ones.sum(axis=1) > 0) & (zeros.sum(axis=1) > 0)
    return np.asarray(np.round(np.where(both, value, np.nan), 12), dtype=np.float64)
