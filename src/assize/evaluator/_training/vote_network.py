"""The network that learns from votes, and how likely it makes them.

M networks of one shape are one module. Every parameter has the members as its first dimension, so
one pass serves all members, and a member can be copied out by its index.

Letters: M members, B rows or pairs, F features, K questions, J judges.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn.functional import logsigmoid, silu

from assize.evaluator._heads.network import Activation, Tower
from assize.evaluator._training.given_differences import EDGE, Reliabilities
from assize.evaluator._training.settings import Settings

ACTIVATIONS: Mapping[Activation, Callable[[Tensor], Tensor]] = {
    "relu": torch.relu,
    "tanh": torch.tanh,
    "silu": silu,
}
MAX_LOGIT = math.log((1 - EDGE) / EDGE)  # reliabilities stay within EDGE and 1 - EDGE


class VoteNetwork(nn.Module):
    """M networks that score dialogues on K questions, and the reliabilities of J judges.

    Args:
        settings: the shape of the networks, and the seed.
        features: F.
        start: reliabilities (J, K) to begin with.
        gold: (J,) judges whose reliabilities stay as they begin.

    Source: MTDEval, section 4.1. Differs: members, and the linear part, are ours.
    """

    def __init__(
        self, settings: Settings, features: int, start: Reliabilities, gold: Sequence[bool]
    ) -> None:
        super().__init__()
        members, questions = settings.members, start.alpha.shape[1]
        sizes = list(pairwise((features, *settings.hidden, questions)))
        self.activation = ACTIVATIONS[settings.activation]
        self.weights = nn.ParameterList(_initial_weights(settings, sizes))
        self.biases = nn.ParameterList(torch.zeros(members, outputs) for _, outputs in sizes)
        self.linear: nn.Parameter | None = None
        if settings.linear and settings.hidden:
            self.linear = nn.Parameter(torch.zeros(members, features, questions))
        rates = np.stack([start.alpha] if settings.tied else [start.alpha, start.beta])
        self.reliability = nn.Parameter(torch.tensor(rates).logit().repeat(members, 1, 1, 1))
        is_gold = torch.tensor(gold)[:, None]
        self.reliability.register_hook(lambda slope: slope.masked_fill(is_gold, 0.0))  # type: ignore[no-untyped-call]

    def forward(self, x: Tensor) -> Tensor:
        """Return scores (M, B, K) of rows (B, F)."""
        outputs: Tensor = _all_members(x, self.weights[0]) + self.biases[0][:, None]
        for weight, bias in zip(self.weights[1:], self.biases[1:], strict=True):
            outputs = self.activation(outputs) @ weight + bias[:, None]
        return outputs if self.linear is None else outputs + _all_members(x, self.linear)

    def reliability_logits(self) -> tuple[Tensor, Tensor]:
        """Return the logits of alpha and beta, (M, J, K) each; tied judges have one parameter."""
        logits = self.reliability.clamp(-MAX_LOGIT, MAX_LOGIT)
        alpha, beta = logits.expand(-1, 2, -1, -1).unbind(dim=1)
        return alpha, beta

    def tower(self) -> Tower:
        """Return the networks as an evaluator keeps them."""
        return Tower(
            tuple(weight.detach().double().numpy() for weight in self.weights),
            tuple(bias.detach().double().numpy() for bias in self.biases),
            None if self.linear is None else self.linear.detach().double().numpy(),
        )


def _all_members(x: Tensor, weight: Tensor) -> Tensor:
    """Multiply rows (B, F) by weights (M, F, O); one product is faster than one a member."""
    return torch.einsum("bf,mfo->mbo", x, weight)


def _initial_weights(settings: Settings, sizes: Sequence[tuple[int, int]]) -> list[Tensor]:
    """Draw hidden layers with variance 2 / inputs, and a small last layer, so that all dialogues
    start nearly alike. A model without hidden layers starts at 0."""
    deviations = [math.sqrt(2 / inputs) for inputs, _ in sizes[:-1]]
    deviations.append(0.1 / math.sqrt(sizes[-1][0]) if settings.hidden else 0.0)
    members = []
    for member in range(settings.members):
        rng = np.random.default_rng([settings.seed, 2, member])
        layers = zip(deviations, sizes, strict=True)
        members.append([rng.normal(0, deviation, size) for deviation, size in layers])
    return [torch.tensor(np.stack(layer)).float() for layer in zip(*members, strict=True)]


def vote_loss(
    difference: Tensor, for_a: Tensor, for_b: Tensor, alpha: Tensor, beta: Tensor
) -> Tensor:
    """Return the negative log-likelihood (..., K) of each pair's votes, in nats.

    Args:
        difference: (..., K) score of A less score of B.
        for_a, for_b: (..., J, K) votes for either side; ties are left out.
        alpha, beta: (..., J, K) logits of P(votes A | A is better) and P(votes B | B is better).

    A pair without a vote for a side costs 0, whatever its scores.

    Source: MTDEval, equations 1 and 5 to 9, in logarithms, with sigma = 1. Differs: A is the
    positive class; in the paper it is B.
    """
    z = difference / math.sqrt(2)
    if_a = (for_a * logsigmoid(alpha) + for_b * logsigmoid(-alpha)).sum(dim=-2)
    if_b = (for_b * logsigmoid(beta) + for_a * logsigmoid(-beta)).sum(dim=-2)
    log_a, log_b = torch.special.log_ndtr(z), torch.special.log_ndtr(-z)
    return -torch.logaddexp(if_a + log_a, if_b + log_b)
