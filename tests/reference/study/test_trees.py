"""A tree as it is drawn: the same questions and counts as scikit-learn's."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from assize.reference._ensemble.examples import Examples
from assize.reference._ensemble.fitting import Fit, fit_examples
from assize.reference._study.trees import Node, tree_of
from assize.stats._arrays import FloatArray

NAMES = ["first", "second", "third"]


X = 10 + 3 * np.random.default_rng(4).normal(size=(200, 3))
Y = np.where(X[:, 1] > 11, 4.0, np.where(X[:, 0] > 9, 2.0, 1.0))


def fit(name: str, y: FloatArray = Y) -> Fit:
    alone = np.zeros(len(y), dtype=np.int64)
    return fit_examples(Examples(X, y, np.arange(len(y)), alone, np.ones(len(y))), name)


def test_counts_thresholds_and_values_are_scikit_learns() -> None:
    sklearn = pytest.importorskip("sklearn.tree")
    noisy = Y + np.random.default_rng(0).normal(size=len(Y))
    z = (X - X.mean(axis=0)) / X.std(axis=0)
    theirs = sklearn.DecisionTreeRegressor(random_state=0).fit(z, noisy).tree_
    found = tree_of(fit("paper-tree", noisy), NAMES, X, depth=99)

    def same(node: Node, at: int) -> int:
        assert node.n == theirs.n_node_samples[at]
        assert node.value == pytest.approx(theirs.value[at, 0, 0])
        if node.low is None or node.high is None:
            assert theirs.children_left[at] == -1
            return 1
        feature = theirs.feature[at]
        assert node.metric == NAMES[feature]
        assert node.threshold == pytest.approx(
            X[:, feature].mean() + X[:, feature].std() * theirs.threshold[at]
        )
        below = theirs.children_left[at], theirs.children_right[at]
        return 1 + same(node.low, below[0]) + same(node.high, below[1])

    assert same(found, 0) == theirs.node_count


def test_the_drawing_ends_at_its_depth_and_counts_what_is_left() -> None:
    whole = tree_of(fit("paper-tree"), NAMES, X, depth=99)
    cut: Any = tree_of(fit("paper-tree"), NAMES, X, depth=1)
    assert (cut.low.low, cut.high.low) == (None, None)
    assert (cut.low.further, cut.low.question) == (1, "(1 more question)")
    assert cut.value == pytest.approx(whole.value)
    assert tree_of(fit("paper-forest"), NAMES, X).n == len(Y)  # its first tree


def test_a_tree_reads_as_text() -> None:
    tree = Node(2.5, 1200, "cosine", 0.5, Node(1.0, 700), Node(4.6, 500, further=3))
    assert tree.text().splitlines() == [
        "2.50 (1,200)  cosine <= 0.50",
        "    yes: 1.00 (700)",
        "    no:  4.60 (500)  (3 more questions)",
    ]
