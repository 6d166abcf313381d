"""Policies: what each goes by, on pools where that can be told."""

from __future__ import annotations

import numpy as np
import pytest
from tests.criteria.selection.planted import planted

from assize.criteria.selection import POLICIES, Budget, Objective, Pool, grow
from assize.criteria.selection.policies import Settings
from assize.errors import ConfigError

SMALL = Settings(Budget(2, 2))


@pytest.mark.parametrize("name", POLICIES)
def test_every_policy_spends_the_budgets(name: str) -> None:
    pool, _ = planted(0, criteria=26)
    settings = Settings(Budget(2, 1))
    chosen = POLICIES[name](pool, settings)
    assert sorted(bool(pool.sat[one]) for one in chosen) == [False, True, True]
    assert chosen == POLICIES[name](pool, settings)


@pytest.mark.parametrize("name", ["rubicon", "correctness", "brute-force", "l1-logistic"])
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


def test_a_bandit_with_many_rounds_finds_what_brute_force_does() -> None:
    pool, _ = planted(3, effect=1.5, criteria=40)
    patient = Settings(Budget(3, 3), rounds=20_000, exploration=20.0, batch=100)
    assert {*POLICIES["ucb"](pool, patient)} == {*POLICIES["brute-force"](pool, patient)}


def test_all_sets_together_are_at_least_as_good_as_the_grown_one() -> None:
    pool, _ = planted(4, effect=0.3, each=20, criteria=30)
    small = Pool(pool.scores[:, 6:24], pool.sat[6:24], pool.good)
    objective = Objective(weight=20)
    best = POLICIES["exhaustive"](small, Settings(Budget(2, 2), objective))
    grown = [step.criterion for step in grow(small, Budget(2, 2), objective)]
    values = objective.values(np.stack([small.net(best), small.net(grown)]), small.good, 4)
    assert values[0] >= values[1]


def test_too_many_sets_are_refused_with_their_number() -> None:
    pool, _ = planted(0)
    with pytest.raises(ConfigError, match=r"15,376,005,500,625 sets are more than the 200,000"):
        POLICIES["exhaustive"](pool, Settings(Budget(4, 4)))


@pytest.mark.parametrize("given", [{"exploration": -1}, {"rounds": 0}, {"batch": 0}])
def test_settings_out_of_range_are_refused(given: dict[str, int]) -> None:
    with pytest.raises(ConfigError, match=next(iter(given))):
        Settings(**given)  # type: ignore[arg-type]
