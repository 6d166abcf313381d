"""The network as a learner."""

from __future__ import annotations

import numpy as np
import pytest
from tests.evaluator.study.planted import accuracy, halves, planted

from assize.base.errors import DataError
from assize.evaluator._study.networks import network, network_learner
from assize.evaluator._training.settings import settings_of
from assize.stats._reliability import Votes

QUICK = settings_of("linear", epochs=20, members=2, embeddings=1.0, shape=1.0)


def test_it_learns_which_side_is_better() -> None:
    data = planted(n=400)
    fitted, held = halves(data)
    assert accuracy(data, held, network(data, fitted, QUICK)(data, held)) > 0.7


def test_one_seed_gives_one_network() -> None:
    data = planted(n=120)
    fitted, held = halves(data)
    learn = network_learner(QUICK)
    one, same, other = (learn(data, fitted, seed)(data, held) for seed in (0, 0, 1))
    np.testing.assert_array_equal(one, same)
    assert not np.array_equal(one, other)


def test_without_a_vote_for_a_side_nothing_is_learnt() -> None:
    data = planted(n=40)
    zeros = np.zeros_like(data.votes.for_a)
    object.__setattr__(data, "votes", Votes(zeros, zeros, zeros + 1))
    with pytest.raises(DataError, match="nothing can be learnt"):
        network(data, np.arange(40), QUICK)
