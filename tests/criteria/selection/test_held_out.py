"""How a choice does on what it has not seen, and how often it comes out alike."""

from __future__ import annotations

import numpy as np
from tests.criteria.selection.planted import planted

from assize.criteria._selection import Budget, Objective, Pool, grow
from assize.criteria._selection.held_out import held_out, survival
from assize.criteria._selection.window import WANTED


def choose(pool: Pool) -> list[int]:
    return [step.criterion for step in grow(pool, Budget(), Objective(0.0))]


def test_held_out_figures_are_below_those_of_the_training_set() -> None:
    pool, _ = planted(0, effect=0.3, each=60, criteria=100)
    found = held_out(pool, choose, wanted=WANTED, rng=np.random.default_rng(0))
    nets = pool.net(choose(pool))
    assert found.separation < nets[pool.good].mean() - nets[~pool.good].mean()
    assert 0 <= found.yielded.share <= 1
    assert found.yielded.n == 120
    assert np.bincount(found.folds).tolist() == [24] * 5


def test_scores_come_from_criteria_that_were_chosen_without() -> None:
    pool, _ = planted(1, each=20, criteria=40)
    seen: list[int] = []

    def first(some: Pool) -> list[int]:
        seen.append(len(some.good))
        return [0]

    found = held_out(pool, first, wanted=WANTED, rng=np.random.default_rng(0))
    assert seen == [32] * 5
    assert np.array_equal(found.nets, pool.scores[:, 0])


def test_what_is_planted_survives_and_the_rest_does_not() -> None:
    pool, true = planted(0, effect=1.0)
    found = survival(pool, choose, 20, np.random.default_rng(0))
    others = [one for one in range(len(found)) if one not in true]
    assert found[sorted(true)].mean() > 0.7
    assert found[others].mean() < 0.05
    assert found.sum() == 20  # of each sample ten of both kinds
