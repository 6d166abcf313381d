"""How a way of choosing does on conversations that it has not seen, and how often it chooses alike.

The criteria that are kept are chosen on all conversations. On these their scores are further apart
than on new ones, for they were chosen for it; so each fold is scored by criteria that were chosen,
in the same way, without it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from assize.criteria.selection.objective import threshold
from assize.criteria.selection.pool import Pool
from assize.criteria.selection.weight import stratified
from assize.criteria.selection.window import Yielded, window, yield_rate
from assize.stats.arrays import FloatArray, IntArray

Choose = Callable[[Pool], list[int]]


@dataclass(frozen=True, eq=False)
class HeldOut:
    """What conversations got from criteria that were chosen without them.

    Args:
        nets: (N,) NetSATs.
        folds: (N,) the fold of each conversation.
        accuracy: share whose label the threshold of the other folds gives rightly.
        separation: of the classes, averaged over folds.
        yielded: what a window labels that was found on the other folds' NetSATs.
    """

    nets: FloatArray
    folds: IntArray
    accuracy: float
    separation: float
    yielded: Yielded


def held_out(
    pool: Pool,
    choose: Choose,
    *,
    folds: int,
    precision: float,
    prevalence: float | None = None,
    rng: np.random.Generator,
) -> HeldOut:
    """Scores every conversation by criteria that were chosen on the other folds.

    Raises:
        DataError: a class has too few conversations for the folds.
    """
    dealt = stratified(pool.good, folds, rng)
    nets, right = np.empty(len(dealt)), np.empty(len(dealt), dtype=bool)
    middles, apart = np.empty(folds), np.empty(folds)
    for fold in range(folds):
        held, learnt = dealt == fold, pool.rows(np.flatnonzero(dealt != fold))
        chosen = choose(learnt)
        nets[held] = pool.net(chosen)[held]
        middles[fold] = threshold(learnt.net(chosen)[None], learnt.good)[0]
        good = pool.good[held]
        right[held] = (nets[held] > middles[fold]) == good
        apart[fold] = nets[held][good].mean() - nets[held][~good].mean()
    labelled = correct = 0
    for fold in range(folds):
        held = dealt == fold
        found = window(nets[~held], pool.good[~held], middles[fold], precision, prevalence)
        one = yield_rate(found, nets[held], pool.good[held])
        labelled += one.labelled
        correct += round(one.precision * one.labelled) if one.labelled else 0
    realised = correct / labelled if labelled else float("nan")
    yielded = Yielded(labelled / len(dealt), realised, labelled, len(dealt))
    return HeldOut(nets, dealt, float(right.mean()), float(apart.mean()), yielded)


def survival(pool: Pool, choose: Choose, samples: int, rng: np.random.Generator) -> FloatArray:
    """How often each criterion (M,) is chosen on bootstrap samples, each class drawn by itself.

    Source: stability selection, Meinshausen and Bühlmann (2010), with bootstrap samples in place
    of halves.
    """
    count = np.zeros(pool.scores.shape[1])
    classes = np.flatnonzero(pool.good), np.flatnonzero(~pool.good)
    for _ in range(samples):
        rows = np.concatenate([rng.choice(one, size=len(one)) for one in classes])
        count[choose(pool.rows(rows))] += 1
    return count / samples
