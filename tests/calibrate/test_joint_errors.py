from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import ndtr
from scipy.stats import multivariate_normal

from assize.base.errors import DataError
from assize.base.judgment import Question
from assize.calibrate._data.forms import Scale
from assize.calibrate._joint_errors import (
    JointErrors,
    at_most,
    bounds_of,
    fit_joint_errors,
    mean_quantiles,
    shared_chances,
)

VALUES = (1.0, 2.0, 3.0, 4.0)
SCALE = Scale.of(Question("q", kind="ordinal", answers=("1", "2", "3", "4"), values=VALUES))


def drawn(items: int, raters: int, rho: float, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Predictions (N, R, K), and answers (N, R) that share errors."""
    rng = np.random.default_rng(seed)
    p = rng.dirichlet(np.full(4, 2.0), (items, raters))
    chance = shared_chances((items, raters), rho, rng)
    return p, (p.cumsum(axis=2)[..., :3] < chance[..., None]).sum(axis=2)


def fitted(p: np.ndarray, y: np.ndarray, scale: Scale = SCALE) -> JointErrors:
    items, raters, _ = p.shape
    ends = bounds_of(p.reshape(-1, 4), y.ravel(), scale)
    return fit_joint_errors(*ends, np.repeat(np.arange(items), raters))


@pytest.mark.parametrize("rho", [0.0, 0.2, 0.6])
def test_the_correlation_is_recovered(rho: float) -> None:
    p, y = drawn(800, 3, rho)
    found = fitted(p, y)
    assert found.correlation == pytest.approx(rho, abs=0.07)
    assert found.interval[0] - 0.01 <= rho <= found.interval[1] + 0.01
    assert (found.items, found.answers) == (800, 2_400)
    assert (found.gain > 0.005) == (rho > 0)


@pytest.mark.nightly("fits 60 samples")
def test_intervals_hold_the_truth_as_often_as_they_say() -> None:
    hits = 0
    for seed in range(60):
        low, high = fitted(*drawn(150, 3, 0.3, seed)).interval
        hits += low <= 0.3 <= high
    assert 52 <= hits <= 60  # 95% of 60 is 57


def test_two_raters_are_those_of_the_bivariate_normal() -> None:
    # Both answer below the middle of two answers: the orthant probability 1/4 + asin(rho) / 2 pi.
    half = np.full((1, 2, 2), 0.5)
    for rho in (0.0, 0.3, 0.8):
        truth = 0.25 + np.arcsin(rho) / (2 * np.pi)
        assert at_most(half, rho)[0] == pytest.approx([truth, 1], abs=1e-6)
    p = np.array([[[0.3, 0.5, 0.2], [0.6, 0.1, 0.3]]])
    steps = np.array([-0.52440051, 0.25334710])  # of P(up to 1) 0.3 and 0.6
    both = multivariate_normal([0, 0], [[1, 0.4], [0.4, 1]]).cdf(steps)
    assert at_most(p, 0.4)[0, 0] == pytest.approx(both, abs=1e-6)
    assert at_most(p, 0.4)[0, 2] == pytest.approx(1)


@settings(max_examples=30)
@given(st.integers(0, 10_000), st.floats(0, 0.9))
def test_each_rater_is_predicted_as_before_and_sharing_makes_extremes_likelier(
    seed: int, rho: float
) -> None:
    p = np.random.default_rng(seed).dirichlet(np.ones(4), (2, 3))
    assert at_most(p[:, :1], rho) == pytest.approx(p[:, 0].cumsum(axis=1), abs=1e-4)
    assert (at_most(p, rho) >= at_most(p, 0.0) - 1e-6).all()


@pytest.mark.parametrize("rho", [0.0, 0.5])
def test_the_interval_of_a_panels_mean_holds_what_was_drawn(rho: float) -> None:
    p, y = drawn(2_000, 6, rho, seed=1)
    mean = np.array(VALUES)[y].mean(axis=1)
    low, high = mean_quantiles(p, SCALE, rho, (0.05, 0.95)).T
    inside = ((mean >= low) & (mean <= high)).mean()
    assert inside == pytest.approx(0.9, abs=0.03)  # means are steps of a sixth
    if rho:
        low, high = mean_quantiles(p, SCALE, 0.0, (0.05, 0.95)).T
        assert ((mean >= low) & (mean <= high)).mean() < 0.75


def test_values_that_fall_turn_the_scale_round() -> None:
    p, y = drawn(400, 3, 0.4)
    turned = Scale.of(
        Question("q", kind="ordinal", answers=("1", "2", "3", "4"), values=(4, 3, 2, 1))
    )
    assert fitted(p, y, turned).correlation == pytest.approx(fitted(p, y).correlation, abs=1e-3)
    lower, upper = bounds_of(np.array([[0.5, 0.5, 0, 0]]), np.array([0]), SCALE)
    assert (ndtr(upper) - ndtr(lower)).tolist() == pytest.approx([0.5])


def test_an_item_with_one_answer_shares_nothing_and_is_not_counted() -> None:
    p, y = drawn(30, 2, 0.4)
    lower, upper = bounds_of(p.reshape(-1, 4), y.ravel(), SCALE)
    item = np.repeat(np.arange(30), 2)
    alone = fit_joint_errors(np.append(lower, -1.0), np.append(upper, 1.0), np.append(item, 30))
    assert (alone.items, alone.answers) == (30, 60)
    assert alone.correlation == fit_joint_errors(lower, upper, item).correlation


def test_too_few_items_with_several_ratings_are_refused() -> None:
    p, y = drawn(9, 2, 0.0)
    with pytest.raises(DataError, match="9 items have several ratings"):
        fitted(p, y)
