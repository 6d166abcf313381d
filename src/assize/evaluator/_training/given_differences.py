"""Reliabilities of judges where the differences of quality are given: EM in closed form.

Given d = f(A) - f(B), A is the better side with probability Phi(d / sqrt 2). The posterior after
the votes is the E-step; the M-step is a share: of the votes where A is likely the better side,
those that say so.

Letters: N pairs, J judges, K questions.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from assize.stats._arrays import FloatArray
from assize.stats._reliability import Votes, mixture

EDGE = 1e-3  # reliabilities stay so far from 0 and 1
PSEUDO = 0.5  # votes of each kind that every judge is taken to have cast, right and wrong
_Z = 1.959963984540054  # of a 95% interval
_LEAST = 1e-2  # information: a standard error of 10 on the logits


@dataclass(frozen=True, slots=True, eq=False)
class Reliabilities:
    """Sensitivity and specificity, (J, K) each."""

    alpha: FloatArray  # P(votes A | A is better, votes for a side)
    beta: FloatArray  # P(votes B | B is better, votes for a side)

    @property
    def information(self) -> FloatArray:
        """(J, K) alpha + beta - 1: 1 for a judge who is always right, 0 for one who guesses,
        negative for one who is wrong more often than right."""
        return np.asarray(self.alpha + self.beta - 1)

    def flipped(self, questions: NDArray[np.bool_]) -> Reliabilities:
        """As they are when some questions' better and worse change places."""
        return Reliabilities(
            np.where(questions, 1 - self.beta, self.alpha),
            np.where(questions, 1 - self.alpha, self.beta),
        )


def closed_form(votes: Votes, posterior: FloatArray, *, tied: bool = False) -> Reliabilities:
    """The M-step: reliabilities from the probability (N, K) that A is better, NaN for no vote.

    Args:
        tied: one number a judge and question, alpha = beta.

    Source: Dawid and Skene (1979), equation 2.3, with half a vote added on each side.
    """
    is_a = np.nan_to_num(posterior)
    is_b = np.where(np.isnan(posterior), 0.0, 1 - is_a)
    right_a, wrong_a = (np.einsum("njk,nk->jk", part, is_a) for part in (votes.for_a, votes.for_b))
    right_b, wrong_b = (np.einsum("njk,nk->jk", part, is_b) for part in (votes.for_b, votes.for_a))
    if tied:
        right_a = right_b = right_a + right_b
        wrong_a = wrong_b = wrong_a + wrong_b
    return Reliabilities(_share(right_a, wrong_a), _share(right_b, wrong_b))


def _share(right: FloatArray, wrong: FloatArray) -> FloatArray:
    found = (right + PSEUDO) / (right + wrong + 2 * PSEUDO)
    return np.asarray(np.clip(found, EDGE, 1 - EDGE))


def by_em(
    votes: Votes,
    difference: FloatArray,
    begin: Reliabilities,
    *,
    fixed: NDArray[np.bool_] | None = None,
    tied: bool = False,
    rounds: int = 200,
    enough: float = 1e-5,
) -> Reliabilities:
    """Reliabilities that fit votes best where the differences (N, K) are given.

    Args:
        begin: where it starts; the side of alpha + beta = 1 on which it starts is mostly where
            it ends.
        fixed: (J,) judges whose reliabilities stay as they begin.
        tied: alpha = beta.
        rounds, enough: it ends after so many, or when none moves by more.
    """
    now = begin
    for _ in range(rounds):
        posterior = mixture(votes, difference, now.alpha, now.beta).posterior
        found = closed_form(votes, posterior, tied=tied)
        if fixed is not None:
            found = Reliabilities(
                np.where(fixed[:, None], begin.alpha, found.alpha),
                np.where(fixed[:, None], begin.beta, found.beta),
            )
        moved = max(
            float(np.abs(found.alpha - now.alpha).max(initial=0)),
            float(np.abs(found.beta - now.beta).max(initial=0)),
        )
        now = found
        if moved < enough:
            break
    return now


@dataclass(frozen=True, slots=True, eq=False)
class Bounds:
    """95% intervals of reliabilities, (J, K) each; NaN where a judge has no vote for a side."""

    alpha_low: FloatArray
    alpha_high: FloatArray
    beta_low: FloatArray
    beta_high: FloatArray


def intervals(votes: Votes, difference: FloatArray, at: Reliabilities) -> Bounds:
    """Intervals from the observed information of the votes, given the differences (N, K).

    The information that the labels would give if they were known, less what is lost because they
    are not; bounds are symmetric on the logits. What the network itself does not know, and that
    judges may err together, is not in them.

    Source: Louis (1982), "Finding the observed information matrix when using the EM algorithm",
    equation 3.2, with the half votes of `closed_form` as its prior.
    """
    judges, questions = votes.shape[1:]
    posterior = mixture(votes, difference, at.alpha, at.beta).posterior
    is_a = np.nan_to_num(posterior)
    is_b = np.where(np.isnan(posterior), 0.0, 1 - is_a)
    total = votes.for_a + votes.for_b
    seen = total.sum(axis=0) > 0
    slope_a, slope_b = at.alpha * (1 - at.alpha), at.beta * (1 - at.beta)
    complete_a = (np.einsum("njk,nk->jk", total, is_a) + 2 * PSEUDO) * slope_a
    complete_b = (np.einsum("njk,nk->jk", total, is_b) + 2 * PSEUDO) * slope_b
    if_a = votes.for_a * (1 - at.alpha) - votes.for_b * at.alpha
    if_b = votes.for_b * (1 - at.beta) - votes.for_a * at.beta
    width = np.full((2, judges, questions), np.nan)
    for question in range(questions):
        known = np.flatnonzero(seen[:, question])
        gap = np.hstack([if_a[:, known, question], -if_b[:, known, question]])
        doubt = is_a[:, question] * is_b[:, question]
        complete = np.concatenate([complete_a[known, question], complete_b[known, question]])
        information = np.diag(complete) - (gap * doubt[:, None]).T @ gap
        width[:, known, question] = _Z * _errors(information).reshape(2, len(known))
    lows_highs = [
        _moved(rate, sign * one)
        for rate, one in zip((at.alpha, at.beta), width, strict=True)
        for sign in (-1, 1)
    ]
    return Bounds(*lows_highs)


def _errors(information: FloatArray) -> FloatArray:
    """Standard errors; directions of which the votes say nothing are wide."""
    values, vectors = np.linalg.eigh(information)
    return np.asarray(np.sqrt((vectors**2) @ (1 / np.maximum(values, _LEAST))))


def _moved(rate: FloatArray, by: FloatArray) -> FloatArray:
    """A probability moved on the logits."""
    return np.asarray(1 / (1 + np.exp(-(np.log(rate) - np.log1p(-rate) + by))))
