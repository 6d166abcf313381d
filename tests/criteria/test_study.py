"""Methods and policies on planted pools: halves, measures by hand, intervals, and the study."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from tests.criteria.selection.planted import planted
from tests.criteria.simulated import simulated

from assize.base.errors import DataError
from assize.criteria._selecting import Selecting
from assize.criteria._selection import Budget
from assize.criteria._selection.policies import Settings
from assize.criteria._selection.window import WANTED, Wanted, Window
from assize.criteria._study import (
    MEASURES,
    Method,
    Trial,
    compare,
    estimates,
    halved,
    measure,
    resample_measures,
    resampled,
    trial,
)
from assize.criteria._study_result import CriteriaStudy, HeldOutScores
from assize.stats._arrays import FloatArray

NAN = float("nan")
# NetSAT: 8, 4, 1, -2 of good ones, 2, -3, -6, -9 of bad ones.
SAT = np.array([9.0, 7.0, 5.0, 4.0, 6.0, 3.0, 2.0, 1.0])
DSAT = np.array([1.0, 3.0, 4.0, 6.0, 4.0, 6.0, 8.0, 10.0])
GOOD = np.array([True] * 4 + [False] * 4)
PUBLISHED = Wanted(rule="paper")
TESTED = HeldOutScores(SAT, DSAT, GOOD, 0.0, Window(-3.0, 3.0, 0.9), PUBLISHED)


def measures(**changed: Any) -> dict[str, float]:
    """Of the tested conversations, with some of their scores or cuts changed."""
    return dict(zip(MEASURES, measure(replace(TESTED, **changed)), strict=True))


def test_measures_are_those_of_the_paper_and_ours() -> None:
    expected = {
        "delta_netsat": 11 / 4 + 16 / 4,
        # Above 0: 8, 4, 1 rightly and 2 wrongly.
        "accuracy": 6 / 8,
        "precision": 3 / 4,
        "recall": 3 / 4,
        "f1": 3 / 4,
        # Bad up to -3 and good above 3: five labels, all right.
        "yield_train": 5 / 8,
        "precision_train": 1.0,
        # On these conversations themselves: -9, -6, -3 are bad, 4 and 8 good.
        "yield_test": 5 / 8,
        "correlation": np.corrcoef(SAT, DSAT)[0, 1],
    }
    values = measures()
    assert {name: values[name] for name in expected} == pytest.approx(expected)


def test_an_unscored_conversation_is_labelled_by_nobody_and_else_left_out() -> None:
    more = {"sat": np.append(SAT, NAN), "dsat": np.append(DSAT, 0.0), "good": np.append(GOOD, True)}
    assert replace(TESTED, **more).unscored == 1  # type: ignore[arg-type]
    found, whole = measures(**more), measures()
    for name in ("delta_netsat", "accuracy", "precision", "recall", "f1", "correlation"):
        assert found[name] == pytest.approx(whole[name]), name
    assert found["yield_train"] == found["yield_test"] == pytest.approx(5 / 9)


def test_a_window_may_label_less_well_than_it_did_on_training() -> None:
    values = measures(learnt=Window(-2.0, 1.0, 0.9))
    assert values["yield_train"] == pytest.approx(7 / 8)  # all but 1
    assert values["precision_train"] == pytest.approx(5 / 7)  # -2 and 2 are wrong


def test_what_is_not_defined_is_nan() -> None:
    found = measures(sat=SAT * NAN)
    assert found.pop("yield_train") == found.pop("yield_test") == 0
    assert all(math.isnan(one) for one in found.values())
    high = measures(threshold=100.0)
    assert math.isnan(high["precision"])
    assert high["recall"] == high["f1"] == 0
    assert math.isnan(measures(sat=SAT * 0)["correlation"])  # equal sums


def test_rows_may_stand_several_times() -> None:
    twice = TESTED.rows(np.repeat(np.arange(8), 2))
    assert np.allclose(measure(twice), measure(TESTED))


LABELS_80 = np.arange(80) % 4 > 0
HALVES = [halved(LABELS_80, np.random.default_rng(seed)) for seed in range(2)]


def world(lift: float) -> list[HeldOutScores]:
    nets = np.random.default_rng(0).normal(size=80) + 3 * LABELS_80 + lift * LABELS_80
    zero = np.zeros(80)
    return [
        HeldOutScores(nets[~t], zero[~t], LABELS_80[~t], 1.5, Window(0.0, 3.0, 0.9), WANTED)
        for t in HALVES
    ]


def test_each_class_of_what_is_tested_is_drawn_by_itself() -> None:
    weights = resampled(LABELS_80, HALVES[:1], 50, np.random.default_rng(0))
    assert (weights[:, HALVES[0]] == 0).all()
    for part in (~HALVES[0] & LABELS_80, ~HALVES[0] & ~LABELS_80):
        assert (weights[:, part].sum(axis=1) == part.sum()).all()


def test_figures_are_means_over_splits_with_an_interval_around_them() -> None:
    weights = resampled(LABELS_80, HALVES, 400, np.random.default_rng(0))
    one = world(0.0)
    found = estimates(resample_measures(one, HALVES, weights), 80)["delta_netsat"]
    each = [t.nets[t.good].mean() - t.nets[~t.good].mean() for t in one]
    assert found.estimate == pytest.approx(np.mean(each))
    low, high = found.interval
    assert low < found.estimate < high
    assert 0.4 < high - low < 2
    assert found.n == 80


def test_differences_are_paired() -> None:
    weights = resampled(LABELS_80, HALVES, 200, np.random.default_rng(0))
    plain, better = (resample_measures(world(lift), HALVES, weights) for lift in (0.0, 1.0))
    apart = estimates(better - plain, 80)["delta_netsat"]
    assert apart.estimate == pytest.approx(1.0)
    assert math.isnan(apart.interval[0]) or apart.interval == pytest.approx((1.0, 1.0))


def test_no_resamples_give_no_interval() -> None:
    none = np.zeros((0, 80), dtype=np.int64)
    found = estimates(resample_measures(world(0.0), HALVES, none), 80)
    assert set(found) == set(MEASURES)
    assert math.isnan(found["f1"].interval[0])


POOL, PLANTED = planted(1, each=80, criteria=60, effect=1.2)
VALUES = np.where(POOL.sat, POOL.scores, -POOL.scores)
TRAIN = halved(POOL.good, np.random.default_rng(0))
TRIAL_HOW = Selecting(settings=Settings(Budget(10, 10)))


def tried(values: FloatArray = VALUES) -> Trial:
    return trial("ours", values, POOL.sat, POOL.good, TRAIN, TRIAL_HOW)


def test_halves_hold_half_of_each_class() -> None:
    good = np.array([True] * 9 + [False] * 6)
    train = halved(good, np.random.default_rng(3))
    assert (train & good).sum() == 4
    assert (train & ~good).sum() == 3
    assert (train == halved(good, np.random.default_rng(3))).all()
    assert (train != halved(good, np.random.default_rng(4))).any()


def test_planted_criteria_are_chosen_and_hold_on_the_other_half() -> None:
    found = tried()
    assert len(PLANTED & set(found.chosen)) >= 18
    assert measure(found.tested)[0] > 20
    assert (found.tested.good == POOL.good[~TRAIN]).all()
    assert np.allclose(found.tested.nets, POOL.net(found.chosen)[~TRAIN])


def test_the_test_half_changes_nothing_of_what_is_chosen() -> None:
    values = VALUES.copy()
    values[~TRAIN] = np.random.default_rng(0).permutation(values[~TRAIN])
    one, two = tried(), tried(values)
    assert (one.chosen, one.weight) == (two.chosen, two.weight)
    assert (one.tested.threshold, one.tested.learnt) == (two.tested.threshold, two.tested.learnt)


@pytest.mark.parametrize("policy", ["rubicon", "brute-force", "ucb"])
def test_a_set_within_the_budgets_is_taken_whole(policy: str) -> None:
    some = np.array([0, 1, 20, 30, 31, 32])
    how = replace(TRIAL_HOW, policy=policy)
    found = trial("hand", VALUES[:, some], POOL.sat[some], POOL.good, TRAIN, how)
    assert found.chosen == [0, 1, 2, 3, 4, 5]
    assert found.weight is None


def test_missing_scores_are_neutral_in_training_and_unscored_in_the_test() -> None:
    values = VALUES.copy()
    chosen = tried().chosen
    tested, trained = np.flatnonzero(~TRAIN)[:3], np.flatnonzero(TRAIN)[0]
    values[np.append(tested, trained), chosen[0]] = np.nan
    found = tried(values)
    assert chosen[0] in found.chosen
    assert found.tested.unscored == 3


def test_a_criterion_that_most_lack_is_left_out_and_told() -> None:
    values = VALUES.copy()
    values[np.flatnonzero(TRAIN)[:60], 0] = np.nan
    found = tried(values)
    assert 0 not in found.chosen
    assert any("criteria are left out" in one for one in found.notes)


def test_what_cannot_be_studied_is_told() -> None:
    with pytest.raises(DataError, match="3 of 8 conversations are bad, and a half has 1 of them"):
        halved(np.array([True] * 5 + [False] * 3), np.random.default_rng(0))
    for value, message in ((np.nan, "each of the 60 criteria is unscored"), (5.0, "get the same")):
        with pytest.raises(DataError, match=f"ours: .*{message}"):
            tried(np.full_like(VALUES, value))


SET, SAID, LABELS = simulated(each=40, criteria=40, effect=1.0)  # planted are 0-9 and 20-29
HOW = Selecting(settings=Settings(Budget(4, 4)))


def part(name: str, at: list[int]) -> Method:
    """A method whose pool has some of the criteria."""
    kept = replace(SET, criteria=tuple(SET.criteria[one] for one in at))
    return Method(name, kept, replace(SAID, criteria=kept.criteria, values=SAID.values[:, at]))


OURS, WEAK = part("ours", list(range(40))), part("weak", [*range(10, 20), *range(30, 40)])
HAND = part("hand", [0, 10, 20, 30])


def studied(*methods: Method, **given: Any) -> CriteriaStudy:
    return compare(methods, LABELS, HOW, **{"resamples": 100, **given})


FOUND = studied(OURS, WEAK, HAND, policies=["rubicon", "ucb"])


def test_every_method_meets_every_policy() -> None:
    assert [(one.method, one.policy) for one in FOUND.rows] == [
        (method, policy) for method in ("ours", "weak", "hand") for policy in ("rubicon", "ucb")
    ]
    assert FOUND.train == FOUND.test == {"good": 20, "bad": 20}


def test_a_pool_with_the_criteria_that_matter_beats_one_without() -> None:
    less = next(row for row in FOUND.differences if row.name == "weak, rubicon less ours")
    assert less.delta_netsat.interval[1] < 0
    assert less.accuracy.interval[1] < 0
    assert less.delta_netsat.estimate == pytest.approx(
        FOUND.row("weak").delta_netsat.estimate - FOUND.row("ours").delta_netsat.estimate
    )


def test_scores_of_every_test_half_are_kept() -> None:
    found = studied(OURS, splits=2).row("ours")
    assert [len(one.nets) for one in found.tests] == [40, 40]
    assert sum(one.unscored for one in found.tests) == found.unscored
    good = [one.nets[one.good].mean() - one.nets[~one.good].mean() for one in found.tests]
    assert found.delta_netsat.estimate == pytest.approx(np.mean(good))


def test_a_small_set_is_whole_by_every_policy() -> None:
    one, two = FOUND.row("hand"), FOUND.row("hand", "ucb")
    assert one.whole
    assert one.chosen == two.chosen == [[each.id for each in HAND.criteria.criteria]]
    assert one.f1 == two.f1
    assert not FOUND.row("ours").whole
    assert FOUND.row("ours").size == 8


def test_splits_are_averaged_and_seeded() -> None:
    one, two = (studied(OURS, splits=3, seed=5) for _ in range(2))
    assert one.to_json() == two.to_json()
    assert len(one.rows[0].chosen) == 3
    assert one.rows[0].n == 120
    assert one.to_json() != studied(OURS, splits=3, seed=6).to_json()


def test_methods_are_compared_on_the_conversations_that_all_scored() -> None:
    said = WEAK.evaluations
    fewer = replace(WEAK, evaluations=replace(said, items=said.items[4:], values=said.values[4:]))
    found = studied(OURS, fewer)
    told = "4 labelled conversations are not scored by every method, and left out of all"
    assert told in found.notes
    assert sum(found.train.values()) + sum(found.test.values()) == 76
    other = replace(WEAK, evaluations=replace(said, items=[f"x{n}" for n in range(80)]))
    with pytest.raises(DataError, match="scored by every method \\(ours, weak\\)"):
        studied(OURS, other)


def test_unscored_test_conversations_are_counted() -> None:
    values = np.array(SAID.values)
    values[::10] = np.nan
    found = studied(replace(OURS, evaluations=replace(SAID, values=values)), splits=2)
    row = found.rows[0]
    assert row.unscored > 0
    assert found.missing == (row.unscored, 80)
    assert row.yield_train.estimate <= 1 - row.unscored / row.n


def test_each_selection_is_told() -> None:
    seen: list[int] = []
    compare([OURS, HAND], LABELS, HOW, splits=2, resamples=0, tick=seen.append)
    assert sum(seen) == 4
