"""The figures by which an evaluator or a judge is measured on one task: those of `agree`.

Pearson and Spearman of ratings; of pairs the share of the three answers that are gold's, of those
with decided gold the share of sides that are gold's (whoever leans to no side is wrong), and
Cohen's kappa of the three answers, in which a lucky guess counts nothing.

Source: MTDEval (Tang et al.), section 5.2 and appendix D. Differs: kappa is ours.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from assize import stats
from assize.evaluator._measuring.said import Said
from assize.evaluator._measuring.tasks import Task
from assize.stats import Estimate
from assize.stats._arrays import FloatArray
from assize.stats._compare import Measure


class Figure(NamedTuple):
    """One way to say how well somebody agrees with gold.

    Args:
        title, short: as in MTDEval's tables, with room and without.
        paired: whether it is of pairs, and not of ratings.
        test: the measure by which two rows are compared, see `assize.stats._compare`.
        sides: whether only sides count, where gold is decided.
    """

    title: str
    short: str
    paired: bool
    test: Measure
    sides: bool = False

    def columns(self, said: Said, task: Task) -> tuple[FloatArray, FloatArray]:
        """Two columns (N,) to compare, NaN where a row does not count: what was said, and gold."""
        if self.sides:
            return np.sign(said.lean), np.where(task.truth == 0, np.nan, task.truth)
        return said.values, task.truth


FIGURES: Mapping[str, Figure] = {
    "pearson": Figure("Pearson", "r", paired=False, test="pearson"),
    "spearman": Figure("Spearman", "rho", paired=False, test="spearman"),
    "with_tie": Figure("with ties", "w/ tie", paired=True, test="accuracy"),
    "without_tie": Figure("without ties", "w/o tie", paired=True, test="accuracy", sides=True),
    "kappa": Figure("kappa", "kappa", paired=True, test="kappa"),
}


def figures_of(said: Said, task: Task) -> dict[str, Estimate]:
    """Every figure that the task allows, with its interval; what has no value is unscored."""
    values, truth, clusters = said.values, task.truth, task.clusters
    if not task.paired:
        return {
            "pearson": stats.pearson(values, truth, clusters=clusters),
            "spearman": stats.spearman(values, truth, clusters=clusters),
        }
    alone = None if len(set(clusters.tolist())) == len(clusters) else clusters
    return {
        "with_tie": stats.pairwise_accuracy(values, truth, clusters=alone).with_tie,
        "without_tie": stats.pairwise_accuracy(said.lean, truth, clusters=alone).without_tie,
        "kappa": stats.cohen_kappa(values, truth, clusters=clusters),
    }


def average(parts: Sequence[tuple[Said, Task]]) -> Estimate:
    """The mean accuracy with ties over dimensions, each counted alike; clustered by unit.

    Source: MTDEval, table 2.
    """
    right = [
        np.where(np.isnan(said.values), np.nan, said.values == task.truth) for said, task in parts
    ]
    scored = [max(1, int((~np.isnan(part)).sum())) for part in right]
    # Each dimension counts alike, so a row of one with few rows weighs more.
    even = sum(int((~np.isnan(part)).sum()) for part in right) / len(parts)
    weighed = [part * even / count for part, count in zip(right, scored, strict=True)]
    clusters = np.concatenate([task.clusters for _, task in parts])
    return stats.mean(np.concatenate(weighed), clusters=clusters)
