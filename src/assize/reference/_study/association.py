"""How a metric goes together with ratings: the figure that fits its scale, and two for all.

| the metric's values | every rating a row | one value an item |
|---|---|---|
| numbers | Pearson with the rating | Pearson with the mean rating |
| answers in order | Cramer's V with the rating | Cramer's V with the mode |
| yes and no | point-biserial with the rating | point-biserial with the mean rating |

Point-biserial against ratings of two values is phi, and called so. V is uncorrected, as it
is usually meant; it cannot be negative, has no direction, and rises with few rows.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Literal

import numpy as np

from assize import stats
from assize.reference._ratings import RatingRows, Ratings, Unit
from assize.reference._study.data import Column as Metric
from assize.reference._study.data import DataSet, Names
from assize.results import Column, Hidden
from assize.stats import Estimate
from assize.stats._arrays import FloatArray, IntArray

Statistic = Literal["pearson", "cramers_v", "point_biserial", "phi"]
SHORT: Mapping[str, str] = {
    "pearson": "r",
    "cramers_v": "V",
    "point_biserial": "pb",
    "phi": "phi",
}


@dataclass(frozen=True, slots=True)
class MetricFigures:
    """Agreement of a metric or an ensemble with people's ratings.

    Args:
        trained_on: data set that an ensemble is fitted on; None for a metric.
        cross_validated: whether that is the data set itself; None for a metric.
        unit: what a row is: every rating by itself, or an item with the mean of its ratings.
        statistic: what `figure` is, by the metric's scale.
        figure: that figure, with an interval clustered by conversation.
        standard_error: of the mean of `folds`: their standard deviation over the square root of
            how many they are; NaN with fewer than two.
        pearson, spearman: the same two for every metric.
        folds: (K,) `figure` on each fold of conversations by itself; NaN where undefined.
    """

    target: str
    data: str | None
    group: str
    metric: str
    trained_on: str | None
    cross_validated: Hidden[bool | None]
    unit: Unit
    statistic: Statistic
    figure: Annotated[Estimate, Column(digits=3)]
    standard_error: Annotated[float, Column("± over folds")]
    pearson: Annotated[Estimate, Column(ends="none")]
    spearman: Annotated[Estimate, Column(ends="none")]
    folds: Sequence[float]


def statistic_of(column: Metric, ratings: Ratings, unit: Unit) -> Statistic:
    """Which figure a metric's scale asks for; means of two-valued ratings take any value."""
    if column.scale == "ordinal":
        return "cramers_v"
    if column.scale == "binary":
        alone = not ratings.several
        return "phi" if ratings.binary and (unit == "ratings" or alone) else "point_biserial"
    return "pearson"


def own_figure(
    column: Metric, rows: RatingRows, statistic: Statistic, conversations: Names
) -> Estimate:
    """The figure of that name of a metric beside some ratings.

    Args:
        conversations: (N,) of the items.
    """
    clusters = conversations[rows.item]
    if statistic == "cramers_v":
        answers = column.classes[rows.item]
        return _explain(stats.cramers_v(answers, rows.label, corrected=False, clusters=clusters))
    values = column.values if statistic == "pearson" else column.classes
    return _explain(stats.pearson(values[rows.item], rows.value, clusters=clusters))


def _explain(found: Estimate) -> Estimate:
    """The estimate with a reason that speaks of metric and ratings."""
    if found.reason is None:
        return found
    reason = found.reason.replace("`x` is", "the metric is").replace("`y` is", "the rating is")
    return replace(found, reason=reason)


def associate(
    column: Metric,
    ratings: Ratings,
    data: DataSet,
    unit: Unit,
    fold: IntArray | None,
    trained_on: str | None = None,
) -> MetricFigures:
    """Return all figures of a metric on a data set.

    Args:
        fold: (N,) fold of each item, all items of a conversation in one; None where there are
            too few conversations for any.
        trained_on: name of the data set that an ensemble is fitted on.
    """
    rows = ratings.rows(unit)
    statistic = statistic_of(column, ratings, unit)
    folds = np.empty(0)
    if fold is not None:
        by_fold = (rows.take(fold[rows.item] == number) for number in np.unique(fold))
        figures = [own_figure(column, some, statistic, data.conversations) for some in by_fold]
        folds = np.array([figure.estimate for figure in figures])
    values, clusters = column.values[rows.item], data.conversations[rows.item]
    return MetricFigures(
        ratings.target,
        data.label,
        column.group,
        column.name,
        trained_on,
        None if trained_on is None else trained_on == data.name,
        unit,
        statistic,
        own_figure(column, rows, statistic, data.conversations),
        over_folds(folds),
        _explain(stats.pearson(values, rows.value, clusters=clusters)),
        _explain(stats.spearman(values, rows.value, clusters=clusters)),
        folds.tolist(),
    )


def over_folds(each: FloatArray) -> float:
    """The standard error of the mean of the folds' figures (K,); NaN with fewer than two."""
    known = each[~np.isnan(each)]
    return float(known.std(ddof=1) / np.sqrt(len(known))) if len(known) > 1 else float("nan")
