"""What a batch costs, and in which direction outputs and reliabilities should go.

Members of an ensemble stand beside each other like further questions, so that one call of the
likelihood serves all. Votes that a member holds out count 0 for it.

Letters: M members, N pairs of a batch, J judges, K questions.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from assize.evaluator._features.surface import FloatArray
from assize.evaluator._training.given_differences import EDGE, Reliabilities
from assize.stats._reliability import Votes, mixture

_LIMIT = float(np.log((1 - EDGE) / EDGE))


def for_members(votes: Votes, held: NDArray[np.bool_]) -> Votes:
    """Votes (N, J, M K): those of each member, without the pairs that it holds out (M, N)."""
    parts = []
    for counts in (votes.for_a, votes.for_b, votes.ties):
        seen = [np.where(one[:, None, None], 0.0, counts) for one in held]
        parts.append(np.concatenate(seen, axis=2))
    return Votes(*parts)


def reliabilities_of(logits: FloatArray) -> Reliabilities:
    """From logits (2, J, ...)."""
    alpha, beta = 1 / (1 + np.exp(-np.clip(logits, -_LIMIT, _LIMIT)))
    return Reliabilities(alpha, beta)


def logits_of(found: Reliabilities) -> FloatArray:
    """(2, J, ...) of reliabilities."""
    rates = np.stack([found.alpha, found.beta])
    return np.asarray(np.log(rates) - np.log1p(-rates))


@dataclass(frozen=True, slots=True)
class Cost:
    """Of the votes of a batch."""

    value: float  # summed, in nats
    difference: FloatArray  # (N, M K) derivative by f(A) - f(B)
    logits: FloatArray  # (2, J, M K) derivative by the reliabilities' logits


def cost_of_votes(votes: Votes, difference: FloatArray, logits: FloatArray) -> Cost:
    """The mixture's, see `assize.stats._reliability.mixture`."""
    now = reliabilities_of(logits)
    found = mixture(votes, difference, now.alpha, now.beta)
    return Cost(found.value, found.difference, np.stack([found.alpha, found.beta]))


def cost_of_labels(difference: FloatArray, posterior: FloatArray) -> float:
    """Minus the expected log-likelihood of the better side.

    Args:
        difference: (N, Q).
        posterior: (N, Q) probability that A is better; NaN where nothing is known.
    """
    from scipy.special import log_ndtr

    z = difference * np.sqrt(0.5)
    known = ~np.isnan(posterior)
    p = np.where(known, posterior, 0.5)
    log_a, log_b = log_ndtr(z), log_ndtr(-z)
    return -float(np.where(known, p * log_a + (1 - p) * log_b, 0.0).sum())
