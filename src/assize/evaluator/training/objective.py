"""What a batch costs, and in which direction outputs and reliabilities should go.

Members of an ensemble stand beside each other like further questions, so that one call of the
likelihood serves all. Votes that a member holds out count 0 for it.

Letters: M members, N pairs of a batch, J judges, K questions, R ratings.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from assize.evaluator.features.surface import FloatArray
from assize.evaluator.training.given_differences import EDGE, Reliabilities
from assize.evaluator.training.lessons import Rated
from assize.stats.reliability import Votes, mixture

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
    """The mixture's, see `assize.stats.reliability.mixture`."""
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


@dataclass(frozen=True, slots=True)
class RatingCost:
    """Of the ratings of a batch; by member M."""

    value: FloatArray  # (M,) summed, in nats
    outputs: FloatArray  # (M, R) derivative by the output of each rating's question
    affine: FloatArray  # (3, M, K) derivative by what maps outputs to ratings


def cost_of_ratings(
    rated: Rated, outputs: FloatArray, affine: FloatArray, counted: FloatArray
) -> RatingCost:
    """Gaussian: a rating is a + exp(b) f(x), and noise of deviation exp(c).

    Args:
        rated: R ratings.
        outputs: (M, R) of each rating's own dialogue and question.
        affine: (3, M, K) a, b and c.
        counted: (M, R) 1, or 0 where a member holds the rating out.

    An output keeps the scale that the votes give it, because a and b take up the ratings'.
    """
    a, b, c = affine[:, :, rated.question]  # (M, R) each
    slope, precision = np.exp(b), np.exp(-2 * c)
    gap = a + slope * outputs - rated.value
    value = (counted * (0.5 * gap**2 * precision + c)).sum(axis=1)
    by_mean = counted * gap * precision
    parts = (by_mean, by_mean * slope * outputs, counted * (1 - gap**2 * precision))
    questions = affine.shape[2]
    found = np.stack(
        [[np.bincount(rated.question, row, questions) for row in part] for part in parts]
    )
    return RatingCost(value, by_mean * slope, found.astype(np.float64))
