"""Criteria chosen on one half of the conversations, and measured on the other."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assize.base.errors import DataError
from assize.criteria._selecting import MOST_UNSCORED, Selecting, weighed
from assize.criteria._selection.objective import threshold
from assize.criteria._selection.policies import POLICIES
from assize.criteria._selection.pool import FEWEST, Mask, Pool
from assize.criteria._selection.window import window
from assize.criteria._study.measures import Unseen
from assize.stats._arrays import FloatArray
from assize.stats._studies.splits import dealt_in_classes


@dataclass(frozen=True, eq=False)
class Scored:
    """What a method's criteria say about every conversation of a study.

    Args:
        name: of the method.
        values: (N, M) from 0 to 10; NaN where unscored.
        sat: (M,) whether a criterion speaks of satisfaction.
        good: (N,) labels.
        clusters: (N,) conversations that stay together in folds; None where each stands alone.
    """

    name: str
    values: FloatArray
    sat: Mask
    good: Mask
    clusters: NDArray[Any] | None = None


@dataclass(frozen=True, eq=False)
class Trial:
    """One method and one policy on one split.

    Args:
        tested: scores of the test half.
        chosen: places of the criteria chosen.
        weight: of sharpness; None where the set was taken whole.
        told: what a reader should know.
    """

    tested: Unseen
    chosen: tuple[int, ...]
    weight: float | None
    told: tuple[str, ...]


def halved(good: Mask, rng: np.random.Generator, clusters: NDArray[Any] | None = None) -> Mask:
    """Which conversations (N,) are for training: half of each class, drawn anew.

    Of an odd number the test half gets one more. With clusters (N,) each stays whole, and the
    halves are as near to that as clusters allow.

    Raises:
        DataError: a half would have fewer than two conversations of a class.
    """
    if clusters is not None:
        return _halved_by_clusters(good, rng, clusters)
    train = np.zeros(len(good), dtype=bool)
    for name, label in (("good", True), ("bad", False)):
        rows = rng.permutation(np.flatnonzero(good == label))
        if len(rows) < 2 * FEWEST:
            raise DataError(
                f"{len(rows)} of {len(good)} conversations are {name}; a study needs at least"
                f" {2 * FEWEST} of each class, {FEWEST} to choose criteria on and {FEWEST} to"
                " measure on; label more conversations"
            )
        train[rows[: len(rows) // 2]] = True
    return train


def _halved_by_clusters(good: Mask, rng: np.random.Generator, clusters: NDArray[Any]) -> Mask:
    halves = dealt_in_classes(good.tolist(), clusters.tolist(), 2, rng)
    train: Mask = halves == 1  # the largest cluster is in the test half
    for name, label in (("good", True), ("bad", False)):
        least = min(int((train & (good == label)).sum()), int((~train & (good == label)).sum()))
        if least < FEWEST:
            raise DataError(
                f"the {len(np.unique(clusters))} clusters leave a half with {least} {name}"
                f" conversations; a study needs {FEWEST} of each class in both, so label"
                " conversations of more clusters"
            )
    return train


def trial(scored: Scored, train: Mask, how: Selecting) -> Trial:
    """Chooses criteria, threshold and window on the training half, and scores the other.

    Scores that are missing count as neutral where criteria are chosen; on the test half they
    leave NetSAT unscored.

    Raises:
        DataError: nothing is left to choose from, or the set tells nothing apart.
    """
    values, good = scored.values[train], scored.good[train]
    missing = np.isnan(values).sum(axis=0)
    kept = np.flatnonzero(missing <= MOST_UNSCORED * len(good))
    if not kept.size:
        raise DataError(
            f"{scored.name}: each of its {len(scored.sat)} criteria is unscored on more than"
            f" {100 * MOST_UNSCORED:g}% of the training conversations; score them again"
        )
    told: list[str] = []
    if len(kept) < len(scored.sat):
        told.append(
            f"{scored.name}: criteria are left out that too few conversations are scored on"
        )
    together = None if scored.clusters is None else scored.clusters[train]
    pool = Pool.of(values[:, kept], scored.sat[kept], good, together)
    chosen, weight = _chosen(pool, how, told, scored.name)
    nets = pool.net(chosen)
    if np.ptp(nets) == 0:
        raise DataError(
            f"{scored.name}: all {len(nets):,} training conversations get the same scores, so that"
            " nothing tells good from bad; look at how the criteria were scored"
        )
    middle = float(threshold(nets[None], good)[0])
    cuts = window(nets, good, middle, how.wanted)
    columns = kept[chosen]
    tested = scored.values[np.ix_(~train, columns)]
    sat = scored.sat[columns]
    held = Unseen(
        tested[:, sat].sum(axis=1),
        tested[:, ~sat].sum(axis=1),
        scored.good[~train],
        middle,
        cuts,
        how.wanted,
    )
    return Trial(held, tuple(map(int, columns)), weight, tuple(told))


def _chosen(
    pool: Pool, how: Selecting, told: list[str], name: str
) -> tuple[list[int], float | None]:
    """The set, whole where it fits the budgets, else as the policy says."""
    budget = how.settings.budget
    if pool.sat.sum() <= budget.sat and (~pool.sat).sum() <= budget.dsat:
        return list(range(len(pool.sat))), None
    said: list[str] = []
    settings, _ = weighed(pool, how, said)
    told += [f"{name}: {one}" for one in said]
    chosen = POLICIES[how.policy](pool, settings)
    if not chosen:
        raise DataError(f"{name}: {how.policy} chooses no criterion from {len(pool.sat)}")
    return chosen, settings.objective.weight
