"""Agreement with people where people agree with each other: plurality, majority, all of them.

The levels are nested here, as in UPHELD's table 12: a perfect item has a majority, and an item
with a majority a plurality. The target is the mode. The level `all` is every rating by itself,
as published, so that the step from it to `plurality` changes items and target at once; the
means of all items stand beside it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated

import numpy as np

from assize import stats
from assize.reference._ratings import MAJORITY, PERFECT, PLURALITY, RatingRows, Ratings
from assize.reference._study.association import (
    Statistic,
    own_figure,
    statistic_of,
)
from assize.reference._study.data import Column as Metric
from assize.reference._study.data import DataSet, Mask
from assize.results import Column, Estimate, Hidden, Share
from assize.stats._estimate import missing

LEVELS: Mapping[str, int] = {"plurality": PLURALITY, "majority": MAJORITY, "perfect": PERFECT}
ONE_RATER = "no item has two ratings, so that nobody can agree or disagree"


Figure = Annotated[Estimate, Column(digits=2, ends="none")]


@dataclass(frozen=True, slots=True)
class LevelFigures:
    """A metric's agreement with ratings at each level of agreement between people.

    Args:
        statistic: which figure the metric's scale asks for.
        means: the figure of all items with the means of their ratings.
        all: of every rating by itself.
        plurality, majority, perfect: of the items that reach this level, with their mode.
        plurality_change, majority_change, perfect_change: against the level before, in percent;
            NaN where one of the two is missing, or not above 0.
    """

    target: str
    data: str | None
    metric: str
    group: Hidden[str]
    statistic: Statistic
    means: Figure
    all: Figure
    plurality: Figure
    plurality_change: Annotated[float, Column("Δ% plu.", digits=1, signed=True)]
    majority: Figure
    majority_change: Annotated[float, Column("Δ% maj.", digits=1, signed=True)]
    perfect: Figure
    perfect_change: Annotated[float, Column("Δ% per.", digits=1, signed=True)]


@dataclass(frozen=True, slots=True)
class LevelShares:
    """How many of the items with two ratings or more reach each level; nested."""

    target: str
    data: str | None
    perfect: Share
    majority: Share
    plurality: Share


def level_shares(ratings: Ratings, data: DataSet) -> list[LevelShares]:
    """Return the shares of items at each level; empty where no item has two ratings."""
    if not ratings.several:
        return []
    bins = stats.agreement_bins(ratings.values, exclusive=False, clusters=data.conversations)
    shares = bins.perfect, bins.majority, bins.plurality
    return [LevelShares(ratings.target, data.label, *shares)]


def level_figures(ratings: Ratings, data: DataSet, metrics: Sequence[Metric]) -> list[LevelFigures]:
    """Return every metric at every level; empty where no item has two ratings."""
    if not ratings.several:
        return []
    reached = [np.flatnonzero(ratings.reached >= least) for least in LEVELS.values()]
    modes = [RatingRows(item, ratings.modes[item], ratings.modes[item]) for item in reached]
    table = []
    for metric in metrics:
        statistic = statistic_of(metric, ratings, "ratings")
        every, plurality, majority, perfect = (
            own_figure(metric, rows, statistic, data.conversations)
            for rows in (ratings.rows(), *modes)
        )
        on_means = statistic_of(metric, ratings, "items")
        table.append(
            LevelFigures(
                ratings.target,
                data.label,
                metric.name,
                metric.group,
                statistic,
                own_figure(metric, ratings.rows("items"), on_means, data.conversations),
                every,
                plurality,
                change_in_percent(every, plurality),
                majority,
                change_in_percent(plurality, majority),
                perfect,
                change_in_percent(majority, perfect),
            )
        )
    return table


def change_in_percent(before: Estimate, after: Estimate) -> float:
    """Return the change of a figure; NaN where one of the two is missing, or not above 0."""
    low, high = before.estimate, after.estimate
    return 100 * (high / low - 1) if low > 0 and high > 0 else math.nan


Accuracy = Annotated[Estimate, Column(digits=2, ends="below")]


@dataclass(frozen=True, slots=True)
class LevelAccuracy:
    """How often judges say the mode, on items that reach one level and no higher.

    Args:
        level: its name, or `any` for all items that have a mode.
        people: share of an item's ratings that are its mode, mean over items. Within a level the
            pattern of votes alone decides it: two of five are 0.40.
        others: how often a rating is the mode of the others, which is comparable with a judge's
            figure; of `any` alone, for within a level the pattern decides it too.
        judges: share of the items, by judge; of yes and no the mode is yes above the middle of
            its scale.
    """

    target: str
    data: str | None
    level: str
    items: int
    people: Annotated[Estimate, Column(digits=2, ends="none")]
    others: Annotated[Estimate | None, Column("one by the others", digits=2, ends="none")]
    judges: Mapping[str, Accuracy]


@dataclass(frozen=True, slots=True)
class BalancedAccuracy:
    """The mean over the modes' values of each one's share, for judges at one level."""

    target: str
    data: str | None
    level: str
    items: int
    judges: Mapping[str, Accuracy]


ANY = "any"


def accuracy_by_level(
    ratings: Ratings, data: DataSet
) -> tuple[list[LevelAccuracy], list[BalancedAccuracy]]:
    """Return people's and judges' accuracy where an item reaches a level and no higher, and of
    all items that have a mode; and the judges' balanced accuracy.

    Both are empty where no item has two ratings.
    """
    if not ratings.several:
        return [], []
    levels = {name: ratings.reached == level for name, level in LEVELS.items()}
    judges = [metric for metric in data.columns if metric.scale != "number"]
    rows, balanced = [], []
    for level, kept in {**levels, ANY: ratings.reached >= PLURALITY}.items():
        name, n, clusters = (ratings.target, data.label), int(kept.sum()), data.conversations
        nobody = f"no item reaches {level} and no more"
        people, others = missing("at_mode", 1, nobody), None
        if n:
            people = stats.at_mode(ratings.values[:, kept], clusters=clusters[kept])
        if n and level == ANY:
            others = stats.against_others(ratings.values, clusters=clusters)
        right, even = (
            {judge.name: judge_accuracy(judge, ratings, data, kept, measure) for judge in judges}
            if n
            else {judge.name: missing("accuracy", 1, nobody) for judge in judges}
            for measure in (stats.accuracy, stats.balanced_accuracy)
        )
        rows.append(LevelAccuracy(*name, level, n, people, others, right))
        if judges:
            balanced.append(BalancedAccuracy(*name, level, n, even))
    return rows, balanced


def judge_accuracy(
    judge: Metric, ratings: Ratings, data: DataSet, kept: Mask, measure: Callable[..., Estimate]
) -> Estimate:
    """Return how well a judge that answers on a scale says the mode of some items."""
    mode = ratings.modes[kept]
    if judge.scale == "binary":
        scale = ratings.answers or tuple(np.unique(ratings.rows().value))
        mode = np.asarray(mode > (scale[0] + scale[-1]) / 2).astype(float)
    elif not set(judge.answers) & set(ratings.answers or np.unique(mode)):
        return missing("accuracy", 1, "its answers are not those of the raters")
    return measure(judge.classes[kept], mode, clusters=data.conversations[kept])
