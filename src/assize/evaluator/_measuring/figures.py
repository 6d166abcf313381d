"""The figures by which an evaluator or a judge is measured on one task.

To add a figure, give it a row in `FIGURES`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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
        test: the measure, by which two rows are compared too, see `assize.stats._compare`.
        sides: whether only sides count, where gold is decided.
    """

    title: str
    short: str
    paired: bool
    test: Measure
    sides: bool = False

    def values(self, said: Said, task: Task) -> tuple[FloatArray, FloatArray]:
        """Two columns (N,) to compare, NaN where a row does not count: what was said, and gold."""
        if self.sides:
            return np.sign(said.lean), np.where(task.truth == 0, np.nan, task.truth)
        return said.values, task.truth

    def __call__(self, said: Said, task: Task) -> Estimate:
        """The figure with its interval; units without a value are counted as unscored."""
        given, truth = self.values(said, task)
        counted = ~np.isnan(truth)
        given, truth, clusters = given[counted], truth[counted], task.clusters[counted]
        if self.test == "accuracy":
            right = np.where(np.isnan(given), np.nan, given == truth)
            alone = len(set(clusters.tolist())) == len(clusters)
            return stats.share(right, clusters=None if alone else clusters)
        if self.test == "kappa":
            return stats.cohen_kappa(given, truth, clusters=clusters)
        of = stats.pearson if self.test == "pearson" else stats.spearman
        return of(given, truth, clusters=clusters)


FIGURES: Mapping[str, Figure] = {
    "pearson": Figure("Pearson", "r", paired=False, test="pearson"),
    "spearman": Figure("Spearman", "rho", paired=False, test="spearman"),
    "with_tie": Figure("with ties", "w/ tie", paired=True, test="accuracy"),
    "without_tie": Figure("without ties", "w/o tie", paired=True, test="accuracy", sides=True),
    "kappa": Figure("kappa", "kappa", paired=True, test="kappa"),
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
