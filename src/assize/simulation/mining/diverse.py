"""A few queries that are as unlike one another as the log allows: merged, clustered, drawn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from assize.simulation.mining.queries import Query, together

Vectors = NDArray[np.float32]
_ROUNDS = 50
_STARTS = 8
_TRIED = 4


def merged(queries: Sequence[Query], vectors: Vectors, same: float) -> tuple[list[Query], Vectors]:
    """Queries without near-duplicates; the one asked most often stands for the others.

    Args:
        vectors: (N, D) of length 1.
        same: cosine from which two mean the same.

    Returns:
        M queries with the counts and clicks of those they stand for, in order of appearance,
        and their vectors (M, D).
    """
    order = sorted(range(len(queries)), key=lambda at: -queries[at].count)
    leaders: list[int] = []
    held = np.empty_like(vectors)
    stands: dict[int, Query] = {}
    for at in order:
        if leaders:
            near = held[: len(leaders)] @ vectors[at]
            best = int(near.argmax())
            if near[best] >= same:
                leader = leaders[best]
                stands[leader] = together(stands[leader], queries[at])
                continue
        held[len(leaders)] = vectors[at]
        leaders.append(at)
        stands[at] = queries[at]
    kept = sorted(leaders)
    return [stands[at] for at in kept], vectors[kept]


def clusters_of(vectors: Vectors, count: int, rng: np.random.Generator) -> NDArray[np.intp]:
    """k-means on the sphere: the cluster of each row (N,), numbered by first appearance.

    The best of eight starts, by the sum of the rows' cosines with their centres.

    Source: Dhillon and Modha (2001), spherical k-means; starts are drawn as by Arthur and
    Vassilvitskii (2007), greedy k-means++. Differs: a cluster that runs empty takes the row that
    lies farthest from its own centre.
    """
    count = min(count, len(vectors))
    starts = _STARTS if count > 1 else 1
    runs = [_run(vectors, _start(vectors, count, rng)) for _ in range(starts)]
    labels = max(runs, key=lambda one: one[0])[1]
    _, first, names = np.unique(labels, return_index=True, return_inverse=True)
    rank = np.argsort(np.argsort(first))
    return np.asarray(rank[names], dtype=np.intp)


def _run(vectors: Vectors, centres: Vectors) -> tuple[float, NDArray[np.intp]]:
    """(sum of cosines, labels) of one start."""
    labels = np.full(len(vectors), -1, dtype=np.intp)
    every = np.arange(len(vectors))
    near = vectors @ centres.T
    for _ in range(_ROUNDS):
        new = near.argmax(axis=1)
        for empty in np.setdiff1d(np.arange(len(centres)), new):
            sizes = np.bincount(new, minlength=len(centres))
            own = np.where(sizes[new] > 1, near[every, new], np.inf)
            new[int(own.argmin())] = empty
        if np.array_equal(new, labels):
            break
        labels = new
        sums = np.zeros_like(centres)
        np.add.at(sums, labels, vectors)
        centres = sums / np.maximum(np.linalg.norm(sums, axis=1, keepdims=True), 1e-12)
        near = vectors @ centres.T
    return float(near[every, labels].sum()), labels


def _start(vectors: Vectors, count: int, rng: np.random.Generator) -> Vectors:
    """Rows far from one another: of a few drawn by distance the one that brings most near."""
    chosen = [int(rng.integers(len(vectors)))]
    far = np.maximum(1.0 - vectors @ vectors[chosen[0]], 0.0)
    while len(chosen) < count:
        weight = far.astype(float)
        weight[chosen] = 0.0
        if weight.sum() <= 1e-9:
            chosen.append(int(rng.choice(np.setdiff1d(np.arange(len(vectors)), chosen))))
            continue
        tried = rng.choice(len(vectors), size=_TRIED, p=weight / weight.sum())
        left = [np.minimum(far, np.maximum(1.0 - vectors @ vectors[at], 0.0)) for at in tried]
        best = int(np.argmin([one.sum() for one in left]))
        chosen.append(int(tried[best]))
        far = left[best]
    return vectors[chosen].copy()


@dataclass(frozen=True, slots=True)
class Drawn:
    """Which rows were drawn, in order of appearance, and the cluster of every row (N,)."""

    rows: tuple[int, ...]
    clusters: NDArray[np.intp]


def drawn(vectors: Vectors, count: int, clusters: int, rng: np.random.Generator) -> Drawn:
    """Rows from all clusters in turn: first the one nearest to each centre, then those farthest
    from all that were drawn; larger clusters come first.

    Args:
        count: rows to draw; all where there are fewer.
        clusters: how many to make.
    """
    labels = clusters_of(vectors, clusters, rng)
    members = [np.flatnonzero(labels == one) for one in range(int(labels.max()) + 1)]
    turns = sorted(range(len(members)), key=lambda one: (-len(members[one]), one))
    taken: list[int] = []
    while len(taken) < min(count, len(vectors)):
        for one in turns:
            free = np.setdiff1d(members[one], taken)
            if len(free) and len(taken) < count:
                first = len(free) == len(members[one])
                taken.append(_central(vectors, free) if first else _far(vectors, free, taken))
    return Drawn(tuple(sorted(taken)), labels)


def _central(vectors: Vectors, rows: NDArray[np.intp]) -> int:
    centre = vectors[rows].sum(axis=0)
    return int(rows[int((vectors[rows] @ centre).argmax())])


def _far(vectors: Vectors, rows: NDArray[np.intp], taken: Sequence[int]) -> int:
    near = (vectors[rows] @ vectors[list(taken)].T).max(axis=1)
    return int(rows[int(near.argmin())])


def nearest(vectors: Vectors) -> float:
    """The mean cosine of each row with the nearest other one: lower is more diverse."""
    if len(vectors) < 2:
        return float("nan")
    near = vectors @ vectors.T
    np.fill_diagonal(near, -np.inf)
    return float(near.max(axis=1).mean())
