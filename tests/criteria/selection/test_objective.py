"""The objective's parts, against values computed by hand and written out plainly."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.criteria.selection.plain import error_of

from assize.base.errors import ConfigError
from assize.criteria._selection import Objective, threshold
from assize.criteria._selection.objective import pooled_deviation, separation

# Two good and two bad conversations, whose scores overlap.
NETS = np.array([[4.0, 2.0, 3.0, 0.0]])
GOOD = np.array([True, True, False, False])


def test_separation_threshold_and_spread_by_hand() -> None:
    assert separation(NETS, GOOD).tolist() == [1.5]  # (4 + 2) / 2 - (3 + 0) / 2
    assert threshold(NETS, GOOD).tolist() == [2.25]
    assert pooled_deviation(NETS, GOOD)[0] == pytest.approx(math.sqrt((2 + 4.5) / 2))


def test_the_threshold_lies_between_the_class_means_however_many_there_are_of_each() -> None:
    nets = np.array([[4.0, 2.0, 3.0, 0.0, 0.0]])
    good = np.array([True, True, False, False, False])
    assert threshold(nets, good).tolist() == [2.0]  # (3 + 1) / 2, where the mean of all is 1.8


def test_precision_curves_by_hand() -> None:
    thetas, positive, negative = (
        curve[:, ::50]
        for curve in Objective().curves(NETS, GOOD)  # 201 steps from 0 to 4
    )
    np.testing.assert_allclose(thetas, [[0, 1, 2, 3, 4]], atol=1e-12)
    # Above 0: 2, 3, 4 of which two are good. Above 2: 3, 4. Above 3: 4. Above 4: none.
    np.testing.assert_allclose(positive, [[2 / 3, 2 / 3, 1 / 2, 1, np.nan]])
    # At or below 0: 0. At or below 2: 0, 2. At or below 3: 0, 2, 3. At or below 4: all.
    np.testing.assert_allclose(negative, [[1, 1, 1 / 2, 2 / 3, 1 / 2]])


def test_the_objective_is_separation_less_weighted_error() -> None:
    error = Objective().sharpness_error(NETS, GOOD)[0]
    assert Objective(weight=2).values(NETS, GOOD)[0] == pytest.approx(1.5 - 2 * error)


def test_prevalence_weighs_the_classes() -> None:
    good = np.array([True, False, False, False])
    nets = np.array([[2.0, 2.0, 1.0, 0.0]])
    _, positive, _ = Objective(prevalence=0.5).curves(nets, good)
    # Above 1: the good one, of weight 1/2, and one of three bad ones, of weight 1/6.
    assert positive[0, 100] == pytest.approx(3 / 4)


def test_equal_scores_have_no_sharpness_and_are_never_preferred() -> None:
    nets = np.full((1, 4), 5.0)
    assert math.isnan(Objective().sharpness_error(nets, GOOD)[0])
    assert Objective().values(nets, GOOD)[0] == -np.inf


def test_classes_without_spread_are_compared_with_a_step() -> None:
    nets = np.array([[1.0, 1.0, 0.0, 0.0]])
    # Negative precision is 1 below 1 and 1/2 there; the step falls from 1 to 1/2 at 1/2. Of 201
    # thresholds the middle one is 1/4 off, the 99 between it and the last one 1/2.
    wanted = (0.25**2 + 99 * 0.5**2) / 201
    assert Objective().sharpness_error(nets, GOOD)[0] == pytest.approx(wanted)


@settings(max_examples=60)
@given(st.integers(0, 10**6), st.integers(3, 60))
def test_many_sets_at_once_are_as_one_at_a_time(seed: int, n: int) -> None:
    rng = np.random.default_rng(seed)
    nets = rng.integers(-20, 20, size=(4, 2 * n)) * 2.5 + rng.choice([0, 0.1], size=(4, 1))
    nets[:, 0] += 100  # never all equal
    good = rng.permutation(np.repeat([True, False], n))
    found = Objective().sharpness_error(nets, good)
    for net, error in zip(nets, found, strict=True):
        assert error == pytest.approx(error_of(net, good), abs=1e-9)


@pytest.mark.parametrize("given", [{"weight": -1}, {"weight": float("nan")}, {"prevalence": 1.0}])
def test_settings_out_of_range_are_refused(given: dict[str, float]) -> None:
    with pytest.raises(ConfigError, match=next(iter(given))):
        Objective(**given)
