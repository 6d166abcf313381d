"""CrowdLayer: a layer for each judge on top of the network's probabilities, trained on the votes.

The network says how probable the answers A, tie and B are. Each judge's layer turns these into that
judge's own answer, and the cross-entropy with its votes trains layers and network together. After
training the layers are taken off.

Letters: n pairs, J judges, C answers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import numpy as np

from assize.base.errors import DataError
from assize.evaluator._study.linear_head import LinearHead, design
from assize.evaluator._study.voted_pairs import VotedPairs
from assize.stats._arrays import FloatArray, IntArray

if TYPE_CHECKING:
    from torch import Tensor

Variant = Literal["MW", "VW", "VW-B"]
"""A matrix a judge, a weight an answer, or a weight and a bias an answer."""

PENALTY = 100.0  # on how far layers are from those that change nothing
CURVATURE = 0.25  # of the cost of one vote by d, at d = 0 and with layers that change nothing


def crowd_layer(data: VotedPairs, rows: IntArray, variant: Variant = "MW") -> LinearHead:
    """The network below the layers: here the same linear head as of every other learner.

    Args:
        variant: see `Variant`. Layers begin as the identity (weights 1, biases 0).

    Raises:
        DataError: no vote is for a side.

    The network's probabilities are the softmax of d, a constant learnt from the votes, and -d, so
    that exchanging the sides exchanges the answers; without any tie vote there are two answers. The
    cost of a pair is the mean over its votes, so that it counts as one pair beside the penalty.

    Source: Rodrigues and Pereira (2018), "Deep learning from crowds"; the layers and their names
    are theirs. Differs: the network is linear and shared by both sides; L-BFGS on all pairs in
    place of stochastic gradients; layers are drawn to those they begin as. Theirs are not, and stop
    early; here free layers grow without bound and undo the penalty on the head (accuracy on
    PandaLM's pairs, which this was chosen on, .61 without and .72 with it).
    """
    import torch

    counts = _counts(data, rows)
    if not counts[..., [0, -1]].any():
        raise DataError("no vote is for A or B; a crowd layer has nothing to learn")
    voted = counts.sum(axis=(1, 2)) > 0
    made = design(data, rows[voted])
    start = first_parameters(variant, counts.shape[1], counts.shape[2])
    share = torch.from_numpy(counts[voted] / counts[voted].sum(axis=(1, 2), keepdims=True))
    identity = torch.from_numpy(start)

    def loss(difference: Tensor, parameters: Tensor) -> Tensor:
        away = (parameters - identity).square().sum()
        votes = cross_entropy(share, difference, parameters, variant)
        return votes + 0.5 * PENALTY / made.unit * away

    return made.minimise(loss, start, CURVATURE).head


def _counts(data: VotedPairs, rows: IntArray) -> FloatArray:
    """(n, J, C) votes for A, maybe for a tie, and for B."""
    votes = data.votes.take(rows)
    parts = [votes.for_a[..., 0], votes.ties[..., 0], votes.for_b[..., 0]]
    if not votes.ties.any():
        del parts[1]
    return np.stack(parts, axis=2)


def first_parameters(variant: Variant, judges: int, answers: int) -> FloatArray:
    """The constant of a tie (one number, only where there are three answers), then the layers'."""
    tie = np.zeros(answers - 2)
    if variant == "MW":
        return np.concatenate([tie, np.tile(np.eye(answers), (judges, 1, 1)).ravel()])
    biases = np.zeros(judges * answers if variant == "VW-B" else 0)
    return np.concatenate([tie, np.ones(judges * answers), biases])


def cross_entropy(
    counts: Tensor, difference: Tensor, parameters: Tensor, variant: Variant
) -> Tensor:
    """Minus the log-likelihood of votes.

    Args:
        counts: (n, J, C) how often, or with what weight, each judge gave each answer.
        difference: (n,) of A less B.
        parameters: as of `first_parameters`.
    """
    import torch

    _, judges, answers = counts.shape
    tie, layers = parameters[: answers - 2], parameters[answers - 2 :]
    sides = [difference, *tie.expand(len(difference), -1).unbind(1), -difference]
    p = torch.stack(sides, dim=1).softmax(dim=1)  # (n, C)
    if variant == "MW":
        logits = torch.einsum("jkc,nc->njk", layers.reshape(judges, answers, answers), p)
    else:
        weights, *biases = layers.reshape(-1, judges, answers)
        logits = weights * p[:, None] + sum(biases)
    return -(counts * logits.log_softmax(dim=2)).sum()
