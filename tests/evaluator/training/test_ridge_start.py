from __future__ import annotations

import numpy as np

from assize.evaluator._training.ridge_start import label_loss, ridge_weights


def test_one_feature_by_hand() -> None:
    # x = 1, 1, -1 and p = 1, 1, 0: sum of x (2 p - 1) is 3, of squares 3, penalty 1 a pair: 3 / 6,
    # and of the scales the largest, as every label is on its side
    x = np.array([[1.0], [1.0], [-1.0]], np.float32)
    posterior = np.array([[1.0], [1.0], [0.0]])
    found = ridge_weights(x, posterior, np.zeros((1, 3), bool), 1.0)
    np.testing.assert_allclose(found, [[[0.5 * 8]]], rtol=1e-6)


def test_a_member_does_not_learn_from_what_it_holds_out() -> None:
    rng = np.random.default_rng(0)
    x = rng.normal(size=(40, 3)).astype(np.float32)
    p = 1 / (1 + np.exp(-x @ [2.0, 0.0, -1.0]))
    held = np.zeros((2, 40), bool)
    held[0, :10] = held[1, 10:20] = True
    found = ridge_weights(x, p[:, None], held, 0.1)
    spoilt = x.copy()
    spoilt[:10] *= -1
    other = ridge_weights(spoilt, p[:, None], held, 0.1)
    direction = [one[0, :, 0] / np.linalg.norm(one[0, :, 0]) for one in (found, other)]
    np.testing.assert_allclose(direction[0], direction[1], rtol=1e-4)
    assert not np.allclose(found[1], other[1], rtol=0.1)


def test_the_scale_is_the_likeliest_of_those_tried() -> None:
    rng = np.random.default_rng(1)
    x = rng.normal(size=(500, 2)).astype(np.float32)
    labels = (x @ [1.0, 1.0] + rng.normal(size=500) * np.sqrt(2) > 0).astype(float)
    found = ridge_weights(x, labels[:, None], np.zeros((1, 500), bool), 0.1)
    np.testing.assert_allclose(found[0, :, 0], [1.0, 1.0], rtol=0.25)
    d = (x @ found[0]).astype(float)
    costs = [label_loss(by * d, labels[:, None])[0] for by in (0.8, 1.0, 1.25)]
    assert costs[1] <= min(costs[0], costs[2])


def test_a_question_that_nobody_votes_on_begins_at_nothing() -> None:
    x = np.ones((3, 1), np.float32)
    assert not ridge_weights(x, np.full((3, 1), np.nan), np.zeros((1, 3), bool), 0.1).any()
