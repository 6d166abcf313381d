"""What each metric contributes to a prediction: Shapley values against the average continuation.

The value of a group of metrics is the prediction with theirs as measured and all others at their
average (0, as metrics are standardised): the interventional form of TreeSHAP with one background
row (Lundberg et al. 2020, "From local explanations to global understanding", algorithm 3). Of a
tree they are exact: a leaf is reached by a group G just when every metric that only the row takes
there is in G, and none that only the average takes there is; the Shapley values of such a game are
known. With |X| of the former and |Y| of the latter, a leaf of value v gives each of the former
v (|X|-1)! |Y|! / (|X|+|Y|)!, and each of the latter -v |X|! (|Y|-1)! / (|X|+|Y|)!. A linear model's
are coefficient times deviation. For other functions they are averaged over orders of the metrics.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Protocol

import numpy as np
from scipy.special import gammaln

from assize.stats.arrays import FloatArray, IntArray

ORDERS = 100  # of the metrics, each with its reverse, where Shapley values are sampled
LEAF = -1


class Nodes(Protocol):
    """Trees as arrays; see `trees.Trees`."""

    @property
    def roots(self) -> IntArray: ...  # noqa: D102
    @property
    def feature(self) -> IntArray: ...  # noqa: D102
    @property
    def threshold(self) -> FloatArray: ...  # noqa: D102
    @property
    def left(self) -> IntArray: ...  # noqa: D102
    @property
    def right(self) -> IntArray: ...  # noqa: D102
    @property
    def value(self) -> FloatArray: ...  # noqa: D102


def tree_contributions(trees: Nodes, z: FloatArray) -> FloatArray:
    """(N, M) Shapley values of the sum over all trees; they add up to prediction less average."""
    read = z.astype(np.float32).astype(np.float64)
    found = np.zeros_like(read)
    background = np.zeros(read.shape[1])
    ends = np.append(trees.roots[1:], len(trees.feature))
    for root, end in zip(trees.roots.tolist(), ends.tolist(), strict=True):
        for leaf, (metrics, low, high) in _paths(trees, root, end):
            _add(found, read[:, metrics], background[metrics], metrics, low, high,
                 float(trees.value[leaf]))  # fmt: skip
    return found


def _paths(
    trees: Nodes, root: int, end: int
) -> Iterator[tuple[int, tuple[IntArray, FloatArray, FloatArray]]]:
    """Every leaf of a tree with the metrics on its way, and between what values each must be."""
    limits: list[dict[int, tuple[float, float]]] = [{} for _ in range(end - root)]
    for node in range(root, end):
        known = limits[node - root]
        metric = int(trees.feature[node])
        if metric == LEAF:
            names = np.array(list(known), dtype=np.int64)
            ends = np.array(list(known.values())).reshape(-1, 2)
            yield node, (names, ends[:, 0], ends[:, 1])
            continue
        low, high = known.get(metric, (-np.inf, np.inf))
        at = float(trees.threshold[node])
        limits[int(trees.left[node]) - root] = {**known, metric: (low, min(high, at))}
        limits[int(trees.right[node]) - root] = {**known, metric: (max(low, at), high)}


def _add(
    found: FloatArray, said: FloatArray, average: FloatArray, metrics: IntArray,
    low: FloatArray, high: FloatArray, value: float,
) -> None:  # fmt: skip
    """Adds what one leaf contributes, for every row at once."""
    row = (said > low) & (said <= high)  # (N, metrics on the way)
    other = (average > low) & (average <= high)
    only_row, only_other = row & ~other, ~row & other
    reached = (row | other).all(axis=1)
    if not reached.any():
        return
    x, y = only_row[reached].sum(axis=1), only_other[reached].sum(axis=1)
    log_all = gammaln(x + y + 1)
    to_row = np.where(x > 0, np.exp(gammaln(np.maximum(x, 1)) + gammaln(y + 1) - log_all), 0)
    to_other = np.where(y > 0, np.exp(gammaln(x + 1) + gammaln(np.maximum(y, 1)) - log_all), 0)
    shares: FloatArray = (
        only_row[reached] * to_row[:, None] - only_other[reached] * to_other[:, None]
    )
    rows = np.flatnonzero(reached)
    found[np.ix_(rows, metrics)] += value * shares


def sampled_contributions(
    predict: Callable[[FloatArray], FloatArray], z: FloatArray, orders: int = ORDERS
) -> FloatArray:
    """(N, M) Shapley values of any function, averaged over random orders and their reverses.

    Whatever the orders, they add up to prediction less average exactly; the orders are drawn with
    a fixed seed, so the same row has the same values.
    """
    count, metrics = z.shape
    rng = np.random.default_rng([0, metrics])
    found = np.zeros_like(z)
    drawn = [rng.permutation(metrics) for _ in range(orders)]
    for order in (one for half in drawn for one in (half, half[::-1])):
        steps = np.zeros((metrics + 1, count, metrics))
        for place, metric in enumerate(order.tolist()):
            steps[place + 1] = steps[place]
            steps[place + 1, :, metric] = z[:, metric]
        said = predict(steps.reshape(-1, metrics)).reshape(metrics + 1, count)
        found[:, order] += np.diff(said, axis=0).T
    return found / (2 * orders)
