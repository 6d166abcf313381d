"""CrowdLayer: a layer a judge on top of the network's probabilities, trained through to the votes.

The network says how probable the answers A, tie and B are; each judge's layer turns these into that
judge's own answer; the cross-entropy with its votes is carried back through the layer into the
network. After training the layers are taken off.

Letters: n pairs, J judges, C answers, d differences, p probabilities.
"""

from __future__ import annotations

from typing import Literal

import numpy as np

from assize.base.errors import DataError
from assize.evaluator._study.linear_head import Costs, LinearHead, design
from assize.evaluator._study.voted_pairs import VotedPairs
from assize.stats._arrays import FloatArray, IntArray

Variant = Literal["MW", "VW", "VW-B"]
"""A matrix a judge, a weight an answer, or a weight and a bias an answer."""

LAYERS = 100.0  # penalty on what layers differ from those that change nothing
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
    counts = _counts(data, rows)
    if not counts[..., [0, -1]].any():
        raise DataError("no vote is for A or B; a crowd layer has nothing to learn")
    voted = counts.sum(axis=(1, 2)) > 0
    made = design(data, rows[voted])
    begin = first_parameters(variant, counts.shape[1], counts.shape[2])
    per_pair = counts[voted] / counts[voted].sum(axis=(1, 2), keepdims=True)

    def cost(d: FloatArray, more: FloatArray) -> Costs:
        found = cross_entropy(per_pair, d, more, variant)
        away = more - begin
        weight = LAYERS / made.unit
        return Costs(
            found.value + 0.5 * weight * float(away @ away),
            found.difference,
            found.more + weight * away,
        )

    return made.minimise(cost, begin, CURVATURE).head


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
    weights = np.ones(judges * answers)
    biases = np.zeros(judges * answers if variant == "VW-B" else 0)
    return np.concatenate([tie, weights, biases])


def cross_entropy(counts: FloatArray, d: FloatArray, more: FloatArray, variant: Variant) -> Costs:
    """Minus the log-likelihood of votes (n, J, C), with derivatives.

    Args:
        counts: how often, or with what weight, each judge gave each answer; 0 for none.
        d: (n,) differences; more: as of `first_parameters`.
    """
    n, judges, answers = counts.shape
    three = answers - 2
    logits = np.stack([d, -d] if not three else [d, np.full(n, more[0]), -d], axis=1)
    p = _softmax(logits)  # (n, C)
    layers = more[three:]
    size = judges * answers
    if variant == "MW":
        matrix = layers.reshape(judges, answers, answers)
        z = np.einsum("jkc,nc->njk", matrix, p)
    else:
        weights = layers[:size].reshape(judges, answers)
        z = weights * p[:, None, :]
        if variant == "VW-B":
            z = z + layers[size:].reshape(judges, answers)
    top = z.max(axis=2, keepdims=True)
    log_total = np.log(np.exp(z - top).sum(axis=2, keepdims=True)) + top
    value = float((counts * (log_total - z)).sum())
    slope = counts.sum(axis=2, keepdims=True) * np.exp(z - log_total) - counts  # by z, (n, J, C)
    if variant == "MW":
        by_layers = np.einsum("njk,nc->jkc", slope, p).ravel()
        by_p = np.einsum("njk,jkc->nc", slope, matrix)
    else:
        by_layers = (slope * p[:, None, :]).sum(axis=0).ravel()
        if variant == "VW-B":
            by_layers = np.concatenate([by_layers, slope.sum(axis=0).ravel()])
        by_p = (slope * weights).sum(axis=1)
    by_logits = p * (by_p - (p * by_p).sum(axis=1, keepdims=True))
    by_d = by_logits[:, 0] - by_logits[:, -1]
    tie = by_logits[:, 1].sum(keepdims=True) if three else np.zeros(0)
    return Costs(value, by_d, np.concatenate([tie, by_layers]))


def _softmax(logits: FloatArray) -> FloatArray:
    away = np.exp(logits - logits.max(axis=1, keepdims=True))
    return np.asarray(away / away.sum(axis=1, keepdims=True))
