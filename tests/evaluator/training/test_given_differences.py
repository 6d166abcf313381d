from __future__ import annotations

import numpy as np
import pytest
from planted import plant
from scipy.special import expit, logit
from scipy.stats import norm

from assize.evaluator._training.given_differences import (
    PSEUDO,
    Reliabilities,
    by_em,
    closed_form,
    intervals,
)
from assize.stats._arrays import FloatArray
from assize.stats._reliability import Votes, mixture


def at(rate: float, shape: tuple[int, ...]) -> Reliabilities:
    """One number for all."""
    return Reliabilities(np.full(shape, rate), np.full(shape, rate))


def test_the_m_step_is_a_share_by_hand() -> None:
    # A is better with 0.9, 0.2 and 1.0; one judge says A, A, B.
    # right where A: 1.1 of 2.1; where B (0.1, 0.8, 0): right 0, wrong 0.9
    votes = Votes.from_signs([[1.0], [1.0], [-1.0]])
    found = closed_form(votes, np.array([[0.9], [0.2], [1.0]]))
    assert found.alpha[0, 0] == pytest.approx((1.1 + PSEUDO) / (2.1 + 2 * PSEUDO))
    assert found.beta[0, 0] == pytest.approx(PSEUDO / (0.9 + 2 * PSEUDO))
    tied = closed_form(votes, np.array([[0.9], [0.2], [1.0]]), tied=True)
    assert tied.alpha[0, 0] == tied.beta[0, 0] == pytest.approx((1.1 + PSEUDO) / (3 + 2 * PSEUDO))


def test_em_climbs_and_ends_where_the_slope_is_flat_but_for_the_half_votes() -> None:
    truth = plant(800)
    votes, difference = truth.lessons.votes, np.where(truth.is_a, 0.5, -0.5)
    begin = at(0.7, truth.alpha.shape)
    found = by_em(votes, difference, begin, enough=1e-9, rounds=2000)
    before, end = (mixture(votes, difference, one.alpha, one.beta) for one in (begin, found))
    assert end.value < before.value
    # at the fixed point the slope by the logit is that of the half votes: PSEUDO (1 - 2 alpha)
    np.testing.assert_allclose(end.alpha, PSEUDO * (1 - 2 * found.alpha), atol=1e-3)
    np.testing.assert_allclose(end.beta, PSEUDO * (1 - 2 * found.beta), atol=1e-3)


def test_a_fixed_judge_stays() -> None:
    truth = plant(100)
    fixed, begin = np.arange(5) == 0, at(0.7, truth.alpha.shape)
    found = by_em(truth.lessons.votes, np.zeros((100, 2)), begin, fixed=fixed)
    for rate in (found.alpha, found.beta):
        assert (rate == 0.7).all(axis=1).tolist() == fixed.tolist()


def test_the_mirror_image_has_the_same_likelihood() -> None:
    truth = plant(50)
    difference = np.random.default_rng(0).normal(size=(50, 2))
    ours = Reliabilities(truth.alpha, truth.beta)
    other = ours.flipped(np.array([True, False]))
    turned = difference * [-1, 1]
    values = [
        mixture(truth.lessons.votes, at, one.alpha, one.beta).value
        for at, one in ((difference, ours), (turned, other))
    ]
    assert values[0] == pytest.approx(values[1])
    np.testing.assert_allclose(other.information[:, 0], -ours.information[:, 0])


def test_intervals_are_those_of_the_second_derivatives_by_finite_differences() -> None:
    truth = plant(300, features=3, questions=1, seed=1)
    votes, difference = truth.lessons.votes, np.where(truth.is_a, 0.5, -0.5)
    found = by_em(votes, difference, at(0.7, (5, 1)))

    def slope(logits: FloatArray) -> FloatArray:
        """Of the negative log posterior, the half votes being its prior."""
        of_votes = mixture(votes, difference, *expit(logits).reshape(2, 5, 1))
        by_logit = np.vstack([of_votes.alpha, of_votes.beta])[:, 0]
        return np.asarray(by_logit - PSEUDO * (1 - 2 * expit(logits)))

    best, step = logit(np.vstack([found.alpha, found.beta])[:, 0]), 1e-4
    curvature = [(slope(best + by) - slope(best - by)) / (2 * step) for by in step * np.eye(10)]
    width = norm.ppf(0.975) * np.sqrt(np.linalg.inv(np.stack(curvature)).diagonal())
    ends = intervals(votes, difference, found)
    for sides, expected in (
        ((ends.alpha_low, ends.beta_low), best - width),
        ((ends.alpha_high, ends.beta_high), best + width),
    ):
        np.testing.assert_allclose(np.vstack(sides)[:, 0], expit(expected), rtol=1e-4)


def test_a_judge_without_votes_has_no_interval() -> None:
    signs = np.full((40, 2), np.nan)
    signs[:, 0] = np.where(np.arange(40) % 3, 1, -1)
    ends = intervals(Votes.from_signs(signs), np.zeros((40, 1)), at(0.7, (2, 1)))
    assert np.isnan(ends.alpha_low[1, 0])
    assert 0 < ends.alpha_low[0, 0] < ends.alpha_high[0, 0] < 1
