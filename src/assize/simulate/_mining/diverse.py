"""A few queries that are as unlike one another as the log allows: merged, drawn."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from assize.simulate._mining.queries import Query, together

Vectors = NDArray[np.float32]
SAME = 0.9  # cosine from which two queries mean the same


def merged(queries: Sequence[Query], vectors: Vectors) -> tuple[list[Query], Vectors]:
    """Queries without near-duplicates; the one asked most often stands for the others.

    Args:
        vectors: (N, D) of length 1; a cosine of `SAME` or more means the same.

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
            if near[best] >= SAME:
                leader = leaders[best]
                stands[leader] = together(stands[leader], queries[at])
                continue
        held[len(leaders)] = vectors[at]
        leaders.append(at)
        stands[at] = queries[at]
    kept = sorted(leaders)
    return [stands[at] for at in kept], vectors[kept]


def farthest(vectors: Vectors, count: int, rng: np.random.Generator) -> tuple[int, ...]:
    """Rows that are far from one another, in order of appearance; all where there are fewer.

    The first is drawn at random; each next one is the row whose nearest drawn row is farthest, of
    equal ones the first.

    Args:
        vectors: (N, D) of length 1.
        count: rows to draw.

    Source: Gonzalez (1985), farthest-first traversal, by cosine.
    """
    rows = [int(rng.integers(len(vectors)))]
    near = vectors @ vectors[rows[0]]
    near[rows] = np.inf
    while len(rows) < min(count, len(vectors)):
        rows.append(int(near.argmin()))
        near = np.maximum(near, vectors @ vectors[rows[-1]])
        near[rows] = np.inf
    return tuple(sorted(rows))
