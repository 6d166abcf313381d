"""Criteria chosen on one half of a planted pool, and measured on the other."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from tests.criteria.selection.planted import planted

from assize.base.errors import DataError
from assize.criteria._selecting import Selecting
from assize.criteria._selection import Budget
from assize.criteria._selection.policies import Settings
from assize.criteria._study.halves import Scored, halved, trial
from assize.criteria._study.measures import delta

POOL, PLANTED = planted(1, each=80, criteria=60, effect=1.2)
SCORED = Scored("ours", np.where(POOL.sat, POOL.scores, -POOL.scores), POOL.sat, POOL.good)
TRAIN = halved(POOL.good, np.random.default_rng(0))
HOW = Selecting(settings=Settings(Budget(10, 10)))


def test_halves_hold_half_of_each_class() -> None:
    good = np.array([True] * 9 + [False] * 6)
    train = halved(good, np.random.default_rng(3))
    assert (train & good).sum() == 4
    assert (train & ~good).sum() == 3
    assert (train == halved(good, np.random.default_rng(3))).all()
    assert (train != halved(good, np.random.default_rng(4))).any()


def test_planted_criteria_are_chosen_and_hold_on_the_other_half() -> None:
    found = trial(SCORED, TRAIN, HOW)
    assert len(PLANTED & set(found.chosen)) >= 18
    assert delta(found.tested) > 20
    assert (found.tested.good == POOL.good[~TRAIN]).all()
    assert np.allclose(found.tested.nets, POOL.net(found.chosen)[~TRAIN])


def test_the_test_half_changes_nothing_of_what_is_chosen() -> None:
    values = SCORED.values.copy()
    values[~TRAIN] = np.random.default_rng(0).permutation(values[~TRAIN])
    one, two = trial(SCORED, TRAIN, HOW), trial(replace(SCORED, values=values), TRAIN, HOW)
    assert (one.chosen, one.weight) == (two.chosen, two.weight)
    assert (one.tested.threshold, one.tested.learnt) == (two.tested.threshold, two.tested.learnt)


@pytest.mark.parametrize("policy", ["rubicon", "brute-force", "ucb"])
def test_a_set_within_the_budgets_is_taken_whole(policy: str) -> None:
    some = np.array([0, 1, 20, 30, 31, 32])
    small = Scored("hand", SCORED.values[:, some], SCORED.sat[some], SCORED.good)
    found = trial(small, TRAIN, replace(HOW, policy=policy))
    assert found.chosen == (0, 1, 2, 3, 4, 5)
    assert found.weight is None


def test_missing_scores_are_neutral_in_training_and_unscored_in_the_test() -> None:
    values = SCORED.values.copy()
    chosen = trial(SCORED, TRAIN, HOW).chosen
    tested, trained = np.flatnonzero(~TRAIN)[:3], np.flatnonzero(TRAIN)[0]
    values[np.append(tested, trained), chosen[0]] = np.nan
    found = trial(replace(SCORED, values=values), TRAIN, HOW)
    assert chosen[0] in found.chosen
    assert found.tested.unscored == 3


def test_a_criterion_that_most_lack_is_left_out_and_told() -> None:
    values = SCORED.values.copy()
    values[np.flatnonzero(TRAIN)[:60], 0] = np.nan
    found = trial(replace(SCORED, values=values), TRAIN, HOW)
    assert 0 not in found.chosen
    assert any("criteria are left out" in one for one in found.told)


def test_what_cannot_be_studied_is_told() -> None:
    with pytest.raises(DataError, match="3 of 8 conversations are bad; a study needs at least 4"):
        halved(np.array([True] * 5 + [False] * 3), np.random.default_rng(0))
    with pytest.raises(DataError, match="ours: each of its 60 criteria is unscored on more than"):
        trial(replace(SCORED, values=SCORED.values * np.nan), TRAIN, HOW)
    with pytest.raises(DataError, match="ours: all 80 training conversations get the same scores"):
        trial(replace(SCORED, values=np.full_like(SCORED.values, 5.0)), TRAIN, HOW)
