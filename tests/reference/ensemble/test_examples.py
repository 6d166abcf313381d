from __future__ import annotations

import numpy as np

from assize.reference._ensemble.examples import INNER, Examples, weigh_corpora


def examples(groups: list[int], weights: list[float]) -> Examples:
    n = len(groups)
    alone = np.zeros(n, dtype=np.int64)
    return Examples(
        np.ones((n, 1)), np.arange(float(n)), np.array(groups), alone, np.array(weights)
    )


def test_each_corpus_counts_alike_and_the_mean_weight_is_one() -> None:
    weights = weigh_corpora(np.array([0, 0, 0, 2]))
    assert weights[:3].sum() == weights[3]
    assert weights.mean() == 1


def test_equal_weights_are_none_to_a_forest() -> None:
    assert examples([0, 1], [1, 1]).shares is None
    assert examples([0, 1], [1, 3]).shares is not None


def test_the_penalty_is_chosen_on_folds_of_conversations() -> None:
    groups = np.repeat(np.arange(20), 2)
    fold = examples(groups.tolist(), [1.0] * 40).fold
    assert (fold[::2] == fold[1::2]).all()
    assert len(set(fold.tolist())) == INNER
    assert examples([0, 0, 0], [1.0] * 3).fold.tolist() == [0, 1, 2]
