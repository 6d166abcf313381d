"""The network, and the likelihood of votes."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from planted import plant

from assize.evaluator._heads.network import Activation
from assize.evaluator._training.given_differences import Reliabilities
from assize.evaluator._training.settings import settings_of
from assize.evaluator._training.vote_network import VoteNetwork, vote_loss
from assize.stats._reliability import mixture


@pytest.mark.parametrize("activation", ["relu", "tanh", "silu"])
@pytest.mark.parametrize("hidden", [(), (5,), (6, 4)])
def test_the_tower_gives_the_networks_scores(
    activation: Activation, hidden: tuple[int, ...]
) -> None:
    settings = settings_of("small", members=3, hidden=hidden, activation=activation)
    rate = np.full((2, 4), 0.7)
    model = VoteNetwork(settings, 7, Reliabilities(rate, rate), [False, False])
    with torch.no_grad():
        for one in model.parameters():
            one.add_(0.1)
    x = np.random.default_rng(0).normal(size=(6, 7)).astype(np.float32)
    scores = model(torch.from_numpy(x)).detach().numpy()
    np.testing.assert_allclose(model.tower()(x, activation), scores, rtol=1e-4, atol=1e-4)


def test_the_loss_is_the_mixtures_with_its_slopes() -> None:
    truth = plant(30)
    votes = truth.lessons.votes
    difference = torch.randn(30, 2, dtype=torch.float64)
    rates = [torch.tensor(one).logit() for one in (truth.alpha, truth.beta)]
    given = [one.requires_grad_() for one in (difference, *rates)]
    counts = (torch.tensor(votes.for_a), torch.tensor(votes.for_b))
    loss = vote_loss(given[0], *counts, *given[1:]).sum()
    direct = mixture(votes, difference.detach().numpy(), truth.alpha, truth.beta)
    assert loss.item() == pytest.approx(direct.value)
    slopes = (direct.difference, direct.alpha, direct.beta)
    for own, expected in zip(torch.autograd.grad(loss, given), slopes, strict=True):
        np.testing.assert_allclose(own.numpy(), expected, atol=1e-9)


def test_no_vote_for_a_side_costs_nothing() -> None:
    nothing = torch.zeros(1, 3, 1, dtype=torch.float64)
    difference = torch.tensor([[[40.0]]]).double().requires_grad_()
    loss = vote_loss(difference, nothing, nothing, nothing, nothing)
    (slope,) = torch.autograd.grad(loss.sum(), difference)
    assert [loss.item(), slope.item()] == pytest.approx([0, 0], abs=1e-12)
