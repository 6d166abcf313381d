"""One tree of an ensemble, to be looked at (UPHELD, figure 6)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from assize.reference._ensemble.fitting import Fit
from assize.reference._ensemble.models.trees import LEAF, Trees
from assize.reference._study.data import Mask
from assize.results.numbers import counted, number
from assize.stats._arrays import FloatArray

DEPTH = 3  # questions below each other that are drawn


@dataclass(frozen=True, slots=True)
class Node:
    """A place in a tree, with the items that come to it.

    Args:
        value: mean of what the tree says of them, on the scale of the ratings.
        n: how many they are.
        metric: what is looked at; None at a leaf, and where the drawing ends.
        threshold: up to it the way is to `low`, above it to `high`; in the metric's own unit.
        further: questions below that are not drawn.
    """

    value: float
    n: int
    metric: str | None = None
    threshold: float | None = None
    low: Node | None = None
    high: Node | None = None
    further: int = 0

    @property
    def question(self) -> str:
        """`cosine <= 0.52`; what is not drawn, or nothing at a leaf."""
        if self.metric is not None and self.threshold is not None:
            return f"{self.metric} <= {number(self.threshold, None)}"
        return f"({counted(self.further, 'more question')})" if self.further else ""

    def text(self) -> str:
        """The tree as lines, deeper ones further in."""
        return "\n".join(self._lines("", ""))

    def _lines(self, lead: str, answer: str) -> Iterator[str]:
        said = f"{number(self.value, 2)} ({self.n:,})"
        yield f"{lead}{answer}{said}  {self.question}".rstrip()
        for word, one in (("yes: ", self.low), ("no:  ", self.high)):
            if one is not None:
                yield from one._lines(lead + "    ", word)


def tree_of(fit: Fit, names: Sequence[str], metrics: FloatArray, *, depth: int = DEPTH) -> Node:
    """The first tree of a fitted tree or forest.

    Args:
        names: (M,) of the metrics.
        metrics: (N, M) items that are counted on their way; without a missing value.
        depth: questions below each other that are kept.
    """
    trees = fit.model
    assert isinstance(trees, Trees)
    z = fit.reading(metrics).astype(np.float32).astype(np.float64)

    def said(leaf: int) -> float:
        return float(fit.offset + fit.unit * trees.value[leaf])

    def grown(node: int, rows: Mask, left: int) -> Node:
        n = int(rows.sum())
        at = int(trees.feature[node])
        if at == LEAF:
            return Node(said(node), n)
        goes = z[:, at] <= trees.threshold[node]
        low, high = int(trees.left[node]), int(trees.right[node])
        below = [grown(low, rows & goes, left - 1), grown(high, rows & ~goes, left - 1)]
        mean = sum(one.n * one.value for one in below) / n if n else float("nan")
        if left <= 0:
            return Node(mean, n, further=1 + sum(_questions(one) for one in below))
        threshold = float(fit.reading.mean[at] + fit.reading.scale[at] * trees.threshold[node])
        return Node(mean, n, names[at], threshold, below[0], below[1])

    return grown(int(trees.roots[0]), np.ones(len(z), bool), depth)


def _questions(node: Node) -> int:
    below = [one for one in (node.low, node.high) if one is not None]
    return node.further + (1 if below else 0) + sum(map(_questions, below))
