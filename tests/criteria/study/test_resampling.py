"""Intervals over test conversations."""

from __future__ import annotations

import math

import numpy as np
import pytest

from assize.criteria._selection.window import WANTED, Window
from assize.criteria._study.halves import halved
from assize.criteria._study.measures import MEASURES, Unseen
from assize.criteria._study.resampling import drawn, resampled

GOOD = np.arange(80) % 4 > 0
TRAINS = [halved(GOOD, np.random.default_rng(seed)) for seed in range(2)]


def world(lift: float) -> list[Unseen]:
    nets = np.random.default_rng(0).normal(size=80) + 3 * GOOD + lift * GOOD
    zero = np.zeros(80)
    return [
        Unseen(nets[~t], zero[~t], GOOD[~t], 1.5, Window(0.0, 3.0, 0.9), WANTED) for t in TRAINS
    ]


def test_each_class_of_what_is_tested_is_drawn_by_itself() -> None:
    weights = resampled(GOOD, TRAINS[:1], 50, np.random.default_rng(0))
    tested = ~TRAINS[0]
    assert (weights[:, TRAINS[0]] == 0).all()
    assert (weights[:, tested & GOOD].sum(axis=1) == (tested & GOOD).sum()).all()
    assert (weights[:, tested & ~GOOD].sum(axis=1) == (tested & ~GOOD).sum()).all()


def test_figures_are_means_over_splits_with_an_interval_around_them() -> None:
    weights = resampled(GOOD, TRAINS, 400, np.random.default_rng(0))
    one = world(0.0)
    found = drawn(one, TRAINS, weights).figures()["delta_netsat"]
    each = [t.nets[t.good].mean() - t.nets[~t.good].mean() for t in one]
    assert found.estimate == pytest.approx(np.mean(each))
    low, high = found.interval
    assert low < found.estimate < high
    assert 0.4 < high - low < 2
    assert found.n == 80


def test_differences_are_paired() -> None:
    weights = resampled(GOOD, TRAINS, 200, np.random.default_rng(0))
    plain, better = drawn(world(0.0), TRAINS, weights), drawn(world(1.0), TRAINS, weights)
    apart = better.less(plain)["delta_netsat"]
    assert apart.estimate == pytest.approx(1.0)
    assert math.isnan(apart.interval[0]) or apart.interval == pytest.approx((1.0, 1.0))


def test_no_resamples_give_no_interval() -> None:
    found = drawn(world(0.0), TRAINS, np.zeros((0, 80), dtype=np.int64)).figures()
    assert set(found) == set(MEASURES)
    assert math.isnan(found["f1"].interval[0])
