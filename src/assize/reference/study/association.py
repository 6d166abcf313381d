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

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np

from assize import stats
from assize.reference.study.data import Column, DataSet, Mask, Names, Ratings
from assize.stats import Estimate
from assize.stats.arrays import FloatArray, IntArray
from assize.stats.estimate import nullable

Statistic = Literal["pearson", "cramers_v", "point_biserial", "phi"]
Unit = Literal["ratings", "items"]
UNITS: tuple[Unit, ...] = ("ratings", "items")
"""What a row is: every rating by itself, or an item with the mean of its ratings."""

SHORT: Mapping[str, str] = {
    "pearson": "r",
    "cramers_v": "V",
    "point_biserial": "pb",
    "phi": "phi",
}


@dataclass(frozen=True, slots=True, eq=False)
class Aligned:
    """A metric beside ratings, row by row.

    Args:
        metric: (N,) values; NaN where unscored.
        classes: (N,) the same as answers.
        rating: (N,) what it is correlated with.
        label: (N,) the rating as a class: itself, or the item's mode.
        clusters: (N,) conversations.
        item: (N,) place of each row's item.
    """

    metric: FloatArray
    classes: FloatArray
    rating: FloatArray
    label: FloatArray
    clusters: Names
    item: IntArray

    def take(self, kept: Mask) -> Aligned:
        """Some of the rows."""
        return Aligned(
            self.metric[kept],
            self.classes[kept],
            self.rating[kept],
            self.label[kept],
            self.clusters[kept],
            self.item[kept],
        )


def aligned(column: Column, ratings: Ratings, data: DataSet, unit: Unit) -> Aligned:
    """A metric beside every rating, or beside the mean and the mode of each item's ratings."""
    if unit == "ratings":
        item, value = ratings.rows
        return Aligned(
            column.values[item], column.classes[item], value, value, data.conversations[item], item
        )
    item = np.flatnonzero((~np.isnan(ratings.values)).any(axis=0))
    # A mean over several questions is no answer; a single rating is its own mode.
    alone = (~np.isnan(ratings.values)).sum(axis=0) == 1
    label = np.where(alone, ratings.means, ratings.modes)
    return Aligned(
        column.values[item],
        column.classes[item],
        ratings.means[item],
        label[item],
        data.conversations[item],
        item,
    )


@dataclass(frozen=True, slots=True, eq=False)
class Association:
    """A metric's agreement with ratings.

    Args:
        statistic: what `own` is, by the metric's scale.
        own: that figure, with an interval clustered by conversation.
        pearson, spearman: the same two for every metric.
        folds: (K,) `own` on each fold of conversations by itself; NaN where undefined.
        standard_error: of the mean of `folds`: their standard deviation over the square root of
            how many they are; NaN with fewer than two.
    """

    statistic: Statistic
    own: Estimate
    pearson: Estimate
    spearman: Estimate
    folds: FloatArray
    standard_error: float

    @property
    def figure(self) -> OverFolds:
        """The figure as tables show it, with its standard error."""
        return OverFolds(self.own, self.standard_error)

    def to_json(self) -> dict[str, Any]:
        """All figures."""
        return {
            "statistic": self.statistic,
            "own": self.own.to_json(),
            "standard_error": nullable(self.standard_error),
            "folds": [nullable(one) for one in self.folds.tolist()],
            "pearson": self.pearson.to_json(),
            "spearman": self.spearman.to_json(),
        }


@dataclass(frozen=True, slots=True)
class OverFolds:
    """An estimate with its standard error over folds, for a table."""

    found: Estimate
    spread: float

    @property
    def estimate(self) -> float:
        """The value on all rows."""
        return self.found.estimate

    @property
    def interval(self) -> tuple[float, float]:
        """Clustered by conversation."""
        return self.found.interval

    @property
    def reason(self) -> str | None:
        """Why it is missing."""
        return self.found.reason


def statistic_of(column: Column, ratings: Ratings, unit: Unit) -> Statistic:
    """Which figure a metric's scale asks for; means of two-valued ratings take any value."""
    if column.scale == "ordinal":
        return "cramers_v"
    if column.scale == "binary":
        alone = not ratings.several
        return "phi" if ratings.binary and (unit == "ratings" or alone) else "point_biserial"
    return "pearson"


def own_figure(rows: Aligned, statistic: Statistic) -> Estimate:
    """The figure of that name on some rows."""
    if statistic == "cramers_v":
        found = stats.cramers_v(rows.classes, rows.label, corrected=False, clusters=rows.clusters)
        return _told(found)
    if statistic == "pearson":
        return _told(stats.pearson(rows.metric, rows.rating, clusters=rows.clusters))
    return _told(stats.pearson(rows.classes, rows.rating, clusters=rows.clusters))


def _told(found: Estimate) -> Estimate:
    """The estimate with a reason that speaks of metric and ratings."""
    if found.reason is None:
        return found
    said = found.reason.replace("`x` is", "the metric is").replace("`y` is", "the rating is")
    return replace(found, reason=said)


def associate(
    column: Column, ratings: Ratings, data: DataSet, unit: Unit, fold: IntArray | None
) -> Association:
    """All figures of a metric on a data set.

    Args:
        fold: (N,) fold of each item, all items of a conversation in one; None where there are
            too few conversations for any.
    """
    rows = aligned(column, ratings, data, unit)
    statistic = statistic_of(column, ratings, unit)
    each = np.empty(0)
    if fold is not None:
        of = fold[rows.item]
        each = np.array(
            [own_figure(rows.take(of == one), statistic).estimate for one in np.unique(fold)]
        )
    return Association(
        statistic,
        own_figure(rows, statistic),
        _told(stats.pearson(rows.metric, rows.rating, clusters=rows.clusters)),
        _told(stats.spearman(rows.metric, rows.rating, clusters=rows.clusters)),
        each,
        over_folds(each),
    )


def over_folds(each: FloatArray) -> float:
    """The standard error of the mean of the folds' figures (K,); NaN with fewer than two."""
    known = each[~np.isnan(each)]
    return float(known.std(ddof=1) / np.sqrt(len(known))) if len(known) > 1 else float("nan")
