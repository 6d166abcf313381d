"""What is lost, on simulated evaluations of which the evaluator sees a part."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from assize.criteria._criterion import CriteriaSet, Criterion
from assize.criteria._distilled.heads import Line
from assize.criteria._distilled.measuring import (
    Given,
    held_evaluations,
    learnt_labelling,
    lines_of,
    lost,
    nets_of,
    reproduced,
)
from assize.criteria._selection.window import WANTED, Wanted, Window
from assize.stats._arrays import FloatArray

CRITERIA = tuple(
    Criterion(f"c{at}", f"Statement {at}.", "sat" if at < 2 else "dsat") for at in range(4)
)
WHOLE = CriteriaSet("set", CRITERIA)
N = 400


def world(noise: float = 1.0, blur: float = 1.0) -> Given:
    """Good conversations score higher; raw numbers follow evaluations with noise."""
    rng = np.random.default_rng(0)
    good = (np.arange(N) % 2).astype(float)
    signs = np.array([1 if one.sat else -1 for one in CRITERIA])
    quality = (good[:, None] - 0.5) * 2 + rng.normal(0, blur, (N, 4))
    values = np.clip(5 + 1.5 * signs * quality, 0, 10)
    raw = quality + noise * rng.normal(0, 1, (N, 4))
    return Given([f"i{at}" for at in range(N)], values, raw, np.arange(N) // 2 % 5, good)


def figures(given: Given) -> tuple[FloatArray, FloatArray]:
    """NetSAT held out, and that of the evaluations."""
    held = held_evaluations(given, CRITERIA)
    return nets_of(held, CRITERIA), nets_of(given.values, CRITERIA)


def test_netsat_is_what_speaks_for_less_what_speaks_against() -> None:
    values = np.array([[1.0, 2.0, 3.0, 4.0], [1.0, np.nan, 3.0, 4.0]])
    assert nets_of(values, CRITERIA).tolist() == pytest.approx([-4.0, np.nan], nan_ok=True)


def test_an_evaluator_that_says_the_same_loses_nothing() -> None:
    given = world()
    same = replace(
        given, raw=np.where(np.array([c.sat for c in CRITERIA]), given.values, -given.values)
    )
    nets, taught = figures(same)
    assert nets == pytest.approx(taught)
    assert lines_of(same, CRITERIA)[0].slope == pytest.approx(1)
    assert lines_of(same, CRITERIA)[2].slope == pytest.approx(-1)
    found = lost(same, nets, taught, WANTED, np.random.default_rng(0))
    assert found.difference.labelled.estimate == 0
    assert found.alike.estimate == 1
    assert found.local.separation == found.taught.separation


def test_expected_values_vary_less_and_label_less() -> None:
    given = world(noise=2.0)
    nets, taught = figures(given)
    *each, net = reproduced(given, held_evaluations(given, CRITERIA), CRITERIA)
    assert all(0.3 < one.spread < 0.7 for one in each)
    assert 0.3 < net.pearson.estimate < 0.95
    assert (net.pearson.n, net.pearson.unscored) == (N, 0)
    found = lost(given, nets, taught, WANTED, np.random.default_rng(0))
    assert found.local.separation is not None
    assert found.taught.separation is not None
    assert found.local.separation.estimate < 0.7 * found.taught.separation.estimate
    assert found.difference.labelled.estimate < 0
    assert found.difference.labelled.interval[1] < 0.05
    assert found.local.precision is not None
    assert found.local.precision.estimate > 0.85


def test_a_window_that_was_learnt_for_the_evaluations_does_not_carry_over() -> None:
    given = world(noise=2.0, blur=3.0)
    nets, taught = figures(given)
    ours, theirs = (learnt_labelling(one, given.good, WHOLE, Wanted(0.8)) for one in (nets, taught))
    assert ours.wording == WHOLE.wording
    assert (ours.n, ours.good, ours.precision) == (N, N // 2, 0.8)
    ours_at, theirs_at = (
        Window(one.low or np.nan, one.high or np.nan, 0.8).labelled(nets) for one in (ours, theirs)
    )
    assert ours_at.sum() > 1.15 * theirs_at.sum() > 0


def test_raw_numbers_that_say_nothing_leave_every_conversation_with_the_mean() -> None:
    rng = np.random.default_rng(1)
    given = replace(world(), raw=rng.normal(size=(N, 4)))
    nets, taught = figures(given)
    *_, net = reproduced(given, held_evaluations(given, CRITERIA), CRITERIA)
    assert abs(net.pearson.estimate) < 0.2
    found = lost(given, nets, taught, WANTED, np.random.default_rng(0))
    assert found.local.accuracy.estimate == pytest.approx(0.5, abs=0.08)


def test_a_fold_is_scored_by_lines_of_the_other_folds() -> None:
    given = world()
    changed = given.values.copy()
    changed[given.fold == 0] = 10 - changed[given.fold == 0]
    before, after = (
        held_evaluations(replace(given, values=one), CRITERIA) for one in (given.values, changed)
    )
    assert before[given.fold == 0] == pytest.approx(after[given.fold == 0])
    assert np.abs(before - after)[given.fold == 1].max() > 0.1


def test_what_cannot_be_read_is_unscored_and_what_has_no_head_is_the_mean() -> None:
    given = world()
    raw = given.raw.copy()
    raw[:, 1] = np.nan
    raw[7] = np.nan
    held = held_evaluations(replace(given, raw=raw), CRITERIA)
    assert np.isnan(held[7]).all()
    assert np.isnan(held).sum() == 4
    rest = given.fold != 3
    assert held[6, 1] == pytest.approx(given.values[rest, 1].mean())
    assert lines_of(replace(given, raw=raw), CRITERIA)[1] == Line(
        0.0, float(given.values[:, 1].mean())
    )
    nets, taught = figures(replace(given, raw=raw))
    found = lost(given, nets, taught, WANTED, np.random.default_rng(0))
    assert (found.local.accuracy.n, found.local.accuracy.unscored) == (N - 1, 1)
    assert found.local.labelled.n == N  # it is not labelled


def test_an_unscored_evaluation_leaves_its_netsat_out() -> None:
    given = world()
    values = given.values.copy()
    values[:30, 0] = np.nan
    some = replace(given, values=values)
    *each, net = reproduced(some, held_evaluations(some, CRITERIA), CRITERIA)
    assert [one.pearson.unscored for one in each] == [30, 0, 0, 0]
    assert (net.pearson.n, net.pearson.unscored) == (N - 30, 30)


def test_clusters_widen_intervals() -> None:
    given = world()
    values, raw = (np.repeat(one, 4, axis=0) for one in (given.values, given.raw))
    fold, good = np.repeat(given.fold, 4), np.repeat(given.good, 4)
    items = [f"i{at}" for at in range(4 * N)]
    users = np.repeat(np.arange(N), 4)
    alone = Given(items, values, raw, fold, good)
    widths = []
    for one in (alone, replace(alone, clusters=users)):
        *_, net = reproduced(one, held_evaluations(one, CRITERIA), CRITERIA)
        widths.append(np.ptp(net.pearson.interval))
    assert widths[1] == pytest.approx(2 * widths[0], rel=0.25)
