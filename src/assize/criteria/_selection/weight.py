"""The weight of the sharpness error, by cross-validation. Source: RUBICON, section 3.3."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assize.base.errors import DataError
from assize.criteria._selection.greedy import Budget, grow_each
from assize.criteria._selection.objective import Objective, separation, threshold
from assize.criteria._selection.pool import Mask, Pool
from assize.criteria._selection.window import WANTED, Wanted, window, yield_rate
from assize.stats._arrays import FloatArray, IntArray
from assize.stats._studies.splits import dealt_in_classes

# The paper tunes the weight and names no values.
WEIGHTS = (0.0, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0)
FOLDS = 5
DEALS = 3
TIE = 0.01


@dataclass(frozen=True, slots=True)
class Weighed:
    """One weight, on conversations held out."""

    weight: float
    yielded: float  # share labelled at the precision wanted, the window found where it is used
    separation: float  # of what is held out, mean over folds


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
    deals: int = DEALS,
    tie: float = TIE,
    wanted: Wanted = WANTED,
    rng: np.random.Generator,
) -> Tuned:
    """The weight whose sets label most of the conversations held out; among equals, by separation.

    Args:
        pool: the training conversations.
        budget: of the sets that are grown.
        objective: whose weight is tuned.
        weights: to try.
        deals: how often `FOLDS` folds are dealt, each class evenly, clusters of the pool whole;
            yields are averaged.
        tie: yields that differ by no more than this share of conversations are equal.
        wanted: how surely labels must be right for the yield to count them.
        rng: deals the folds.

    Raises:
        DataError: a class has too few conversations for the folds.

    Differs: the paper says no more than "best average performance" over five folds. The yield of
    one fold jumps by whole points where one conversation changes places, so it is that of all
    folds together, each score less the threshold of its fold, and folds are dealt several times.
    """
    yields, apart = np.zeros((deals, len(weights))), np.zeros((deals, len(weights)))
    for deal in range(deals):
        nets, gaps = _held_out(
            pool, budget, objective, weights, stratified(pool.good, FOLDS, rng, pool.clusters)
        )
        for index, scores in enumerate(nets):
            cuts = window(scores, pool.good, 0.0, wanted)
            yields[deal, index] = yield_rate(cuts, scores, pool.good).share
        apart[deal] = gaps
    columns = zip(weights, yields.mean(axis=0), apart.mean(axis=0), strict=True)
    tried = tuple(Weighed(*map(float, column)) for column in columns)
    most = max(weighed.yielded for weighed in tried)
    equal = [weighed for weighed in tried if weighed.yielded >= most - tie]
    return Tuned(max(equal, key=lambda weighed: weighed.separation).weight, tried)


def _held_out(
    pool: Pool, budget: Budget, objective: Objective, weights: Sequence[float], dealt: IntArray
) -> tuple[FloatArray, FloatArray]:
    """(weights, N) NetSAT less the threshold of the fold, and (weights,) the mean separation."""
    nets = np.empty((len(weights), len(dealt)))
    apart = []
    for fold in np.unique(dealt):
        fitted, held = pool.rows(np.flatnonzero(dealt != fold)), dealt == fold
        for at, steps in enumerate(grow_each(fitted, budget, objective, weights)):
            chosen = [step.criterion for step in steps]
            nets[at, held] = pool.net(chosen)[held] - threshold(
                fitted.net(chosen)[None], fitted.good
            )
        apart.append(separation(nets[:, held], pool.good[held]))
    return nets, np.mean(apart, axis=0)


def stratified(
    good: Mask, folds: int, rng: np.random.Generator, clusters: NDArray[Any] | None = None
) -> IntArray:
    """A fold of each conversation (N,), each class spread evenly.

    With clusters (N,) each stays whole, and classes are spread as evenly as clusters allow.

    Raises:
        DataError: the clusters leave a fold without a class.
    """
    if clusters is not None:
        return _by_clusters(good, folds, rng, clusters)
    found = np.empty(len(good), dtype=np.int64)
    for label in (True, False):
        rows = rng.permutation(np.flatnonzero(good == label))
        found[rows] = np.arange(len(rows)) % folds
    return found


def _by_clusters(
    good: Mask, folds: int, rng: np.random.Generator, clusters: NDArray[Any]
) -> IntArray:
    found = dealt_in_classes(good.tolist(), clusters.tolist(), folds, rng)
    counts = [np.bincount(found[good == label], minlength=folds) for label in (True, False)]
    if min(map(min, counts)) < 1:
        raise DataError(
            f"the {len(np.unique(clusters))} clusters cannot be dealt to {folds} folds that each"
            " have good and bad conversations; label conversations of more clusters"
        )
    return found
