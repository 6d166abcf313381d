"""The weight of the sharpness error, by cross-validation. Source: RUBICON, section 3.3."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from assize.criteria.selection.greedy import Budget, grow
from assize.criteria.selection.objective import Objective, separation, threshold
from assize.criteria.selection.pool import Mask, Pool
from assize.criteria.selection.window import window, yield_rate
from assize.errors import DataError
from assize.stats.arrays import IntArray

# The paper tunes the weight and names no values.
WEIGHTS = (0.0, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0)
FOLDS = 5


@dataclass(frozen=True, slots=True)
class Weighed:
    """One weight, over the folds held out."""

    weight: float
    yielded: float  # mean share labelled at the precision wanted, the window found where it is used
    separation: float  # mean, of what is held out


@dataclass(frozen=True, slots=True)
class Tuned:
    """The weight that did best on conversations held out, and what all did."""

    weight: float
    tried: tuple[Weighed, ...]


def tuned_weight(
    pool: Pool,
    budget: Budget,
    objective: Objective,
    *,
    weights: Sequence[float] = WEIGHTS,
    folds: int = FOLDS,
    precision: float = 0.9,
    rng: np.random.Generator,
) -> Tuned:
    """The weight with the largest mean yield on held-out folds; among equals, by separation.

    Args:
        pool: the training conversations.
        budget: of the sets that are grown.
        objective: whose weight is tuned.
        weights: to try.
        folds: of conversations, each class dealt evenly.
        precision: at which the yield counts.
        rng: deals the folds.

    Raises:
        DataError: a class has too few conversations for the folds.
    """
    dealt = stratified(pool.good, folds, rng)
    tried = tuple(
        _weighed(pool, budget, replace(objective, weight=weight), dealt, precision)
        for weight in weights
    )
    best = max(tried, key=lambda one: (one.yielded, one.separation))
    return Tuned(best.weight, tried)


def _weighed(
    pool: Pool, budget: Budget, objective: Objective, dealt: IntArray, precision: float
) -> Weighed:
    shares, apart = [], []
    for fold in np.unique(dealt):
        fitted, held = pool.rows(np.flatnonzero(dealt != fold)), dealt == fold
        chosen = [step.criterion for step in grow(fitted, budget, objective)]
        nets, good = pool.net(chosen)[held], pool.good[held]
        middle = float(threshold(fitted.net(chosen)[None], fitted.good)[0])
        found = window(nets, good, middle, precision, objective.prevalence)
        shares.append(yield_rate(found, nets, good).share)
        apart.append(float(separation(nets[None], good)[0]))
    return Weighed(objective.weight, float(np.mean(shares)), float(np.mean(apart)))


def stratified(good: Mask, folds: int, rng: np.random.Generator) -> IntArray:
    """A fold of each conversation (N,), each class spread evenly."""
    found = np.empty(len(good), dtype=np.int64)
    for name, label in (("good", True), ("bad", False)):
        rows = rng.permutation(np.flatnonzero(good == label))
        if not 2 <= folds <= len(rows) // 2:
            raise DataError(
                f"{folds} folds of {len(rows)} {name} conversations: at least 2 folds, and 2"
                " conversations of each class in each, are needed; ask for fewer folds, name the"
                " weight yourself, or label more conversations"
            )
        found[rows] = np.arange(len(rows)) % folds
    return found
