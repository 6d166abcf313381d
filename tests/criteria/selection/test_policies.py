"""Policies: what each goes by, on pools where that can be told."""

from __future__ import annotations

import numpy as np
import pytest
from tests.criteria.selection.planted import planted

from assize.criteria._selection import POLICIES, Budget, Objective, Pool
from assize.criteria._selection.policies import Settings


@pytest.mark.parametrize("name", POLICIES)
def test_every_policy_spends_the_budgets(name: str) -> None:
    pool, _ = planted(0, criteria=26)
    settings = Settings(Budget(2, 1))
    chosen = POLICIES[name](pool, settings)
    assert sorted(bool(pool.sat[one]) for one in chosen) == [False, True, True]
    assert chosen == POLICIES[name](pool, settings)


@pytest.mark.parametrize("name", ["rubicon", "correctness", "brute-force"])
def test_policies_that_see_everything_find_what_is_planted(name: str) -> None:
    policy, pools = POLICIES[name], map(planted, range(5))
    shares = [len(true & {*policy(pool, Settings())}) / 20 for pool, true in pools]
    assert np.mean(shares) >= 0.9


def test_correctness_alone_takes_the_best_separations_one_by_one() -> None:
    pool, _ = planted(2, effect=0.3)
    apart = pool.scores[pool.good].mean(axis=0) - pool.scores[~pool.good].mean(axis=0)
    chosen = POLICIES["correctness"](pool, Settings(Budget(10, 0), Objective(weight=7)))
    assert apart[chosen].sum() == pytest.approx(np.sort(apart[pool.sat])[-10:].sum())


def test_a_criterion_that_always_holds_wins_only_without_signs() -> None:
    scores = np.array([[10.0, 7.5], [10, 7.5], [10, 0], [10, 0]])
    pool = Pool.of(scores, [True, True], [True, True, False, False])
    one = Budget(1, 0)
    assert POLICIES["brute-force"](pool, Settings(one)) == [1]
    assert POLICIES["brute-force"](pool, Settings(one, signed=False)) == [0]


def test_a_bandit_finds_what_brute_force_does_where_batches_say_the_same() -> None:
    rng = np.random.default_rng(3)
    scores = np.tile(rng.permutation(40) / 4, (30, 1))  # the same of every conversation
    pool = Pool.of(scores, np.arange(40) < 20, np.arange(30) < 15)
    unsigned = Settings(Budget(3, 3), signed=False)
    assert POLICIES["ucb"](pool, unsigned) == POLICIES["brute-force"](pool, unsigned)


def test_a_bandit_with_few_rounds_finds_most_of_what_is_planted() -> None:
    shares = []
    for seed in range(10):
        pool, true = planted(seed, effect=1.5, criteria=40)
        shares.append(len(true & {*POLICIES["ucb"](pool, Settings(seed=seed))}) / 20)
    assert np.mean(shares) >= 0.7
