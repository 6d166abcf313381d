"""Agreement with people where people agree with each other: plurality, majority, all of them.

The levels are nested here, as in UPHELD's table 12: a perfect item has a majority, and an item
with a majority a plurality. The target is the mode. The level `all` is every rating by itself,
as published, so that the step from it to `plurality` changes items and target at once; the
means of all items stand beside it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from assize import stats
from assize.reference.study.association import (
    Aligned,
    Statistic,
    aligned,
    own_figure,
    statistic_of,
)
from assize.reference.study.data import (
    MAJORITY,
    PERFECT,
    PLURALITY,
    Column,
    DataSet,
    Mask,
    Names,
    Ratings,
)
from assize.stats import AgreementBins, Estimate
from assize.stats.arrays import FloatArray
from assize.stats.estimate import missing, nullable

LEVELS: Mapping[str, int] = {"plurality": PLURALITY, "majority": MAJORITY, "perfect": PERFECT}
ALL = "all"
ONE_RATER = "no item has two ratings, so that nobody can agree or disagree"


@dataclass(frozen=True, slots=True, eq=False)
class ByLevel:
    """A metric's agreement with ratings at each level of agreement.

    Args:
        column, statistic: the metric, and which figure its scale asks for.
        figures: by `all`, `plurality`, `majority`, `perfect`.
        means: the figure of all items with the means of their ratings.
    """

    column: str
    group: str
    statistic: Statistic
    figures: Mapping[str, Estimate]
    means: Estimate

    @property
    def change(self) -> dict[str, float]:
        """By level but the first, against the level before, in percent; NaN where one of the two
        is missing, or not above 0."""
        names = list(self.figures)
        found = {}
        for before, name in pairwise(names):
            low, high = self.figures[before].estimate, self.figures[name].estimate
            found[name] = 100 * (high / low - 1) if low > 0 and high > 0 else math.nan
        return found

    def to_json(self) -> dict[str, Any]:
        """All figures, and the changes."""
        return {
            "metric": self.column,
            "statistic": self.statistic,
            "figures": {name: one.to_json() for name, one in self.figures.items()},
            "all_means": self.means.to_json(),
            "change_percent": {name: nullable(one) for name, one in self.change.items()},
        }


@dataclass(frozen=True, slots=True, eq=False)
class Levels:
    """How far raters of a data set agree, and how well metrics do where they agree.

    Args:
        kept: how many of the items with two ratings or more reach each level; nested.
        rows: of metrics and ensembles; empty where no item has two ratings.
        reason: why there is nothing, if so.
    """

    kept: AgreementBins
    rows: Sequence[ByLevel]
    reason: str | None = None

    @property
    def shares(self) -> dict[str, Estimate]:
        """The share of items that is kept at each level."""
        return {name: getattr(self.kept, name) for name in LEVELS}

    def to_json(self) -> dict[str, Any]:
        """Shares and figures, or why there are none."""
        value: dict[str, Any] = {
            "kept": {name: one.to_share() for name, one in self.shares.items()},
            "metrics": [one.to_json() for one in self.rows],
        }
        return value if self.reason is None else {"reason": self.reason}


def levels_of(ratings: Ratings, data: DataSet, columns: Sequence[Column]) -> Levels:
    """The shares kept, and every column at every level."""
    kept = stats.agreement_bins(ratings.values, exclusive=False, clusters=data.conversations)
    if not ratings.several:
        return Levels(kept, [], ONE_RATER)
    return Levels(kept, [_by_level(one, ratings, data) for one in columns])


def _by_level(column: Column, ratings: Ratings, data: DataSet) -> ByLevel:
    statistic = statistic_of(column, ratings, "ratings")
    figures = {ALL: own_figure(aligned(column, ratings, data, "ratings"), statistic)}
    for name, least in LEVELS.items():
        item = np.flatnonzero(ratings.reached >= least)
        label = ratings.modes[item]
        rows = Aligned(
            column.values[item], column.classes[item], label, label, data.conversations[item], item
        )
        figures[name] = own_figure(rows, statistic)
    means = own_figure(
        aligned(column, ratings, data, "items"), statistic_of(column, ratings, "items")
    )
    return ByLevel(column.name, column.group, statistic, figures, means)


@dataclass(frozen=True, slots=True, eq=False)
class Accuracy:
    """How often a judge says the mode, at one level alone.

    Args:
        right: share of the items; of yes and no the mode is yes above the middle of its scale.
        balanced: the mean over the modes' values of the share of each.
    """

    right: Estimate
    balanced: Estimate

    def to_json(self) -> dict[str, Any]:
        """Both figures."""
        return {"accuracy": self.right.to_json(), "balanced": self.balanced.to_json()}


@dataclass(frozen=True, slots=True, eq=False)
class Bin:
    """Items of one level that reach no higher one, or all that have a mode.

    Args:
        level: its name, or `any` for all of them together.
        n: how many items.
        people: share of an item's ratings that are its mode, mean over items. Within a level the
            pattern of votes alone decides it: two of five are 0.40.
        others: how often a rating is the mode of the others, which is comparable with a judge's
            figure; of `any` alone, for within a level the pattern decides it too.
        counts: how often so many of so many ratings are the mode: {(2, 5): 120}.
        judges: by column.
    """

    level: str
    n: int
    people: Estimate
    others: Estimate | None
    counts: Mapping[tuple[int, int], int]
    judges: Mapping[str, Accuracy]

    def to_json(self) -> dict[str, Any]:
        """All figures."""
        return {
            "n": self.n,
            "people": self.people.to_json(),
            "one_against_the_others": None if self.others is None else self.others.to_json(),
            "counts": {f"{k} of {m}": n for (k, m), n in self.counts.items()},
            "judges": {name: one.to_json() for name, one in self.judges.items()},
        }


ANY = "any"


def bins_of(ratings: Ratings, data: DataSet) -> list[Bin]:
    """The exclusive levels and all of them together, with the accuracy of every judge that
    answers on a scale; empty where no item has two ratings."""
    if not ratings.several:
        return []
    reached = {name: ratings.reached == level for name, level in LEVELS.items()}
    reached[ANY] = ratings.reached >= PLURALITY
    judges = [one for one in data.columns if one.scale != "number"]
    return [_bin(name, kept, ratings, data, judges) for name, kept in reached.items()]


def _bin(level: str, kept: Mask, ratings: Ratings, data: DataSet, judges: Sequence[Column]) -> Bin:
    some, clusters = ratings.values[:, kept], data.conversations[kept]
    mode = ratings.modes[kept]
    if not kept.any():
        none = missing("at_mode", 1, f"no item reaches {level} and no more")
        return Bin(level, 0, none, None, {}, {one.name: Accuracy(none, none) for one in judges})
    hits, given = (some == mode).sum(axis=0), (~np.isnan(some)).sum(axis=0)
    pairs, counts = np.unique(np.stack([hits, given], axis=1), axis=0, return_counts=True)
    others = stats.against_others(ratings.values, clusters=data.conversations)
    return Bin(
        level,
        int(kept.sum()),
        stats.at_mode(some, clusters=clusters),
        others if level == ANY else None,
        {(int(k), int(m)): int(n) for (k, m), n in zip(pairs, counts, strict=True)},
        {one.name: _accuracy(one.take(kept), ratings, mode, clusters) for one in judges},
    )


def _accuracy(judge: Column, ratings: Ratings, mode: FloatArray, clusters: Names) -> Accuracy:
    said, gold = judge.classes, mode
    if judge.scale == "binary":
        scale = ratings.answers or tuple(np.unique(ratings.values[~np.isnan(ratings.values)]))
        gold = (mode > (scale[0] + scale[-1]) / 2).astype(float)
    elif not set(judge.answers) & set(ratings.answers or np.unique(mode)):
        none = missing("accuracy", 1, "its answers are not those of the raters")
        return Accuracy(none, none)
    return Accuracy(
        stats.accuracy(said, gold, clusters=clusters),
        stats.balanced_accuracy(said, gold, clusters=clusters),
    )
