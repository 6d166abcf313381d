"""The likelihood of several judges' votes where the better side is not known.

For a pair and a question let d = f(A) - f(B), in units of the spread of one quality (sigma
is 1). The better side is A with probability Phi(d / sqrt 2). A judge votes A with probability
alpha where A is better (sensitivity) and B with probability beta where B is better
(specificity). So the votes are a mixture of two products:

    P(votes) = Phi(d / sqrt 2)  prod_j alpha_j^a_j (1 - alpha_j)^b_j
             + Phi(-d / sqrt 2) prod_j (1 - beta_j)^a_j beta_j^b_j

with a_j votes for A and b_j for B. Everything is in logarithms, so that no product of many
small numbers and no far tail becomes 0. Ties are left out.

Source: Tang et al., "Learning an Efficient Multi-Turn Dialogue Evaluator from Multiple LLM
Judges", sections 4.2 and 4.3, equations 1 to 9. Differs: A is the positive class here, in the
paper it is B (its alpha is our beta); a judge may have several votes on one pair.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from assize.base.errors import DataError
from assize.stats._arrays import FloatArray
from assize.stats._reliability.votes import Votes

_LOG_ROOT_TWO_PI = 0.5 * np.log(2 * np.pi)
_ROOT_HALF = np.sqrt(0.5)
_FAR = -1e4  # beyond it the hazard phi/Phi is -z to the last bit that matters


@dataclass(frozen=True, slots=True)
class Mixture:
    """The negative log-likelihood with its gradients.

    Args:
        value: summed over all pairs and questions with a vote for a side, at least 0, in nats.
        by_question: (K,) its parts.
        posterior: (N, K) probability that A is better, given votes and difference; NaN where
            no vote is for a side.
        difference: (N, K) derivative of `value` by d; 0 where no vote is for a side.
        alpha, beta: (J, K) derivatives of `value` by the logits of alpha and beta.
    """

    value: float
    by_question: FloatArray
    posterior: FloatArray
    difference: FloatArray
    alpha: FloatArray
    beta: FloatArray


def mixture(votes: Votes, difference: ArrayLike, alpha: ArrayLike, beta: ArrayLike) -> Mixture:
    """Negative log-likelihood of votes, the posterior of each label, and exact gradients.

    Args:
        votes: of J judges on N pairs and K questions.
        difference: (N, K) quality of A less quality of B, where one quality has sigma 1.
        alpha: (J, K) probability of the vote A where A is better, inside (0, 1).
        beta: (J, K) probability of the vote B where B is better, inside (0, 1).

    Raises:
        DataError: shapes do not fit, `difference` is not finite, or a probability is not
            inside (0, 1).

    Source: Tang et al., equations 5 to 9; the gradients are derived in `docs/judge-reliability.md`.

    >>> found = mixture(Votes.of([[1.0]], [[0.0]]), [[0.0]], [[0.8]], [[0.6]])
    >>> round(float(np.exp(-found.value)), 3), round(float(found.posterior[0, 0]), 3)
    (0.6, 0.667)
    """
    n, j, k = votes.shape
    d = _finite(difference, "difference", (n, k))
    a, b = inside(alpha, "alpha", (j, k)), inside(beta, "beta", (j, k))
    sided = votes.sided
    z = d * _ROOT_HALF
    log_a, log_b, hazard_a, hazard_b = _sides(z)
    given_a, given_b = log_given(votes, a, b)
    joint, p = mixed(log_a + given_a, log_b + given_b)
    slope = (p * hazard_a - (1 - p) * hazard_b) * _ROOT_HALF
    by_alpha, by_beta = logit_slopes(votes, np.where(sided, p, 0), np.where(sided, 1 - p, 0), a, b)
    parts = -np.where(sided, joint, 0).sum(axis=0)
    return Mixture(
        float(parts.sum()),
        parts,
        np.where(sided, p, np.nan),
        np.where(sided, -slope, 0.0),
        -by_alpha,
        -by_beta,
    )


def log_given(votes: Votes, alpha: FloatArray, beta: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Log probability of each pair's votes were A better, and were B better: (N, K) each."""
    if_a = _weighed(votes.for_a, np.log(alpha)) + _weighed(votes.for_b, np.log1p(-alpha))
    if_b = _weighed(votes.for_a, np.log1p(-beta)) + _weighed(votes.for_b, np.log(beta))
    return if_a, if_b


def mixed(if_a: FloatArray, if_b: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Log of the sum of two joint probabilities given as logarithms, and the first one's share."""
    joint = np.logaddexp(if_a, if_b)
    return joint, np.exp(if_a - joint)


def logit_slopes(
    votes: Votes, is_a: FloatArray, is_b: FloatArray, alpha: FloatArray, beta: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Derivatives of the log-likelihood by logit alpha and logit beta: (J, K) each.

    Args:
        is_a, is_b: (N, K) posterior of each side, 0 for what does not count.
    """
    right_a, wrong_a = _expected(votes.for_a, is_a), _expected(votes.for_b, is_a)
    right_b, wrong_b = _expected(votes.for_b, is_b), _expected(votes.for_a, is_b)
    return (1 - alpha) * right_a - alpha * wrong_a, (1 - beta) * right_b - beta * wrong_b


def _weighed(counts: FloatArray, logs: FloatArray) -> FloatArray:
    """(N, J, K) counts times (J, K) logs, summed over judges: (N, K)."""
    return np.asarray(np.einsum("njk,jk->nk", counts, logs))


def _expected(counts: FloatArray, weight: FloatArray) -> FloatArray:
    """(N, J, K) counts weighed by (N, K), summed over pairs: (J, K)."""
    return np.asarray(np.einsum("njk,nk->jk", counts, weight))


def _sides(z: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
    """log Phi(z), log Phi(-z), and their derivatives' sizes phi/Phi at z and at -z."""
    from scipy.special import log_ndtr

    log_a, log_b = log_ndtr(z), log_ndtr(-z)
    density = -0.5 * np.square(z) - _LOG_ROOT_TWO_PI
    with np.errstate(over="ignore", invalid="ignore"):
        hazard_a = np.where(z < _FAR, -z, np.exp(density - log_a))
        hazard_b = np.where(-z < _FAR, z, np.exp(density - log_b))
    return log_a, log_b, hazard_a, hazard_b


def inside(values: ArrayLike, name: str, shape: tuple[int, int]) -> FloatArray:
    """The probabilities, of that shape and inside (0, 1); raises DataError naming them."""
    array = _finite(values, name, shape)
    if ((array <= 0) | (array >= 1)).any():
        raise DataError(
            f"`{name}` must lie inside (0, 1); it goes from {array.min():g} to {array.max():g}"
        )
    return array


def _finite(values: ArrayLike, name: str, shape: tuple[int, int]) -> FloatArray:
    array: NDArray[np.float64] = np.asarray(values, dtype=np.float64)
    if array.shape != shape:
        raise DataError(f"`{name}` must have shape {shape}; it has {array.shape}")
    if not np.isfinite(array).all():
        row = int(np.argwhere(~np.isfinite(array))[0, 0])
        raise DataError(f"`{name}` holds {array[row].tolist()} in row {row}; it must be finite")
    return array
