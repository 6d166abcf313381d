"""AuxiNash's bargain: by hand, by its condition, by finite differences, and in training."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assize.calibration import Job, Setting, train
from assize.calibration.network.training import training_of
from assize.calibration.study import networks

torch = pytest.importorskip("torch")

from assize.calibration.network.bargaining import (  # noqa: E402 - it needs torch
    Bargaining,
    bargain,
    by_powers,
)
from assize.calibration.network.batched_training import BatchedTraining  # noqa: E402


def test_gradients_at_right_angles_weigh_by_power_over_length() -> None:
    # G'G = diag(4, 1), p = (1/4, 3/4): 4 a = 1 / (4 a) and b = 3 / (4 b), so a = 1/4, b = 0.866
    gram = torch.diag(torch.tensor([4.0, 1.0], dtype=torch.float64))[None]
    found = bargain(gram, torch.tensor([[0.25, 0.75]], dtype=torch.float64))
    assert found[0].tolist() == pytest.approx([0.25, 0.75**0.5])


@settings(deadline=None, max_examples=30)
@given(seed=st.integers(0, 10_000), questions=st.integers(2, 9))
def test_the_bargain_holds_for_any_gradients(seed: int, questions: int) -> None:
    rng = np.random.default_rng(seed)
    g = rng.normal(size=(3, questions, questions + 3)) * rng.uniform(0.01, 10, (3, questions, 1))
    g[:, 1] -= 0.9 * g[:, 0]  # two that pull apart
    gram = torch.tensor(g @ g.transpose(0, 2, 1))
    powers = torch.tensor(rng.dirichlet(np.full(questions, 2.0), 3)) * 0.9 + 0.1 / questions
    alpha = bargain(gram, powers)
    assert (alpha > 0).all()
    held = (gram @ alpha.unsqueeze(-1)).squeeze(-1)
    assert (held * alpha).numpy() == pytest.approx(powers.numpy(), rel=1e-4)


def test_scaling_a_loss_changes_nothing_of_its_step() -> None:
    g = np.random.default_rng(0).normal(size=(1, 4, 9))
    scale = np.array([1.0, 10.0, 0.1, 3.0])[None, :, None]
    powers = torch.full((1, 4), 0.25, dtype=torch.float64)
    steps = []
    for one in (g, g * scale):
        alpha = bargain(torch.tensor(one @ one.transpose(0, 2, 1)), powers)
        steps.append((alpha.numpy()[:, :, None] * one).sum(axis=1))
    assert steps[0] == pytest.approx(steps[1], rel=1e-4)


def test_the_slope_by_powers_is_that_of_finite_differences() -> None:
    rng = np.random.default_rng(1)
    g, main = rng.normal(size=(1, 4, 9)), torch.tensor(rng.normal(size=(1, 4)))
    gram = torch.tensor(g @ g.transpose(0, 2, 1))
    powers = torch.tensor([[0.1, 0.2, 0.3, 0.4]], dtype=torch.float64)
    found = by_powers(gram, powers, bargain(gram, powers), main)
    for place in range(4):
        ends = []
        for step in (1e-4, -1e-4):
            moved = powers.clone()
            moved[0, place] += step
            ends.append(-float((main * bargain(gram, moved)).sum()))  # a step goes down by alpha
        assert float(found[0, place]) == pytest.approx((ends[0] - ends[1]) / 2e-4, rel=1e-3)


def level(x: np.ndarray) -> np.ndarray:
    p = np.stack([x[:, :4] + 0.1, x[:, 3::-1] + 0.1], axis=1)
    return np.asarray(p / p.sum(axis=2, keepdims=True))


@pytest.mark.nightly
def test_a_useless_question_loses_power(worlds: Callable[..., Any]) -> None:
    forms = worlds(level, rows=400, raters=2, seed=1).forms
    noise = np.random.default_rng(0).integers(0, 4, (len(forms), 1))
    answers = np.hstack([forms.answers[:, :1], noise])
    both = replace(forms, answers=answers, scales=(forms.scales[0], forms.scales[0]))
    jobs = [
        Job(Setting(6, 6, 64, 0.01, initial=0.3, bargain=True), np.arange(400), seed)
        for seed in range(4)
    ]
    batch = Bargaining(both, jobs)
    batch.pretrain(80)
    assert batch.powers.sum(dim=1).tolist() == pytest.approx([1] * 4)
    assert float(batch.powers[:, 1].mean()) < 0.45


def test_it_is_trained_by_its_setting_and_the_target_alone_is_the_plain_network(
    worlds: Callable[..., Any],
) -> None:
    forms = worlds(level, rows=80, raters=2, seed=1).forms
    twice = replace(
        forms, answers=np.repeat(forms.answers[:, :1], 2, axis=1), scales=(forms.scales[0],) * 2
    )
    setting = Setting(4, 4, 32, 0.01, 3, 2)
    jobs = [Job(replace(setting, bargain=on), np.arange(80), 0) for on in (False, True)]
    for one, alike in ((networks.only_target(forms), True), (twice, False)):
        plain, other = (made.probabilities(one.x, one.rater) for made in train(one, jobs))
        assert np.allclose(plain, other, atol=1e-6) == alike
    assert type(training_of(twice, jobs[1:])) is Bargaining
    assert type(training_of(twice, jobs[:1])) is BatchedTraining
