"""Greedy growth: as the plain loop has it, within the budgets, and finding what is planted."""

from __future__ import annotations

import numpy as np
import pytest
from tests.criteria.selection.plain import grown
from tests.criteria.selection.planted import planted

from assize.criteria._selection import Budget, Objective, Pool, grow
from assize.criteria._selection.greedy import grow_each


@pytest.mark.parametrize(
    ("weight", "budget"),
    [
        (0.5, Budget(3, 2)),
        (20.0, Budget(3, 2)),
        pytest.param(1.0, Budget(100, 0), id="a budget of more than there are, and of none"),
    ],
)
def test_the_set_is_that_of_the_plain_loop(weight: float, budget: Budget) -> None:
    rng = np.random.default_rng(3)
    evaluations = rng.integers(0, 5, size=(40, 14)) * 2.5
    pool = Pool.of(evaluations, np.arange(14) % 2 == 0, rng.permutation(np.repeat([1, 0], 20)))
    objective = Objective(weight)
    steps = grow(pool, budget, objective)
    assert [step.criterion for step in steps] == grown(pool, budget, objective)


@pytest.mark.parametrize("weight", [0.0, 1.0, 20.0])
def test_planted_criteria_are_recovered(weight: float) -> None:
    found = []
    for seed in range(20):
        pool, true = planted(seed)
        chosen = {step.criterion for step in grow(pool, Budget(), Objective(weight))}
        found.append(len(chosen & true) / 20)
    assert np.mean(found) >= 0.9


def test_of_equal_criteria_the_first_of_the_pool_is_taken() -> None:
    pool = Pool.of([[9, 9], [9, 9], [1, 1], [1, 1]], [True, True], [True, True, False, False])
    assert [step.criterion for step in grow(pool, Budget(2, 0), Objective(0.0))] == [0, 1]


def test_several_weights_at_once_choose_as_each_alone() -> None:
    pool, _ = planted(4, effect=0.4, each=30, criteria=40)
    weights = (0.0, 1.0, 20.0, 100.0)
    together = grow_each(pool, Budget(4, 3), Objective(), weights)
    for weight, steps in zip(weights, together, strict=True):
        assert steps == grow(pool, Budget(4, 3), Objective(weight))
    assert together[0] != together[-1]
