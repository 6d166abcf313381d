"""How a way of choosing does on conversations that it has not seen, and how often it chooses alike.

The criteria that are kept are chosen on all conversations. On these their scores are further apart
than on new ones, for they were chosen for it; so each fold is scored by criteria that were chosen,
in the same way, without it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assize.criteria._selection.objective import threshold
from assize.criteria._selection.pool import Mask, Pool
from assize.criteria._selection.weight import FOLDS, stratified
from assize.criteria._selection.window import Wanted, Yielded, window
from assize.stats._arrays import FloatArray, IntArray

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
    wanted: Wanted,
    rng: np.random.Generator,
) -> HeldOut:
    """Scores every conversation by criteria that were chosen on the other folds.

    Raises:
        DataError: a class has too few conversations for the folds.
    """
    dealt = stratified(pool.good, FOLDS, rng, pool.clusters)
    nets, right = np.empty(len(dealt)), np.empty(len(dealt), dtype=bool)
    middles, apart = np.empty(FOLDS), np.empty(FOLDS)
    for fold in range(FOLDS):
        held, learnt = dealt == fold, pool.rows(np.flatnonzero(dealt != fold))
        chosen = choose(learnt)
        nets[held] = pool.net(chosen)[held]
        middles[fold] = threshold(learnt.net(chosen)[None], learnt.good)[0]
        good = pool.good[held]
        right[held] = (nets[held] > middles[fold]) == good
        apart[fold] = nets[held][good].mean() - nets[held][~good].mean()
    labelled, correct = by_other_folds(nets, pool.good, dealt, middles, wanted)
    count = int(labelled.sum())
    realised = float(correct[labelled].mean()) if count else float("nan")
    yielded = Yielded(count / len(dealt), realised, count, len(dealt))
    return HeldOut(nets, dealt, float(right.mean()), float(apart.mean()), yielded)


def by_other_folds(
    nets: FloatArray,
    good: Mask,
    dealt: IntArray,
    middles: FloatArray,
    wanted: Wanted,
) -> tuple[Mask, Mask]:
    """Which scores (N,) a window of the other folds labels, and which labels (N,) are right.

    Args:
        nets: (N,) scores; one that is NaN is not labelled.
        good: (N,) labels.
        dealt: (N,) the fold of each.
        middles: (folds,) the threshold of what is not in the fold.
        wanted: as of `window`.
    """
    labelled, right = np.zeros(len(nets), dtype=bool), np.zeros(len(nets), dtype=bool)
    for fold, middle in enumerate(middles):
        held = dealt == fold
        cuts = window(nets[~held], good[~held], float(middle), wanted)
        labelled[held] = cuts.labelled(nets[held])
        right[held] = cuts.good(nets[held]) == good[held]
    return labelled, right & labelled


def survival(pool: Pool, choose: Choose, samples: int, rng: np.random.Generator) -> FloatArray:
    """How often each criterion (M,) is chosen on bootstrap samples, each class drawn by itself.

    Clusters are drawn whole: those of good conversations alone, of bad ones alone, and of both
    each by themselves.

    Source: stability selection, Meinshausen and Bühlmann (2010), with bootstrap samples in place
    of halves.
    """
    count = np.zeros(pool.scores.shape[1])
    strata = strata_of(pool.good, pool.clusters)
    for _ in range(samples):
        drawn = [one[at] for one in strata for at in rng.choice(len(one), size=len(one))]
        count[choose(pool.rows(np.concatenate(drawn)))] += 1
    return count / samples


def strata_of(good: Mask, clusters: NDArray[Any] | None) -> list[list[IntArray]]:
    """The rows of each cluster, in strata: of good conversations alone, of bad ones, of both.

    Without clusters each conversation is one. Drawn by strata, each class keeps its share as
    far as clusters allow. An empty stratum is left out.
    """
    labels = np.arange(len(good)) if clusters is None else clusters
    codes = np.unique(labels, return_inverse=True)[1]
    rows = np.split(np.argsort(codes, kind="stable"), np.bincount(codes).cumsum()[:-1])
    shares = np.array([good[one].mean() for one in rows])
    kinds = (shares == 1, shares == 0, (shares > 0) & (shares < 1))
    return [[rows[at] for at in np.flatnonzero(kind)] for kind in kinds if kind.any()]
