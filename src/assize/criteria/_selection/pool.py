"""A pool of criteria with what each says about labelled conversations."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from assize.base.errors import DataError
from assize.stats._arrays import FloatArray, numbers

Mask = NDArray[np.bool_]

NEUTRAL = 5.0  # in the middle of the evaluations' scale
FEWEST = 2  # conversations of each class, below which no class has a spread


@dataclass(frozen=True, eq=False)
class Pool:
    """What every criterion says about every conversation, larger being better throughout.

    Attributes:
        scores: (conversations N, criteria M) evaluations; those of DSAT criteria are negated.
        sat: (M,) whether a criterion speaks of satisfaction.
        good: (N,) the conversations' labels.
        imputed: evaluations that were missing and count as neutral, so that all sets of
            criteria are compared on the same conversations. It is done here alone: a NetSAT
            with an unscored criterion is unscored.
        clusters: (N,) labels of conversations that belong together, such as users: folds and
            resamples take them whole. None where each stands alone.
    """

    scores: FloatArray
    sat: Mask
    good: Mask
    imputed: int = 0
    clusters: NDArray[Any] | None = None

    @classmethod
    def of(
        cls,
        evaluations: ArrayLike,
        sat: ArrayLike,
        good: ArrayLike,
        clusters: NDArray[Any] | None = None,
    ) -> Self:
        """The pool of evaluations as they are stored.

        Args:
            evaluations: (N, M) from 0, the criterion does not hold at all, to 10; NaN for one
                that is unscored.
            sat: (M,) whether a criterion speaks of satisfaction.
            good: (N,) labels.
            clusters: (N,) as above.

        Raises:
            DataError: a class is missing.
        """
        values = numbers(evaluations, "evaluations", dimensions=2)
        satisfied, labels = np.asarray(sat, dtype=bool), np.asarray(good, dtype=bool)
        _check_classes(labels)
        missing = np.isnan(values)
        filled = np.where(missing, NEUTRAL, values)
        oriented = np.where(satisfied, filled, -filled)
        return cls(oriented, satisfied, labels, int(missing.sum()), clusters)

    def rows(self, kept: NDArray[np.int64]) -> Pool:
        """The pool on some of the conversations."""
        _check_classes(self.good[kept])
        clusters = None if self.clusters is None else self.clusters[kept]
        return Pool(self.scores[kept], self.sat, self.good[kept], self.imputed, clusters)

    def net(self, chosen: Sequence[int]) -> FloatArray:
        """NetSAT (N,) of a set of criteria: the sum of what they say."""
        return np.asarray(self.scores[:, list(chosen)].sum(axis=1))


def _check_classes(good: Mask) -> None:
    counts = {"good": int(good.sum()), "bad": int((~good).sum())}
    for name, count in counts.items():
        if count < FEWEST:
            raise DataError(
                f"{count} of {len(good)} conversations are {name}; at least {FEWEST} of each"
                " class are needed to tell what separates them"
            )
