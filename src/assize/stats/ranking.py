"""A ranking of systems from pairs with ties: Bradley-Terry (Davidson) and Thurstone.

Each system has a strength; the strengths' mean is 0. Intervals come from the sandwich
variance with clusters, so that many pairs from one conversation count as one piece of evidence.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import log_ndtr, stdtrit

from assize.errors import DataError
from assize.signature import sign_text
from assize.stats.arrays import Clusters, FloatArray, IntArray, grouped, numbers, same_length
from assize.stats.estimate import NAN, NO_INTERVAL, Estimate, describe

Model = Literal["bradley-terry", "thurstone"]

_STEP = 1e-5  # of numeric derivatives
_NEWTON = 100


@dataclass(frozen=True, slots=True)
class Ranking:
    """Strengths of systems.

    Args:
        strengths: one estimate a system, in the order of codes; in log-odds
            (Bradley-Terry) or standard deviations (Thurstone), 0 on average.
        order: codes of the systems, best first; empty when there are no strengths.
        tie: how ready the judges are to tie; Davidson's log nu, or the half-width of the
            tie band; NaN when there are no ties.
        n, unscored: pairs that entered, and pairs without an outcome.
        reason: why there are no strengths.
    """

    strengths: tuple[Estimate, ...]
    order: tuple[int, ...]
    tie: float
    n: int
    unscored: int
    reason: str | None
    signature: str


def rank_systems(
    first: ArrayLike,
    second: ArrayLike,
    outcome: ArrayLike,
    *,
    model: Model = "bradley-terry",
    systems: int | None = None,
    prior: float = 0.0,
    clusters: ArrayLike | None = None,
    confidence: float = 0.95,
) -> Ranking:
    """Ranks systems by the pairs in which they met.

    Args:
        first, second: (N,) codes of the two systems of each pair.
        outcome: (N,) above 0 where the first won, below 0 where the second did, 0 for a
            tie, NaN where unscored.
        model: `bradley-terry` (logistic; ties as in Davidson) or `thurstone` (normal, case
            V; a tie is a difference within a band).
        systems: how many there are; by default the highest code plus 1.
        prior: strength of a normal prior (its precision) that pulls strengths to 0; 0 is
            maximum likelihood, which needs every system to have lost (or tied) against and
            won against others, directly or through them.
        clusters: (N,) labels of pairs that are not independent.
        confidence: of the intervals.

    Returns:
        NaN with a reason when maximum likelihood does not exist.

    Source: Bradley and Terry (1952), Davidson (1970), Thurstone (1927), Glenn and David
    (1960); connectedness as in Ford (1957).
    """
    if model not in ("bradley-terry", "thurstone"):
        raise DataError(f"`model` must be bradley-terry or thurstone; it is {model!r}")
    a, b, result = numbers(first, "first"), numbers(second, "second"), numbers(outcome, "outcome")
    same_length(first=a, second=b, outcome=result)
    if np.isnan(a).any() or np.isnan(b).any() or (a < 0).any() or (b < 0).any() or (a == b).any():
        raise DataError("`first` and `second` must be codes of two different systems")
    keep = ~np.isnan(result)
    groups = grouped(clusters, keep)
    count = int(max(a.max(initial=-1), b.max(initial=-1))) + 1 if systems is None else systems
    one, two = a[keep].astype(np.int64), b[keep].astype(np.int64)
    won = np.sign(result[keep])
    method = describe(model, 1, f"prior:{prior:g}", f"{confidence:.4g}", f"clusters:{groups.count}")
    n, unscored = int(keep.sum()), int((~keep).sum())
    reason = None if prior > 0 and n else _disconnected(one, two, won, count)
    if reason is not None:
        nothing = Estimate(NAN, NO_INTERVAL, n, unscored, reason, sign_text(method), method)
        return Ranking((nothing,) * count, (), NAN, n, unscored, reason, sign_text(method))
    fit = _Likelihood(one, two, won, count, _LOGS[model], prior).fit()
    errors = fit.standard_errors(groups)
    reach = float(stdtrit(max(1, groups.count - 1), (1 + confidence) / 2)) * errors
    short = "an interval needs at least 2 clusters" if groups.count < 2 else None
    strengths = tuple(
        Estimate(
            float(value), NO_INTERVAL if short else (float(value - r), float(value + r)),
            int(np.sum((one == code) | (two == code))), unscored, short, sign_text(method), method,
            groups.count,
        )
        for code, (value, r) in enumerate(zip(fit.strengths, reach, strict=True))
    )  # fmt: skip
    order = tuple(int(code) for code in np.argsort(-fit.strengths, kind="stable"))
    return Ranking(strengths, order, fit.tie, n, unscored, None, sign_text(method))


def _disconnected(one: IntArray, two: IntArray, won: FloatArray, count: int) -> str | None:
    """Why maximum likelihood does not exist, if it does not (Ford's condition)."""
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import connected_components

    if count < 2 or len(one) == 0:
        return "needs pairs of at least 2 systems"
    winners = np.concatenate([one[won >= 0], two[won <= 0]])
    losers = np.concatenate([two[won >= 0], one[won <= 0]])
    graph = csr_array((np.ones(len(winners)), (winners, losers)), shape=(count, count))
    parts, _ = connected_components(graph, connection="strong")
    if parts == 1:
        return None
    return (
        "some systems only ever won or lost against the others, or never met them:"
        " give a `prior` above 0"
    )


def _davidson(gap: FloatArray, won: FloatArray, tie: float, ties: bool) -> FloatArray:
    """Log probabilities of outcomes at differences in strength (N,)."""
    terms = [gap / 2, -gap / 2, np.full_like(gap, tie if ties else -np.inf)]
    total = np.logaddexp.reduce(terms, axis=0)
    return np.asarray(np.select([won > 0, won < 0], terms[:2], terms[2]) - total)


def _thurstone(gap: FloatArray, won: FloatArray, tie: float, ties: bool) -> FloatArray:
    """As `_davidson`, with a tie where the noisy difference lies within exp(tie)."""
    band = np.exp(tie) if ties else 0.0
    wins, losses = log_ndtr(gap - band), log_ndtr(-gap - band)
    with np.errstate(divide="ignore"):
        middle = np.log(np.maximum(1e-300, -np.expm1(np.logaddexp(wins, losses))))
    return np.select([won > 0, won < 0], [wins, losses], middle)


Logs = Callable[[FloatArray, FloatArray, float, bool], FloatArray]
_LOGS: dict[str, Logs] = {"bradley-terry": _davidson, "thurstone": _thurstone}


@dataclass(frozen=True, slots=True)
class _Fit:
    strengths: FloatArray
    tie: float
    scores: FloatArray  # (N, P) derivative of each pair's log-likelihood
    inverse: FloatArray  # (P, P) inverse information
    first: IntArray

    def standard_errors(self, groups: Clusters) -> FloatArray:
        """Of the strengths (S,), by the sandwich over clusters."""
        pull = groups.sums(self.scores @ self.inverse)
        scale = groups.count / max(1, groups.count - 1)
        return np.asarray(np.sqrt(scale * (pull**2).sum(axis=0))[: len(self.strengths)])


def _inverse(information: FloatArray) -> FloatArray:
    """The pseudo-inverse: adding a constant to all strengths changes nothing."""
    return np.asarray(np.linalg.pinv(information, hermitian=True), dtype=np.float64)


@dataclass(frozen=True, slots=True)
class _Likelihood:
    """Log-likelihood of pairs, with its first two derivatives."""

    one: IntArray
    two: IntArray
    won: FloatArray
    count: int
    logs: Logs
    prior: float

    def fit(self) -> _Fit:
        """Newton's method with halved steps; the strengths are held to mean 0."""
        ties = bool((self.won == 0).any())
        strengths, tie = np.zeros(self.count), -0.5
        value = self._value(strengths, tie, ties)
        for _ in range(_NEWTON):
            scores, information = self._derivatives(strengths, tie, ties)
            gradient = scores.sum(axis=0) - self.prior * np.append(strengths, 0)
            inverse = _inverse(information)
            step = inverse @ gradient
            size = 1.0
            while size > 1e-8:
                at = strengths + size * step[:-1], tie + size * step[-1]
                reached = self._value(*at, ties)
                if reached >= value - 1e-12 * abs(value):
                    break
                size /= 2
            strengths, tie, gain, value = *at, reached - value, reached
            strengths = strengths - strengths.mean()
            if abs(gain) < 1e-10 * (1 + abs(value)) and np.abs(step).max() < 1e-6:
                break
        scores, information = self._derivatives(strengths, tie, ties)
        inverse = _inverse(information)
        shown = float("nan") if not ties else float(tie if self.logs is _davidson else np.exp(tie))
        return _Fit(strengths, shown, scores, inverse, self.one)

    def _value(self, strengths: FloatArray, tie: float, ties: bool) -> float:
        gap = strengths[self.one] - strengths[self.two]
        penalty = self.prior / 2 * float(strengths @ strengths)
        return float(self.logs(gap, self.won, tie, ties).sum()) - penalty

    def _derivatives(
        self, strengths: FloatArray, tie: float, ties: bool
    ) -> tuple[FloatArray, FloatArray]:
        """Scores of the pairs (N, S + 1) and minus the second derivatives (S + 1, S + 1)."""
        gap, h = strengths[self.one] - strengths[self.two], _STEP**0.75

        def at(g: int, t: int) -> FloatArray:
            return self.logs(gap + g * h, self.won, tie + t * h, ties)

        middle, up, down = at(0, 0), at(1, 0), at(-1, 0)
        by_gap, by_gap2 = (up - down) / (2 * h), (up - 2 * middle + down) / h**2
        rows, size = np.arange(len(gap)), self.count
        scores = np.zeros((len(gap), size + 1))
        scores[rows, self.one], scores[rows, self.two] = by_gap, -by_gap
        information = np.zeros((size + 1, size + 1))
        for i, j, s in ((0, 0, 1), (1, 1, 1), (0, 1, -1), (1, 0, -1)):
            side = (self.one, self.two)
            np.add.at(information, (side[i], side[j]), -s * by_gap2)
        information[range(size), range(size)] += self.prior
        if ties:
            higher, lower = at(0, 1), at(0, -1)
            scores[:, -1] = (higher - lower) / (2 * h)
            information[-1, -1] = -((higher - 2 * middle + lower) / h**2).sum()
            mixed = (at(1, 1) - at(1, -1) - at(-1, 1) + at(-1, -1)) / (4 * h**2)
            for side_of, s in ((self.one, 1), (self.two, -1)):
                column = np.bincount(side_of, -s * mixed, size)
                information[:size, -1] += column
                information[-1, :size] += column
        return scores, information
