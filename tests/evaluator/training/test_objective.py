from __future__ import annotations

import numpy as np
import pytest
from planted import plant

from assize.evaluator._training.given_differences import Reliabilities
from assize.evaluator._training.objective import (
    cost_of_labels,
    cost_of_votes,
    for_members,
    logits_of,
    reliabilities_of,
)
from assize.stats._reliability import mixture


def test_members_do_not_see_what_they_hold_out() -> None:
    votes = plant(6).lessons.votes
    held = np.array([[True, False, False, False, False, False], [False] * 6])
    found = for_members(votes, held)
    assert found.shape == (6, 5, 4)
    np.testing.assert_array_equal(found.for_a[:, :, 2:], votes.for_a)
    assert not found.for_a[0, :, :2].any()
    np.testing.assert_array_equal(found.for_b[1:, :, :2], votes.for_b[1:])


def test_the_cost_of_votes_is_the_mixtures_at_the_logits() -> None:
    truth = plant(30)
    difference = np.random.default_rng(0).normal(size=(30, 2))
    at = Reliabilities(truth.alpha, truth.beta)
    found = cost_of_votes(truth.lessons.votes, difference, logits_of(at))
    direct = mixture(truth.lessons.votes, difference, truth.alpha, truth.beta)
    assert found.value == pytest.approx(direct.value)
    np.testing.assert_allclose(found.logits[1], direct.beta)
    np.testing.assert_allclose(reliabilities_of(logits_of(at)).alpha, truth.alpha)


def test_labels_that_are_certain_cost_a_probit() -> None:
    # Phi(1 / sqrt 2) = 0.7602; a tie of knowledge costs the mean of both sides
    value = cost_of_labels(np.array([[1.0], [5.0]]), np.array([[1.0], [np.nan]]))
    assert value == pytest.approx(-np.log(0.76024994), abs=1e-7)
