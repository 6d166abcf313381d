"""What a model would have answered to questions it was not asked: draws of its distributions.

Learnt from items that were asked everything, without anyone's rating: the logarithms of
all answer probabilities are taken as jointly normal, and the missing ones are drawn given
those that are there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from assize.base.errors import DataError
from assize.calibrate._data.arrays import moments, root_of
from assize.calibrate._data.features import Block, Features, FloatArray, columns_of, normalised

FLOOR = 1e-4  # the least probability that is told apart from 0
LEAST = 1e-6  # of the covariance's eigenvalues
FEWEST = 10  # items to learn from


@dataclass(frozen=True, slots=True, eq=False)
class AnswerImputer:
    """A joint normal distribution of what a model answers."""

    blocks: tuple[Block, ...]  # whose columns it speaks of
    # mean, covariance: (D,), (D, D) of log-probabilities; of scores as they are
    mean: FloatArray
    covariance: FloatArray
    mass: FloatArray  # (blocks,) average mass on each block's answers, which draws are given

    def draw(self, x: FloatArray, count: int, rng: np.random.Generator) -> FloatArray:
        """Complete rows (count, D); x (D,) is NaN in a block that was not asked, 0 in one that
        does not apply."""
        z = log_shares(self.blocks, x[None])[0]
        known, wanted = ~np.isnan(z), np.isnan(x)
        found = np.tile(x, (count, 1))
        if not wanted.any():
            return found
        mean, spread = self._given(z, known, wanted)
        drawn = mean + rng.standard_normal((count, len(mean))) @ spread.T
        filled = np.full((count, len(x)), np.nan)
        filled[:, wanted] = drawn
        for block, place, mass in zip(self.blocks, columns_of(self.blocks), self.mass, strict=True):
            if wanted[place].any():
                found[:, place] = (
                    _shares(filled[:, place], mass) if block.answers else filled[:, place]
                )
        return found

    def _given(
        self, z: FloatArray, known: NDArray[np.bool_], wanted: NDArray[np.bool_]
    ) -> tuple[FloatArray, FloatArray]:
        """Conditional mean (W,), and a root (W, W) of the conditional covariance."""
        own = self.covariance[np.ix_(wanted, wanted)]
        mean = self.mean[wanted]
        if known.any():
            across = self.covariance[np.ix_(wanted, known)]
            pull = np.linalg.solve(self.covariance[np.ix_(known, known)], across.T).T
            mean = mean + pull @ (z[known] - self.mean[known])
            own = own - pull @ across.T
        return mean, root_of((own + own.T) / 2)


def log_shares(blocks: Sequence[Block], x: FloatArray) -> FloatArray:
    """Rows (N, D) on the normal's scale; NaN where missing and where it does not apply."""
    found = np.full_like(x, np.nan)
    for block, place in zip(blocks, columns_of(blocks), strict=True):
        p = x[:, place]
        if not block.answers:
            found[:, place] = p
            continue
        found[:, place] = np.log(np.maximum(normalised(p), FLOOR))
    return found


def _shares(z: FloatArray, mass: float) -> FloatArray:
    powers = np.exp(z - z.max(axis=1, keepdims=True))
    return np.asarray(mass * powers / powers.sum(axis=1, keepdims=True))


def fit_imputer(features: Features) -> AnswerImputer:
    """Learns from items that were asked. Few items leave the questions unrelated rather than
    alike: the covariance is shrunk towards its diagonal by D / (D + N)."""
    if len(features.x) < FEWEST:
        raise DataError(
            f"{len(features.x)} items are too few to learn what a model would answer;"
            f" at least {FEWEST} are needed"
        )
    blocks = features.blocks
    masses = [
        _mean(features.x[:, place].sum(axis=1)) if block.answers else 1.0
        for block, place in zip(blocks, features.columns, strict=True)
    ]
    z = log_shares(blocks, features.x)
    known = ~np.isnan(z)
    mean, _ = moments(z)
    centred = np.where(known, z - mean, 0)
    together = known.astype(float).T @ known
    covariance = centred.T @ centred / np.maximum(together - 1, 1)
    width, n = len(mean), len(z)
    share = width / (width + n)
    covariance = (1 - share) * covariance + share * np.diag(np.diag(covariance))
    values, vectors = np.linalg.eigh(covariance)
    whole = (vectors * np.maximum(values, LEAST)) @ vectors.T
    return AnswerImputer(blocks, mean, whole, np.array(masses))


def _mean(mass: FloatArray) -> float:
    there = mass[mass > 0]  # NaN fails too
    return float(there.mean()) if len(there) else 1.0
