"""The network as a learner."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest
from tests.evaluator.study.planted import halves, held_out_accuracy, planted, without_sides

from assize.base.errors import DataError
from assize.evaluator._study.networks import network, network_learner
from assize.evaluator._training.settings import settings_of

QUICK = settings_of("linear", epochs=20, members=2, embeddings=1.0, shape=1.0)


def test_it_learns_which_side_is_better() -> None:
    fit = partial(network, settings=QUICK)
    assert held_out_accuracy(planted(n=400), fit) > 0.7
    with pytest.raises(DataError, match="nothing can be learnt"):
        fit(without_sides(planted(n=40)), np.arange(40))


def test_one_seed_gives_one_network() -> None:
    data = planted(n=120)
    fitted, held = halves(data)
    learn = network_learner(settings=QUICK)
    one, same, other = (learn(data, fitted, seed)(data, held) for seed in (0, 0, 1))
    np.testing.assert_array_equal(one, same)
    assert not np.array_equal(one, other)
