"""The mixture likelihood: by hand, against finite differences, in the far tails."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import expit, ndtr

from assize.base.errors import DataError
from assize.stats._reliability import Votes, mixture


def drawn(seed: int, n: int = 7, j: int = 3, k: int = 2) -> tuple[Votes, np.ndarray, np.ndarray]:
    """Counts 0 to 2 for either side, differences, and logits (2, J, K)."""
    rng = np.random.default_rng(seed)
    votes = Votes.of(*rng.integers(0, 3, (3, n, j, k)))
    return votes, rng.normal(0, 2, (n, k)), rng.normal(0.5, 1, (2, j, k))


def value(votes: Votes, d: np.ndarray, logits: np.ndarray) -> float:
    return mixture(votes, d, expit(logits[0]), expit(logits[1])).value


def test_the_value_is_the_plain_formula_where_nothing_underflows() -> None:
    votes, d, logits = drawn(1)
    alpha, beta = expit(logits)
    right = np.prod(alpha**votes.for_a * (1 - alpha) ** votes.for_b, axis=1)
    wrong = np.prod((1 - beta) ** votes.for_a * beta**votes.for_b, axis=1)
    plain = ndtr(d / np.sqrt(2)) * right + ndtr(-d / np.sqrt(2)) * wrong
    found = mixture(votes, d, alpha, beta)
    assert found.value == pytest.approx(-np.log(plain)[votes.sided].sum())
    assert found.by_question.sum() == pytest.approx(found.value)


@given(st.integers(0, 2**31))
def test_gradients_are_the_finite_differences(seed: int) -> None:
    votes, d, logits = drawn(seed)
    found = mixture(votes, d, *expit(logits))
    step = 1e-6
    for at in np.ndindex(d.shape):
        moved = np.zeros_like(d)
        moved[at] = step
        slope = (value(votes, d + moved, logits) - value(votes, d - moved, logits)) / (2 * step)
        assert found.difference[at] == pytest.approx(slope, abs=1e-6)
    gradient = np.stack([found.alpha, found.beta])
    for place in np.ndindex(logits.shape):
        nudge = np.zeros_like(logits)
        nudge[place] = step
        slope = (value(votes, d, logits + nudge) - value(votes, d, logits - nudge)) / (2 * step)
        assert gradient[place] == pytest.approx(slope, abs=1e-6)


@pytest.mark.parametrize("d", [-1e6, -40.0, 40.0, 1e6])
def test_far_differences_stay_finite_and_pull_back(d: float) -> None:
    against = -np.sign(d)
    found = mixture(Votes.from_signs([[against]]), [[d]], [[0.9]], [[0.9]])
    # the only way to d so far from the vote is an error of the judge: log 0.1
    assert found.value == pytest.approx(-np.log(0.1))
    assert np.isfinite([found.difference, found.alpha, found.beta, found.posterior]).all()


def test_a_far_tail_with_sure_judges_still_has_a_slope() -> None:
    # 40 judges, all sure, all against d = 40: errors of all (1e-6 ** 40) cost more than the
    # tail of Phi, whose hazard at -28.28 is about 28.32; so B is better for sure
    sure = np.full((40, 1), 1 - 1e-9)
    found = mixture(Votes.from_signs(-np.ones((1, 40))), [[40.0]], sure, sure)
    assert found.posterior[0, 0] < 1e-100
    assert found.difference[0, 0] == pytest.approx(28.32 / np.sqrt(2), abs=0.01)


@given(st.integers(0, 2**31))
def test_the_flip_leaves_the_likelihood_as_it_is(seed: int) -> None:
    votes, d, logits = drawn(seed)
    alpha, beta = expit(logits)
    one, flipped = mixture(votes, d, alpha, beta), mixture(votes, -d, 1 - beta, 1 - alpha)
    assert flipped.value == pytest.approx(one.value)
    assert flipped.posterior == pytest.approx(1 - one.posterior, nan_ok=True)


def test_at_one_half_no_vote_moves_the_difference() -> None:
    # why reliabilities must start above one half (the paper starts there)
    half = np.full((3, 2), 0.5)
    votes, _, _ = drawn(3)
    assert np.abs(mixture(votes, np.zeros((7, 2)), half, half).difference).max() < 1e-12


def test_ties_alone_contribute_nothing() -> None:
    found = mixture(Votes.from_signs([[0.0, np.nan]]), [[3.0]], [[0.9], [0.9]], [[0.9], [0.9]])
    assert found.value == 0
    assert np.isnan(found.posterior).all()
    assert not any(slope.any() for slope in (found.difference, found.alpha, found.beta))


def test_contradicting_votes_of_a_symmetric_judge_say_nothing_of_the_side() -> None:
    found = mixture(Votes.of([[1.0]], [[1.0]]), [[0.7]], [[0.8]], [[0.8]])
    assert found.posterior[0, 0] == pytest.approx(ndtr(0.7 / np.sqrt(2)))


@pytest.mark.parametrize(
    ("difference", "alpha", "beta", "message"),
    [
        ([[np.nan]], [[0.8]], [[0.8]], r"`difference` holds .*nan.* in row 0"),
        ([[0.0]], [[1.0]], [[0.8]], r"`alpha` must lie inside \(0, 1\)"),
        ([[0.0]], [[0.8]], [[0.8, 0.7]], r"`beta` must have shape \(1, 1\)"),
    ],
)
def test_bad_arguments_are_named(difference: Any, alpha: Any, beta: Any, message: str) -> None:
    with pytest.raises(DataError, match=message):
        mixture(Votes.from_signs([[1.0]]), difference, alpha, beta)
