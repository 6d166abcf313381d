from __future__ import annotations

import numpy as np
import pytest

from assize.evaluator._training.adamw import AdamW, share_of_rate


def test_the_first_step_is_the_rate_against_the_gradients_sign() -> None:
    # both moments are corrected for their start, so m / sqrt(v) is g / |g|
    parameters, optimiser = np.array([1.0, 1.0]), AdamW.of(np.zeros(2), (0.9, 0.95))
    optimiser.step(parameters, np.array([3.0, -0.5]), rate=0.1, number=1)
    np.testing.assert_allclose(parameters, [0.9, 1.1])


def test_decay_shrinks_only_what_it_is_for_and_apart_from_the_gradient() -> None:
    parameters = np.array([2.0, 2.0])
    optimiser = AdamW.of(parameters, (0.9, 0.95), decay=0.5, decayed=1)
    optimiser.step(parameters, np.zeros(2), rate=0.1, number=1)
    np.testing.assert_allclose(parameters, [2 * (1 - 0.1 * 0.5), 2.0])


def test_it_is_torchs() -> None:
    torch = pytest.importorskip("torch")
    rng = np.random.default_rng(0)
    parameters = rng.normal(size=7)
    other = torch.nn.Parameter(torch.tensor(parameters.copy()))
    own = AdamW.of(parameters, (0.9, 0.95), decay=0.1, decayed=7)
    theirs = torch.optim.AdamW([other], lr=0.01, betas=(0.9, 0.95), weight_decay=0.1)
    for number in range(1, 20):
        gradient = rng.normal(size=7)
        other.grad = torch.tensor(gradient.copy())
        theirs.step()
        own.step(parameters, gradient.copy(), rate=0.01, number=number)
    np.testing.assert_allclose(parameters, other.detach().numpy(), rtol=1e-9)


def test_rates_rise_for_a_tenth_of_the_steps_and_fall_to_nothing() -> None:
    rates = [share_of_rate(step, 100, 0.1) for step in range(100)]
    assert rates[:10] == pytest.approx(np.arange(1, 11) / 10)
    assert rates[9:] == sorted(rates[9:], reverse=True)
    assert share_of_rate(100, 100, 0.1) == 0
    assert share_of_rate(0, 3, 0.1) == 1  # too short to rise
