from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from assize.simulation.mining.diverse import clusters_of, drawn, merged, nearest
from assize.simulation.mining.queries import Query


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


def test_planted_clusters_are_found_again() -> None:
    sizes = [60, 25, 10, 5, 3]
    labels = clusters_of(planted(sizes), 5, np.random.default_rng(1))
    assert labels.tolist() == np.repeat(np.arange(5), sizes).tolist()


def test_topics_come_from_every_cluster_whatever_its_size() -> None:
    """Of 100 rows 90 lie in one cluster: five at random would come from 1.4 of five clusters."""
    vectors = planted([90, 4, 3, 2, 1])
    found = drawn(vectors, 5, 5, np.random.default_rng(0))
    assert sorted(found.clusters[list(found.rows)].tolist()) == [0, 1, 2, 3, 4]
    assert nearest(vectors[list(found.rows)]) < 0.3 < nearest(vectors[:5])


@given(st.integers(1, 12), st.integers(1, 12), st.integers(0, 3))
def test_a_draw_has_as_many_rows_as_asked_and_is_the_same_for_a_seed(
    count: int, clusters: int, seed: int
) -> None:
    vectors = planted([4, 3, 2], seed=seed)
    one = drawn(vectors, count, clusters, np.random.default_rng(seed))
    two = drawn(vectors, count, clusters, np.random.default_rng(seed))
    assert one.rows == two.rows
    assert len(set(one.rows)) == min(count, 9)


def test_rows_that_are_all_the_same_are_drawn_too() -> None:
    vectors = np.repeat(planted([1]), 4, axis=0)
    assert len(drawn(vectors, 3, 3, np.random.default_rng(0)).rows) == 3


def test_near_duplicates_are_merged_into_the_one_asked_most() -> None:
    vectors = planted([2, 1], noise=0.01)
    queries = [Query("a", 1, {"x": 1}), Query("b", 5, {"x": 2, "y": 1}), Query("c", 2)]
    kept, rows = merged(queries, vectors, 0.9)
    assert kept == [Query("b", 6, {"x": 3, "y": 1}), Query("c", 2)]
    assert np.array_equal(rows, vectors[1:])
    assert merged(queries, vectors, 1.0)[0] == queries


def test_one_topic_has_no_nearest() -> None:
    assert np.isnan(nearest(planted([1])))
