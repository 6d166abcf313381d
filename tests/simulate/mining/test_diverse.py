from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from assize.simulate._mining.diverse import farthest, merged
from assize.simulate._mining.queries import Query


def planted(sizes: list[int], noise: float = 0.05, seed: int = 0) -> np.ndarray:
    """Rows around orthogonal axes, so many each, of length 1."""
    rng = np.random.default_rng(seed)
    rows = [
        np.eye(16)[axis] + noise * rng.standard_normal(16)
        for axis, size in enumerate(sizes)
        for _ in range(size)
    ]
    found = np.array(rows, dtype=np.float32)
    return np.asarray(found / np.linalg.norm(found, axis=1, keepdims=True), dtype=np.float32)


def test_known_points_are_drawn_the_farthest_first() -> None:
    """On a half circle, at these degrees: from 0 the farthest is 180, then 90, then 140.

    140 lies 40 degrees from 180; 30 lies 30 from 0, and 60 lies 30 from 90.
    """
    angles = np.radians([0, 10, 30, 60, 90, 140, 180])
    vectors = np.stack([np.cos(angles), np.sin(angles)], axis=1).astype(np.float32)
    first = next(seed for seed in range(99) if np.random.default_rng(seed).integers(7) == 0)

    def drawn(count: int) -> tuple[int, ...]:
        return farthest(vectors, count, np.random.default_rng(first))

    assert drawn(1) == (0,)
    assert drawn(2) == (0, 6)
    assert drawn(3) == (0, 4, 6)
    assert drawn(4) == (0, 4, 5, 6)


@given(st.integers(1, 12), st.integers(0, 3))
def test_a_draw_has_as_many_rows_as_asked_and_is_the_same_for_a_seed(count: int, seed: int) -> None:
    vectors = planted([4, 3, 2], seed=seed)
    one = farthest(vectors, count, np.random.default_rng(seed))
    assert one == farthest(vectors, count, np.random.default_rng(seed))
    assert len(set(one)) == min(count, 9)
    assert list(one) == sorted(one)


def test_rows_that_are_all_the_same_are_drawn_too() -> None:
    vectors = np.repeat(planted([1]), 4, axis=0)
    assert len(set(farthest(vectors, 3, np.random.default_rng(0)))) == 3


def test_near_duplicates_are_merged_into_the_one_asked_most() -> None:
    vectors = planted([2, 1], noise=0.01)
    queries = [Query("a", 1, {"x": 1}), Query("b", 5, {"x": 2, "y": 1}), Query("c", 2)]
    kept, rows = merged(queries, vectors)
    assert kept == [Query("b", 6, {"x": 3, "y": 1}), Query("c", 2)]
    assert np.array_equal(rows, vectors[1:])
    assert merged(queries, planted([1, 1, 1]))[0] == queries
