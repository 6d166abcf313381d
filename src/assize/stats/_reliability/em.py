"""Expectation maximisation for one question, from several starts (or resamples) at once.

What may be true of a pair: A is better, or B is. Arrays hold S states (starts or resamples),
J judges, U different rows of votes.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from assize.stats._arrays import FloatArray
from assize.stats._reliability.cells import Cells
from assize.stats._truth import Priors

PRIORS = Priors(right=1.0, wrong=1.0, answer=1.0)
"""Weak, and the same on both sides: they do not choose between a fit and its mirror image."""

_EDGE = 1e-12  # without priors a maximum may lie on the edge, where a logarithm ends


@dataclass(frozen=True, slots=True)
class Model:
    """What is shared between parameters.

    Args:
        tied: alpha equals beta.
        even: A and B are equally often the better one.
        priors: pseudo-counts: right and wrong votes of each judge, and of each class.
    """

    tied: bool = False
    even: bool = False
    priors: Priors = PRIORS


@dataclass(frozen=True, slots=True)
class State:
    """Parameters, one row a start or resample.

    Args:
        alpha, beta: (S, J) inside (0, 1).
        share: (S, C) of the classes A and B; a row sums to 1.
    """

    alpha: FloatArray
    beta: FloatArray
    share: FloatArray

    def take(self, at: int | slice | FloatArray) -> State:
        """Some rows; one keeps its axis."""
        rows = slice(at, at + 1) if isinstance(at, int) else at
        return State(*(getattr(self, name)[rows] for name in self.__slots__))

    def flipped(self) -> State:
        """The same likelihood with the sides' names exchanged."""
        return State(1 - self.beta, 1 - self.alpha, self.share[:, ::-1].copy())


@dataclass(frozen=True, slots=True)
class Expected:
    """What a state says of each row: (S, U, C) posterior and (S, U) log-likelihood."""

    posterior: FloatArray
    log_likelihood: FloatArray


def log_joint(cells: Cells, state: State) -> FloatArray:
    """Log probability of each row's votes with each class: (S, U, C)."""
    a, b = cells.for_a.T, cells.for_b.T
    parts = [
        np.log(state.alpha) @ a + np.log1p(-state.alpha) @ b,
        np.log1p(-state.beta) @ a + np.log(state.beta) @ b,
    ]
    with np.errstate(divide="ignore"):
        return np.stack(parts, axis=2) + np.log(state.share)[:, None, :]


def expect(cells: Cells, state: State) -> Expected:
    """The probability of each class given the votes; what gold knows is known."""
    joint = log_joint(cells, state)
    for place in range(joint.shape[2]):
        others = np.arange(joint.shape[2]) != place
        joint[:, cells.known_as(place)[:, None] & others] = -np.inf
    top = joint.max(axis=2, keepdims=True)
    shares = np.exp(joint - top)
    total = shares.sum(axis=2, keepdims=True)
    return Expected(shares / total, (top + np.log(total))[:, :, 0])


def maximise(cells: Cells, posterior: FloatArray, weight: FloatArray, model: Model) -> State:
    """The parameters that fit the posterior (S, U, C) best, each row counting `weight` (S, U)."""
    is_a, is_b = posterior[:, :, 0] * weight, posterior[:, :, 1] * weight
    right = np.stack([is_a @ cells.for_a, is_b @ cells.for_b])  # (2, S, J)
    wrong = np.stack([is_a @ cells.for_b, is_b @ cells.for_a])
    if model.tied:
        right, wrong = (np.broadcast_to(one.sum(axis=0), one.shape) for one in (right, wrong))
    skill = _share(right + model.priors.right, wrong + model.priors.wrong)
    share = np.einsum("suc,su->sc", posterior, weight) + model.priors.answer
    if model.even:
        share[:] = share.mean(axis=1, keepdims=True)
    share = share / share.sum(axis=1, keepdims=True)
    return State(skill[0], skill[1], share)


def penalty(state: State, model: Model) -> FloatArray:
    """(S,) log density of the priors, less a constant."""
    priors, found = model.priors, np.zeros(len(state.alpha))
    for skill in (state.alpha,) if model.tied else (state.alpha, state.beta):
        density = priors.right * np.log(skill) + priors.wrong * np.log1p(-skill)
        found = found + density.sum(axis=1)
    if priors.answer:
        found = found + priors.answer * np.log(np.maximum(state.share, _EDGE)).sum(axis=1)
    return found


@dataclass(frozen=True, slots=True)
class Climbed:
    """States at the end of a fit.

    Args:
        state, expected: what it came to, and what that says of each row of votes.
        log_likelihood: (S,) of all votes.
        objective: (S,) the same with the priors' log density.
        converged: whether the steps were enough.
    """

    state: State
    expected: Expected
    log_likelihood: FloatArray
    objective: FloatArray
    converged: bool


def climb(
    cells: Cells,
    state: State,
    model: Model,
    *,
    weight: FloatArray | None = None,
    iterations: int = 1_000,
    tolerance: float = 1e-8,
) -> Climbed:
    """EM from every state until none rises by more than `tolerance` nats a vote.

    Args:
        weight: (S, U) how often each row counts; by default as often as it was seen.

    Source: Dawid and Skene (1979), equations 2.3 to 2.5, with two answers. Differs: priors, and
    labels that are known.
    """
    times = np.broadcast_to(cells.count, (len(state.alpha), len(cells.count)))
    times = times if weight is None else weight
    enough = tolerance * max(1.0, cells.votes)
    before = likelihood = np.full(len(state.alpha), -np.inf)
    made, converged = 0, False
    expected = expect(cells, state)
    while not converged and made < iterations:
        made += 1
        state = maximise(cells, expected.posterior, times, model)
        expected = expect(cells, state)
        likelihood = (expected.log_likelihood * times).sum(axis=1)
        now = likelihood + penalty(state, model)
        converged = bool((now - before < enough).all())
        before = now
    return Climbed(state, expected, likelihood, before, converged)


def _share(of: FloatArray, rest: FloatArray) -> FloatArray:
    """of / (of + rest), kept inside (0, 1); one half where there is nothing."""
    total = of + rest
    found = np.where(total > 0, of / np.where(total > 0, total, 1), 0.5)
    return np.asarray(np.clip(found, _EDGE, 1 - _EDGE))
