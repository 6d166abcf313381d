"""Policies: what each goes by, on pools where that can be told."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from tests.criteria.selection.planted import planted

from assize.criteria._selection import POLICIES, Budget, Objective, Pool
from assize.criteria._selection.policies import Settings, rewards
from assize.criteria._selection.pool import NEUTRAL


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


@pytest.mark.parametrize("share", [0.1, 0.25, 0.8])
def test_rewards_weigh_both_classes_alike(share: float) -> None:
    rng = np.random.default_rng(5)
    good = rng.random(400) < share
    sat = np.arange(30) < 15
    lean = np.where(good, 1.0, -1.0)[:, None] * rng.random(30) * np.where(sat, 1, -1)
    pool = Pool.of(np.clip(5 + 2 * rng.normal(size=(400, 30)) + lean, 0, 10), sat, good)
    alone = POLICIES["correctness"](pool, Settings(Budget(5, 5)))
    assert set(POLICIES["brute-force"](pool, Settings(Budget(5, 5)))) == set(alone)
    apart = pool.scores[good].mean(axis=0) - pool.scores[~good].mean(axis=0)
    assert rewards(pool, Settings()).mean(axis=0) == pytest.approx(apart / 2)


def test_each_polarity_has_a_bandit_of_its_own() -> None:
    # SAT criteria earn far more than DSAT ones; a shared bandit would hardly draw a DSAT one.
    rng = np.random.default_rng(7)
    good = np.arange(300) < 240
    scores = np.full((300, 60), 5.0)
    scores[:, :30] = np.where(good, 9.0, 1.0)[:, None] + rng.normal(0, 0.3, (300, 30))
    scores[:, 30:] = 5 + rng.normal(0, 1, (300, 30))
    scores[:, 30:33] -= np.where(good, 1.5, -1.5)[:, None]
    pool = Pool.of(np.clip(scores, 0, 10), np.arange(60) < 30, good)
    found = 0
    for seed in range(10):
        chosen = POLICIES["ucb"](pool, Settings(Budget(0, 3), seed=seed))
        found += len(set(chosen) & {30, 31, 32})
    assert found >= 27


def test_the_bandit_explores_in_units_of_its_rewards() -> None:
    # The same evaluations a hundred times as far from neutral lead to the same choice.
    pool, _ = planted(4, criteria=40)
    neutral = np.where(pool.sat, NEUTRAL, -NEUTRAL)
    wide = replace(pool, scores=neutral + 100 * (pool.scores - neutral))
    for seed in range(3):
        settings = Settings(seed=seed)
        assert POLICIES["ucb"](pool, settings) == POLICIES["ucb"](wide, settings)
