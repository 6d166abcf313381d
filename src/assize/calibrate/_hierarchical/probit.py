"""Hierarchical cumulative probit: the mathematics of the default calibrator.

    P(rater a answers up to step k | x) = Phi(t_k + b_a + d_ak - x . (beta + g_a))
    P(rater a prefers A to B, or finds them level | x) likewise, of (x_A - x_B) / sqrt(2),
        with thresholds u_k of its own and without b and d, which cancel

Where ratings are of several sets of items, the level is b_a + s_j + c_aj in set j: what raters
have in common there, and what is one rater's own.

beta, b, d, g, s and c are normal with variances of their own, which are learnt from the data:
how far raters differ in level (b), in their use of the scale (d), in what they care about (g),
and from set to set (c) decides how much each is drawn to the others. The posterior is a normal
around its mode (Laplace), so a prediction is again a probit, flattened by what is not known.

Sources: McCullagh (1980) for the cumulative link; Tutz and Hennevogl (1996) for
thresholds and slopes that vary between raters; Thurstone (1927, case V) for choices; MacKay
(1992) for variances learnt by expectation-maximisation under a Laplace approximation.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import astuple, dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri

from assize.calibrate._data.features import FloatArray
from assize.calibrate._data.forms import IntArray
from assize.calibrate._hierarchical.laplace import Covariance, Mode, Rows, find_mode
from assize.calibrate._hierarchical.posterior import Posterior, Variances

EM_ROUNDS, CONVERGED = 60, 3e-3  # of expectation-maximisation, and the relative change that ends it
OVER_RELAXATION = 1.8  # over-relaxation of a round, on the logarithm
PRIOR_COUNT, PRIOR_VARIANCE = 0.5, 0.05  # pseudo-parameters that keep a variance off 0
PSEUDO, BARRIER = 0.5, 0.01  # weights of pseudo answers, by nobody and by each rater: thresholds
# keep their order where nobody gave the answer between them
FREE = 1e-3  # precision of the thresholds' prior: next to none
CONTEXT = 1.0  # precision of what is about the rating and not the item


@dataclass(frozen=True, slots=True)
class Columns:
    """What the columns of x are, in this order."""

    log_odds: int  # of the answers; raters have slopes of their own on them if `own`
    late: int = 0  # of what stands beside the answers; the same for all raters
    context: int = 0  # of the rating and not the item; they are 0 where something is predicted
    own: bool = True  # whether raters differ in what they care about

    @property
    def kept(self) -> int:
        """P: columns that predictions need."""
        return self.log_odds + self.late


@dataclass(frozen=True, slots=True, eq=False)
class Observed:
    """N answers on one scale."""

    x: FloatArray  # (N, C) what the latent value is linear in, nothing missing
    y: IntArray  # (N,) places of the answers, 0..K-1
    rater: IntArray  # (N,) 0..R-1
    answers: int  # K
    weight: FloatArray | None = None  # (N,) None for 1 each
    personal: bool = True  # whether raters have a level and thresholds of their own on this scale
    # (N,) the set that each answer is of, or -1; None where there are no sets
    set: IntArray | None = None

    @property
    def steps(self) -> int:
        """K - 1."""
        return self.answers - 1


def fit_probit(
    observed: Sequence[Observed],
    columns: Columns,
    *,
    raters: int,
    own_share: float = 0.5,
    variances: Variances | None = None,
    sets: int = 0,
) -> list[list[Posterior]]:
    """Learns variances and posterior: one of each scale's thresholds, and the slopes.

    At most the first of `observed` is `personal`. An `own_share` below 1 pools the raters' slopes
    harder than the data alone ask for, as held-out systems do (design/09).

    Returns:
        Of each scale first what holds whatever the set, then in each of `sets`.
    """
    layout = _Layout.of(observed, columns, sets)
    rows = _rows(observed, layout, raters)
    learn = variances is None
    start = Variances(sets=0.05, in_sets=0.05) if sets else Variances()
    tau = start if variances is None else variances
    there = _rated(observed[0], raters, sets)
    mode = Mode(_initial(observed, columns, sets), np.zeros((raters, layout.own)))
    for _ in range(EM_ROUNDS if learn else 0):
        mode, spread = find_mode(rows, mode, *layout.precisions(tau))
        better = _em_round(mode, spread, tau, layout, there)
        pairs = zip(astuple(better), astuple(tau), strict=True)
        change = max(abs(np.log(a / b)) for a, b in pairs if b > 0)
        tau = better
        if change < CONVERGED:
            break
    if learn:
        tau = replace(tau, own_slopes=max(tau.own_slopes * own_share, 1e-9))
    mode, spread = find_mode(rows, mode, *layout.precisions(tau))
    return [
        [_posterior(mode, spread, tau, layout, place, one) for one in range(-1, sets)]
        for place in range(len(observed))
    ]


def _rated(one: Observed, raters: int, sets: int) -> NDArray[np.bool_]:
    """(R, S) whether a rater has rated anything of a set."""
    found = np.zeros((raters, sets), dtype=bool)
    if one.set is not None:
        known = one.set >= 0
        found[one.rater[known], one.set[known]] = True
    return found


@dataclass(frozen=True, slots=True)
class _Layout:
    """Where parameters stand: shared [thresholds of each scale, slopes, sets' levels], and a
    rater's own [level, thresholds, slopes, levels in each set]."""

    steps: tuple[int, ...]  # K - 1 of each scale
    personal: int  # K - 1 of the scale on which raters have a level; -1 where there is none
    columns: Columns
    sets: int = 0  # S

    @classmethod
    def of(cls, observed: Sequence[Observed], columns: Columns, sets: int) -> _Layout:
        steps = tuple(one.steps for one in observed)
        return cls(steps, steps[0] if observed[0].personal else -1, columns, sets)

    @property
    def slopes(self) -> int:
        """Where the shared slopes begin."""
        return sum(self.steps)

    @property
    def own_slopes(self) -> int:
        """Where a rater's own slopes begin."""
        return self.personal + 1

    @property
    def own(self) -> int:
        """Q: a rater's own parameters."""
        return self.own_in_sets + self.sets

    @property
    def own_in_sets(self) -> int:
        """Where a rater's own levels in each set begin."""
        return self.own_slopes + (self.columns.log_odds if self.columns.own else 0)

    @property
    def shared_sets(self) -> int:
        """Where the levels of sets begin."""
        return self.slopes + self.columns.kept + self.columns.context

    def precisions(self, tau: Variances) -> tuple[FloatArray, FloatArray]:
        """Of the priors: shared (S,) and own (Q,)."""
        columns = self.columns
        of_sets, in_sets = (1 / tau.sets, 1 / tau.in_sets) if self.sets else (1.0, 1.0)
        shared = (FREE, 1 / tau.slopes, 1 / tau.late, CONTEXT, of_sets)
        counts = (self.slopes, columns.log_odds, columns.late, columns.context, self.sets)
        own = (1 / tau.levels, 1 / tau.thresholds, 1 / tau.own_slopes, in_sets)
        own_counts = (
            *(self.personal >= 0, max(self.personal, 0)),
            *(self.own_in_sets - self.own_slopes, self.sets),
        )
        return np.repeat(shared, counts), np.repeat(own, own_counts)


def _rows(observed: Sequence[Observed], layout: _Layout, raters: int) -> Rows:
    """All answers and the pseudo ones: of every answer one by each rater, and one by nobody."""
    parts = []
    first = 0
    for one in observed:
        parts.append(_design(*_with_pseudo_answers(one, raters), layout, first))
        first += one.steps
    upper, lower, own_upper, own_lower, has_upper, has_lower, rater, weight = (
        np.concatenate(each) for each in zip(*parts, strict=True)
    )
    order = np.argsort(rater, kind="stable")
    return Rows(
        upper[order],
        lower[order],
        own_upper[order],
        own_lower[order],
        has_upper[order],
        has_lower[order],
        rater[order],
        weight[order],
        np.searchsorted(rater[order], np.arange(raters + 1)),
    )


def _with_pseudo_answers(one: Observed, raters: int) -> tuple[Observed, FloatArray]:
    """The answers with pseudo ones after them, and which (N,) are by a rater: nobody's stand
    with the last one's."""
    count = one.answers
    by = raters if one.personal else 0
    added = (by + 1) * count
    weight = np.ones(len(one.y)) if one.weight is None else one.weight
    whole = Observed(
        np.vstack([one.x, np.zeros((added, one.x.shape[1]))]),
        np.r_[one.y, np.tile(np.arange(count), by + 1)],
        np.r_[one.rater, np.repeat(np.arange(by), count), np.full(count, raters - 1)],
        count,
        np.r_[weight, np.full(added - count, BARRIER), np.full(count, PSEUDO)],
        one.personal,
        None if one.set is None else np.r_[one.set, np.full(added, -1)],
    )
    return whole, np.r_[np.ones(len(whole.y) - count), np.zeros(count)]


def _design(one: Observed, by: FloatArray, layout: _Layout, first: int) -> tuple[NDArray[Any], ...]:
    """The first eight fields of `Rows` for one scale, whose thresholds begin at `first`."""
    rows, steps = len(one.y), one.steps
    ends = np.minimum(one.y, steps - 1), np.maximum(one.y - 1, 0)
    shared = [np.zeros((rows, layout.shared_sets + layout.sets)) for _ in ends]
    own = [np.zeros((rows, layout.own)) for _ in ends]
    line = np.arange(rows)
    for of_shared, of_own, end in zip(shared, own, ends, strict=True):
        of_shared[line, first + end] = 1
        of_shared[:, layout.slopes : layout.shared_sets] = -one.x
        if one.personal:
            of_own[:, 0] = 1
            of_own[line, 1 + end] = 1
        of_own[:, layout.own_slopes : layout.own_in_sets] = -one.x[
            :, : layout.own_in_sets - layout.own_slopes
        ]
        if one.set is not None:
            known = np.flatnonzero(one.set >= 0)
            of_shared[known, layout.shared_sets + one.set[known]] = 1
            of_own[known, layout.own_in_sets + one.set[known]] = 1
        of_own *= by[:, None]
    weight = np.ones(rows) if one.weight is None else one.weight
    return (*shared, *own, one.y < steps, one.y > 0, one.rater, weight)


def _initial(observed: Sequence[Observed], columns: Columns, sets: int) -> FloatArray:
    """Thresholds that give the shares of the answers, slopes of 0."""
    parts = []
    for one in observed:
        counts = np.bincount(one.y, weights=one.weight, minlength=one.answers) + 1.0
        parts.append(ndtri(np.cumsum(counts / counts.sum())[:-1]))
    return np.concatenate([*parts, np.zeros(columns.kept + columns.context + sets)])


def _em_round(
    mode: Mode, spread: Covariance, tau: Variances, layout: _Layout, there: NDArray[np.bool_]
) -> Variances:
    """One round: each variance becomes the mean square of its parameters, as far as known; of
    raters' levels in sets where they have rated."""
    shared = mode.shared**2 + spread.shared.diagonal()
    own = mode.own**2 + spread.own.diagonal(axis1=1, axis2=2)
    late = layout.slopes + layout.columns.log_odds
    levels = min(layout.own_slopes, 1)
    parts: tuple[FloatArray, ...] = (
        shared[layout.slopes : late],
        own[:, :levels],
        own[:, levels : layout.own_slopes],
        own[:, layout.own_slopes : layout.own_in_sets],
        shared[late : late + layout.columns.late],
    )
    if layout.sets:
        parts += (shared[layout.shared_sets :], own[:, layout.own_in_sets :][there])
    found = []
    for old, squares in zip(astuple(tau)[: len(parts)], parts, strict=True):
        new = squares.sum() + PRIOR_COUNT * PRIOR_VARIANCE
        new /= squares.size + PRIOR_COUNT
        found.append(float(old * (new / old) ** OVER_RELAXATION))
    return Variances(*found)


def _posterior(
    mode: Mode, spread: Covariance, tau: Variances, layout: _Layout, place: int, of_set: int
) -> Posterior:
    """Thresholds and slopes as each rater has them in a set: t_k + b + d_k, and beta + g; s_j and
    c_j are in the thresholds, and 0 where the set is -1, none of those that are known."""
    steps, raters, kept = layout.steps[place], len(mode.own), layout.columns.kept
    first, size = sum(layout.steps[:place]), steps + kept
    to_shared = np.zeros((size, len(mode.shared)))
    to_shared[:steps, first : first + steps] = np.eye(steps)
    to_shared[steps:, layout.slopes : layout.slopes + kept] = np.eye(kept)
    to_own = np.zeros((size, layout.own))
    leveled = place == 0 and layout.personal >= 0
    if leveled:
        to_own[:steps, 0] = 1
        to_own[:steps, 1 : 1 + steps] = np.eye(steps)
        if of_set >= 0:
            to_shared[:steps, layout.shared_sets + of_set] = 1
            to_own[:steps, layout.own_in_sets + of_set] = 1
    slopes = layout.own_in_sets - layout.own_slopes
    to_own[steps : steps + slopes, layout.own_slopes : layout.own_in_sets] = np.eye(slopes)
    shared = to_shared @ spread.shared @ to_shared.T
    cross = to_own @ spread.cross @ to_shared.T  # (R, size, size)
    known = shared + cross + cross.transpose(0, 2, 1)
    known = known + to_own @ spread.own @ to_own.T
    prior = 1 / layout.precisions(tau)[1]
    unknown = shared + (to_own * prior) @ to_own.T
    common = to_shared @ mode.shared
    mean = np.vstack([common + mode.own @ to_own.T, common])
    covariance = np.concatenate([known.reshape(raters, size, size), unknown[None]])
    return Posterior(mean, covariance, steps, tau)
