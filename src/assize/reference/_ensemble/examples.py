"""The rows that a model is fitted on, for `assize reference fit` and for studies."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from assize.stats._arrays import FloatArray, IntArray
from assize.stats._studies.splits import dealt

INNER = 5  # folds in which the penalty of ridge regression is chosen


@dataclass(frozen=True, slots=True, eq=False)
class Examples:
    """One row a rated item, or one a rating.

    Args:
        metrics: (n, M); NaN where one is missing.
        target: (n,) what people said.
        groups: (n,) conversations, as numbers.
        corpus: (n,) which corpus or data set a row is of.
        weights: (n,) how much each row counts.
        seed: of what is random.
    """

    metrics: FloatArray
    target: FloatArray
    groups: IntArray
    corpus: IntArray
    weights: FloatArray
    seed: int = 0

    @property
    def shares(self) -> FloatArray | None:
        """The weights, None where all are equal: a forest draws its rows otherwise if told."""
        return None if (self.weights == self.weights[0]).all() else self.weights

    @property
    def fold(self) -> IntArray:
        """(n,) folds by conversation; each row its own where there are too few of them."""
        count = min(INNER, len(np.unique(self.groups)))
        if count < 2:
            return np.arange(len(self.target))
        return dealt(self.groups.tolist(), count, np.random.default_rng([self.seed, 3]))


def weigh_corpora(corpus: IntArray) -> FloatArray:
    """(n,) weights with which each corpus counts alike; the mean is 1.

    >>> weigh_corpora(np.array([0, 0, 0, 1])).round(3).tolist()
    [0.667, 0.667, 0.667, 2.0]
    """
    sizes = np.bincount(corpus)
    return len(corpus) / (np.count_nonzero(sizes) * sizes[corpus])
