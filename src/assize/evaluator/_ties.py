"""The tie threshold of a question, learnt from labelled pairs with ties.

Letters: N pairs.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np
from numpy.typing import ArrayLike

from assize.base.errors import DataError
from assize.evaluator._heads.scored_question import TieRule
from assize.results import Column, Share
from assize.stats import share
from assize.stats._arrays import FloatArray
from assize.stats._studies.splits import dealt

FEWEST = 20  # labelled pairs
FOLDS = 5


@dataclass(frozen=True, slots=True)
class TieFit:
    """A tie threshold that was learnt.

    Args:
        threshold: scores closer than this are a tie.
        accuracy: share of the labelled pairs that were answered as labelled (A, tie or B) by
            thresholds that were chosen on the other folds.
    """

    threshold: Annotated[float, Column("tie below")]
    accuracy: Annotated[Share, Column("right of three answers", kind="percent", digits=1, unit="%")]

    @property
    def rule(self) -> TieRule:
        """The rule that an evaluator keeps."""
        return TieRule(self.threshold, self.accuracy.estimate, self.accuracy.n)


def learn_ties(
    apart: ArrayLike,
    gold: ArrayLike,
    *,
    clusters: ArrayLike | None = None,
    rng: np.random.Generator,
) -> TieFit:
    """Return the threshold with the highest ternary accuracy, and that accuracy cross-validated.

    Args:
        apart: (N,) score of A less score of B, both in [0, 1].
        gold: (N,) 1 for A, 0 for a tie, -1 for B; NaN rows are left out.
        clusters: (N,) pairs that stay together in the folds.
        rng: deals the folds.

    Raises:
        DataError: fewer than 20 labelled pairs, or a label other than 1, 0 and -1.

    Source: Tang et al. (MTDEval), section 5.2 and appendix H: a threshold for ternary accuracy;
    how theirs was chosen is not said. Differs: learnt, as the middle of the widest interval of
    thresholds that are equally good.
    """
    d, labels = np.asarray(apart, np.float64), np.asarray(gold, np.float64)
    keep = np.isfinite(d) & ~np.isnan(labels)
    group = np.arange(len(d)) if clusters is None else np.asarray(clusters)
    d, labels, group = d[keep], labels[keep], group[keep]
    if not np.isin(labels, (-1, 0, 1)).all():
        raise DataError("`gold` of pairs is 1 for A, 0 for a tie and -1 for B")
    if len(d) < FEWEST:
        raise DataError(
            f"{len(d)} labelled pairs fit scored ones, and a tie threshold needs {FEWEST};"
            " label more, or keep the published 0.01"
        )
    fold = dealt(group.tolist(), min(FOLDS, len(set(group.tolist()))), rng)
    right = np.empty(len(d))
    for one in np.unique(fold):
        own = fold == one
        right[own] = answers(d[own], best_threshold(d[~own], labels[~own])) == labels[own]
    return TieFit(best_threshold(d, labels), share(right, clusters=group))


def answers(apart: FloatArray, threshold: float) -> FloatArray:
    """(N,) 1, 0 or -1, as `TieRule.answer` gives them."""
    return np.where(np.abs(apart) < threshold, 0.0, np.sign(apart))


def best_threshold(apart: FloatArray, gold: FloatArray) -> float:
    """The threshold in [0, 1] that answers most pairs as labelled.

    Accuracy changes only where a pair's distance is passed, so the distances cut [0, 1] into
    intervals of one accuracy each. Of the best ones the widest is taken, and its middle.

    >>> best_threshold(np.array([0.4, -0.4, 0.1, -0.1]), np.array([1.0, -1.0, 0.0, 0.0]))
    0.25
    """
    size = np.abs(apart)
    cuts, place = np.unique(size, return_inverse=True)  # (C,)
    sided = np.bincount(place, (np.sign(apart) == gold) & (gold != 0), len(cuts))
    tied = np.bincount(place, gold == 0, len(cuts))
    # A threshold between cut c - 1 and cut c makes the pairs of cuts 0 .. c - 1 ties; a distance
    # of 0 is a tie at every threshold.
    zero = float(tied[0]) if cuts[0] == 0 else 0.0
    gained = np.concatenate([[0.0], np.cumsum(tied - sided)])
    right = sided.sum() + gained
    if cuts[0] == 0:
        right[0] = right[1] = sided.sum() + zero
    edges = np.concatenate([[0.0], cuts, [1.0]])
    width = np.diff(edges)
    right = np.where(width > 0, right, -1.0)
    best = np.flatnonzero(right >= right.max() - 1e-9)
    at = int(best[np.argmax(width[best])])
    return float((edges[at] + edges[at + 1]) / 2)
