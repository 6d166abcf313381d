from __future__ import annotations

from math import comb, exp, log

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import ndtr

from assize.base.errors import ConfigError
from assize.calibrate._network.privacy_accountant import epsilon_of, noise_for, renyi


def test_values_of_opacus_are_reproduced() -> None:
    # opacus/tests/accountants_test.py; its search for the noise stops within a hundredth.
    assert epsilon_of(0.04, 1.5, 2250, 1e-5) == pytest.approx(7.32911117143, abs=1e-6)
    assert 1.425307617 - 0.01 < noise_for(8.0, 1e-5, 0.04, 2250) <= 1.425307617


@pytest.mark.parametrize(("rate", "noise"), [(0.01, 1.0), (0.2, 2.0), (0.5, 0.8)])
def test_divergences_of_whole_orders_are_the_binomial_sum(rate: float, noise: float) -> None:
    for order in (2, 5, 20):
        # Mironov, Talwar and Zhang (2019), section 3.3
        terms = [
            log(comb(order, k))
            + k * log(rate)
            + (order - k) * log(1 - rate)
            + (k * k - k) / (2 * noise**2)
            for k in range(order + 1)
        ]
        truth = np.logaddexp.reduce(terms) / (order - 1)
        assert renyi(order, rate, noise) == pytest.approx(truth, rel=1e-6, abs=1e-12)


def test_one_gaussian_mechanism_is_bounded_by_what_is_exact() -> None:
    # Balle and Wang (2018), theorem 8: the exact delta of epsilon for sensitivity 1.
    for noise in (1.0, 5.0):
        epsilon = epsilon_of(1.0, noise, 1, 1e-5)
        half = 1 / (2 * noise)
        exact = ndtr(half - epsilon * noise) - exp(epsilon) * ndtr(-half - epsilon * noise)
        assert exact <= 1e-5
        assert exact > 1e-8  # and not far from it


@settings(max_examples=20)
@given(st.floats(0.01, 0.9), st.floats(0.6, 5), st.integers(1, 500))
def test_more_noise_fewer_steps_and_smaller_samples_tell_less(
    rate: float, noise: float, steps: int
) -> None:
    here = epsilon_of(rate, noise, steps, 1e-5)
    assert epsilon_of(rate, 1.2 * noise, steps, 1e-5) <= here + 1e-9
    assert epsilon_of(rate, noise, steps + 50, 1e-5) >= here
    assert epsilon_of(0.9 * rate, noise, steps, 1e-5) <= here + 1e-6


def test_the_noise_that_is_found_keeps_within_what_was_asked() -> None:
    for epsilon in (0.5, 3.0, 20.0):
        noise = noise_for(epsilon, 1e-5, 0.2, 100)
        assert epsilon_of(0.2, noise, 100, 1e-5) <= epsilon
        assert epsilon_of(0.2, 0.98 * noise, 100, 1e-5) > epsilon
    with pytest.raises(ConfigError, match="epsilon must be above 0"):
        noise_for(0.0, 1e-5, 0.2, 100)
    with pytest.raises(ConfigError, match="delta in"):
        noise_for(1.0, 0.0, 0.2, 100)
    with pytest.raises(ConfigError, match="no noise up to"):
        noise_for(1e-9, 1e-5, 1.0, 100)
