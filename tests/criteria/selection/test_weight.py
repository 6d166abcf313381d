"""The weight of the sharpness error, tuned on conversations held out."""

from __future__ import annotations

import numpy as np
from tests.criteria.selection.planted import planted

from assize.criteria._selection import WEIGHTS, Budget, Objective, tuned_weight
from assize.criteria._selection.weight import stratified


def test_every_weight_is_tried_and_among_the_best_yields_separation_decides() -> None:
    pool, _ = planted(0, effect=0.4, each=40, criteria=40)
    found = tuned_weight(pool, Budget(), Objective(), rng=np.random.default_rng(0))
    assert tuple(one.weight for one in found.tried) == WEIGHTS
    most = max(one.yielded for one in found.tried)
    equal = [one for one in found.tried if one.yielded >= most - 0.01]
    assert found.weight == max(equal, key=lambda one: one.separation).weight
    assert len({one.separation for one in found.tried}) > 1
    assert all(0 <= one.yielded <= 1 for one in found.tried)


def test_the_same_seed_deals_the_same_folds_and_further_deals_others() -> None:
    pool, _ = planted(3, effect=0.4, each=30, criteria=40)
    one, same, three = (
        tuned_weight(pool, Budget(3, 3), Objective(), deals=deals, rng=np.random.default_rng(5))
        for deals in (1, 1, 3)
    )
    assert one == same
    assert one.tried != three.tried


def test_each_class_is_spread_evenly() -> None:
    good = np.arange(30) < 20
    folds = stratified(good, 5, np.random.default_rng(0))
    assert np.bincount(folds[good]).tolist() == [4] * 5
    assert np.bincount(folds[~good]).tolist() == [2] * 5


def test_without_ties_the_largest_yield_wins() -> None:
    pool, _ = planted(2, effect=0.4, each=40, criteria=40)
    found = tuned_weight(
        pool, Budget(), Objective(), deals=1, tie=0.0, rng=np.random.default_rng(0)
    )
    most = max(one.yielded for one in found.tried)
    assert next(one.yielded for one in found.tried if one.weight == found.weight) == most
