"""The figures by which an evaluator or a judge is measured on one task.

To add a figure, write a function of `Said` and `Task` and give it a row in `FIGURES`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from assize import stats
from assize.evaluator._measuring.said import Said
from assize.evaluator._measuring.tasks import Task
from assize.stats import Estimate
from assize.stats._arrays import FloatArray
from assize.stats._compare import Measure


@dataclass(frozen=True, slots=True)
class Figure:
    """One way to say how well somebody agrees with gold.

    Args:
        title, short: as in MTDEval's tables, with room and without.
        paired: whether it is of pairs, and not of ratings.
        values: (said, task) -> two columns (N,) that it compares, NaN for a row that does not
            count: what was said, and the truth.
        test: the measure by which two rows are compared, see `assize.stats._compare`.
        of: the figure of both columns and the units' clusters.
    """

    title: str
    short: str
    paired: bool
    values: Callable[[Said, Task], tuple[FloatArray, FloatArray]]
    test: Measure
    of: Callable[[FloatArray, FloatArray, FloatArray], Estimate]

    def __call__(self, said: Said, task: Task) -> Estimate:
        """The figure with its interval; units without a value are counted as unscored."""
        given, truth = self.values(said, task)
        counted = ~np.isnan(truth)
        return self.of(given[counted], truth[counted], task.clusters[counted])


def _rated(said: Said, task: Task) -> tuple[FloatArray, FloatArray]:
    return said.values, task.truth


def _with_ties(said: Said, task: Task) -> tuple[FloatArray, FloatArray]:
    return said.values, task.truth


def _without_ties(said: Said, task: Task) -> tuple[FloatArray, FloatArray]:
    return np.sign(said.lean), np.where(task.truth == 0, np.nan, task.truth)


def _correlation(name: str) -> Callable[[FloatArray, FloatArray, FloatArray], Estimate]:
    of = getattr(stats, name)

    def found(given: FloatArray, truth: FloatArray, clusters: FloatArray) -> Estimate:
        estimate: Estimate = of(given, truth, clusters=clusters)
        return estimate

    return found


def _share(given: FloatArray, truth: FloatArray, clusters: FloatArray) -> Estimate:
    right = np.where(np.isnan(given), np.nan, given == truth)
    alone = len(set(clusters.tolist())) == len(clusters)
    return stats.share(right, clusters=None if alone else clusters)


def _kappa(given: FloatArray, truth: FloatArray, clusters: FloatArray) -> Estimate:
    return stats.cohen_kappa(given, truth, clusters=clusters)


FIGURES: Mapping[str, Figure] = {
    "pearson": Figure("Pearson", "r", False, _rated, "pearson", _correlation("pearson")),
    "spearman": Figure("Spearman", "rho", False, _rated, "spearman", _correlation("spearman")),
    "with_tie": Figure("with ties", "w/ tie", True, _with_ties, "accuracy", _share),
    "without_tie": Figure("without ties", "w/o tie", True, _without_ties, "accuracy", _share),
    "kappa": Figure("kappa", "kappa", True, _with_ties, "kappa", _kappa),
}
"""Pearson and Spearman of ratings; of pairs the share of the three answers that are gold's, of
those with decided gold the share of sides that are gold's (whoever leans to no side is wrong), and
Cohen's kappa of the three answers, in which a lucky guess counts nothing.

Source: MTDEval (Tang et al.), section 5.2 and appendix D. Differs: kappa is ours.
"""


def figures_of(said: Said, task: Task) -> dict[str, Estimate]:
    """Every figure of one row that the task allows."""
    return {name: one(said, task) for name, one in FIGURES.items() if one.paired is task.paired}


def average(parts: Sequence[tuple[Said, Task]]) -> Estimate:
    """The mean accuracy with ties over dimensions, each counted alike; clustered by unit.

    Source: MTDEval, table 2.
    """
    right, clusters, weights = [], [], []
    for said, task in parts:
        one = np.where(np.isnan(said.values), np.nan, said.values == task.truth)
        scored = int((~np.isnan(one)).sum())
        right.append(one)
        clusters.append(task.clusters)
        weights.append(np.full(len(one), 1 / scored if scored else np.nan))
    total = sum(int((~np.isnan(one)).sum()) for one in right)
    # Each dimension counts alike, so a row of one with few rows weighs more.
    even = total / len(parts)
    weighed = [one * weight * even for one, weight in zip(right, weights, strict=True)]
    return stats.mean(np.concatenate(weighed), clusters=np.concatenate(clusters))
