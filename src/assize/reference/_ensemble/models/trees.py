"""Trees as arrays, one or a forest, with a predictor of their own.

A forest's prediction is the mean over its trees. Loading and predicting need no scikit-learn.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np

from assize.base.errors import DataError
from assize.stats._arrays import FloatArray, IntArray

LEAF = -1
CELLS = 4_000_000  # rows times trees that are walked at once


@dataclass(frozen=True, slots=True, eq=False)
class Trees:
    """T trees, whose nodes stand one tree after the other, parents before children.

    Args:
        roots: (T,) each tree's first node.
        feature: (K,) the metric that a node looks at; LEAF where it is a leaf.
        threshold: (K,) of the metric as a number of 32 bits; up to it the way is left.
        left, right: (K,) nodes; the leaf itself at a leaf.
        value: (K,) what a leaf says.
    """

    kind: ClassVar[str] = "trees"

    roots: IntArray
    feature: IntArray
    threshold: FloatArray
    left: IntArray
    right: IntArray
    value: FloatArray

    def __post_init__(self) -> None:
        count = len(self.feature)
        nodes = (self.feature, self.threshold, self.left, self.right, self.value)
        if any(part.shape != (count,) for part in nodes):
            raise DataError("its trees' arrays differ in length")
        own, inner = np.arange(count), self.feature != LEAF
        ahead = (self.left > own) & (self.right > own)  # or a walk might not end
        inside = np.maximum(self.left, self.right) < count
        stays = (self.left == own) & (self.right == own)  # other rows may still be on their way
        walks = np.where(inner, ahead & inside, stays).all() and (self.feature >= LEAF).all()
        roots = self.roots.ndim == 1 and len(self.roots) and (self.roots >= 0).all()
        if not (walks and roots) or (self.roots >= count).any():
            raise DataError("its trees do not hang together")

    def predict(self, z: FloatArray) -> FloatArray:
        """See `Model`; equal to scikit-learn's, which reads metrics with 32 bits too."""
        size = max(1, CELLS // len(self.roots))
        parts = [self._leaves(z[at : at + size]) for at in range(0, len(z), size)]
        sums = [self.value[one].sum(axis=1) for one in parts]
        return 1 / len(self.roots) * np.concatenate([np.empty(0), *sums])

    def _leaves(self, z: FloatArray) -> IntArray:
        """(N, T) the leaf that each row reaches in each tree."""
        read = z.astype(np.float32).astype(np.float64)
        node = np.tile(self.roots, (len(z), 1))
        row = np.arange(len(z))[:, None]
        while (inner := self.feature[node] != LEAF).any():
            there = read[row, np.where(inner, self.feature[node], 0)] <= self.threshold[node]
            node = np.where(there, self.left[node], self.right[node])
        return node

    def fits(self, metrics: int) -> bool:
        """See `Model`."""
        return bool((self.feature < metrics).all())

    @classmethod
    def of_sklearn(cls, fitted: Sequence[Any]) -> Self:
        """Of scikit-learn's regression trees."""
        sizes = [one.tree_.node_count for one in fitted]
        roots = np.cumsum([0, *sizes])[:-1]
        parts = []
        for root, one in zip(roots.tolist(), fitted, strict=True):
            tree = one.tree_
            leaf = tree.children_left == LEAF
            own = np.arange(tree.node_count)
            parts.append(
                (
                    np.where(leaf, LEAF, tree.feature),
                    np.where(leaf, 0.0, tree.threshold),
                    root + np.where(leaf, own, tree.children_left),
                    root + np.where(leaf, own, tree.children_right),
                    tree.value[:, 0, 0],
                )
            )
        feature, threshold, left, right, value = (
            np.concatenate(one) for one in zip(*parts, strict=True)
        )
        return cls(
            roots.astype(np.int64),
            feature.astype(np.int64),
            threshold.astype(np.float64),
            left.astype(np.int64),
            right.astype(np.int64),
            value.astype(np.float64),
        )
