"""Hierarchical cumulative probit: the mathematics of the default calibrator.

    P(rater a answers up to step k | x) = Phi(t_k + b_a + d_ak - x . (beta + g_a) / sqrt(P))

beta, b, d and g are normal with variances of their own, which are learnt from the data:
how far raters differ in level (b), in their use of the scale (d) and in what they care
about (g) decides how much each is drawn to the others. The posterior is a normal around
its mode (Laplace), so a prediction is again a probit, flattened by what is not known.

Raters' parameters only meet in the shared ones, so a step of Newton's method solves one
small system a rater and one for what is shared: the cost is linear in raters and rows.

Sources: McCullagh (1980) for the cumulative link; Tutz and Hennevogl (1996) for
thresholds and slopes that vary between raters; MacKay (1992) for variances learnt by
expectation-maximisation under a Laplace approximation.
"""

from __future__ import annotations

from dataclasses import astuple, dataclass, replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr, ndtri

from assize.calibration.forms import UNKNOWN, IntArray
from assize.calibration.table import FloatArray

NEWTON, TOLERANCE = 60, 1e-6  # most steps to the mode, and the step that ends them
ROUNDS, STILL = 60, 3e-3  # of expectation-maximisation, and the relative change that ends it
STRIDE = 1.8  # over-relaxation of a round, on the logarithm
PRIOR_COUNT, PRIOR_VARIANCE = 0.5, 0.05  # pseudo-parameters that keep a variance off 0
MADE_UP, BARRIER = 0.5, 0.01  # weights of made-up answers, by nobody and by each rater: thresholds
# keep their order where nobody gave the answer between them
FREE = 1e-3  # precision of the thresholds' prior: next to none
LEAST = 1e-12  # of a probability, before it divides


@dataclass(frozen=True, slots=True)
class Variances:
    """Prior variances: common slopes, raters' levels, their thresholds, their slopes."""

    slopes: float = 0.1
    levels: float = 0.2
    thresholds: float = 0.05
    own_slopes: float = 0.1


@dataclass(frozen=True, slots=True, eq=False)
class Posterior:
    """What is known of each rater, and of one who is not known.

    Args:
        mean: (R + 1, K - 1 + P) thresholds, then slopes; the last row is nobody's in particular.
        covariance: (R + 1, K - 1 + P, K - 1 + P).
        steps: K - 1.
        variances: the prior's.
    """

    mean: FloatArray
    covariance: FloatArray
    steps: int
    variances: Variances

    def probabilities(self, x: FloatArray, rater: int = UNKNOWN) -> FloatArray:
        """Answers (N, K) of one rater about rows (N, P), standardised; UNKNOWN (-1) is the
        last row: a rater drawn from the population."""
        mean, covariance = self.mean[rater], self.covariance[rater]
        count = self.steps
        scaled = x / np.sqrt(max(1, x.shape[1]))
        middle = mean[:count] - (scaled @ mean[count:])[:, None]  # (N, K - 1)
        common = ((scaled @ covariance[count:, count:]) * scaled).sum(axis=1)
        cross = scaled @ covariance[count:, :count]
        variance = covariance.diagonal()[:count] - 2 * cross + common[:, None]
        return _between_steps(ndtr(middle / np.sqrt(1 + np.maximum(variance, 0))))

    def drawn(self, x: FloatArray, rater: int, draws: int, rng: np.random.Generator) -> FloatArray:
        """Answers (draws, N, K) under parameters drawn from one rater's posterior."""
        values, vectors = np.linalg.eigh(self.covariance[rater])
        root = vectors * np.sqrt(np.maximum(values, 0))
        given = self.mean[rater] + rng.normal(size=(draws, len(root))) @ root.T
        scaled = x / np.sqrt(max(1, x.shape[1]))
        shift = given[:, self.steps :] @ scaled.T  # (draws, N)
        return _between_steps(ndtr(given[:, None, : self.steps] - shift[:, :, None]))


def _between_steps(up_to: FloatArray) -> FloatArray:
    """P(answer <= k) (..., K - 1) as probabilities (..., K); thresholds out of order meet."""
    found = np.empty((*up_to.shape[:-1], up_to.shape[-1] + 1))
    below = np.zeros(up_to.shape[:-1])
    for step in range(up_to.shape[-1]):
        here = np.maximum(up_to[..., step], below)
        found[..., step] = here - below
        below = here
    found[..., -1] = 1 - below
    return found


@dataclass(frozen=True, slots=True, eq=False)
class _Rows:
    """The training rows, sorted by rater: both ends of their answers as linear functions.

    Args:
        upper, lower: (N, S) in the shared parameters [t, beta].
        own_upper, own_lower: (N, Q) in the rater's own [b, d, g].
        has_upper, has_lower: (N,) False at the ends of the scale.
        weight: (N,) 1, and less for made-up rows that keep every answer possible.
        ends: (R + 1,) where each rater's rows begin; nobody's stand with the last one's.
    """

    upper: FloatArray
    lower: FloatArray
    own_upper: FloatArray
    own_lower: FloatArray
    has_upper: NDArray[np.bool_]
    has_lower: NDArray[np.bool_]
    rater: IntArray
    weight: FloatArray
    ends: IntArray


def fit_probit(
    x: FloatArray,
    y: IntArray,
    rater: IntArray,
    *,
    answers: int,
    raters: int,
    own_share: float = 0.5,
    variances: Variances | None = None,
) -> Posterior:
    """Learns variances and posterior.

    Args:
        x: (N, P) standardised, nothing missing.
        y: (N,) places of the answers, 0..K-1.
        rater: (N,) 0..R-1.
        answers: K.
        raters: R; one without rows is drawn wholly to the others.
        own_share: what is taken of the learnt variance of the raters' slopes. Below 1
            pools them harder than the data alone ask for, as held-out systems do (design/09).
        variances: kept as they are when given.
    """
    rows = _rows(x, y, rater, answers, raters)
    learn = variances is None
    tau = Variances() if variances is None else variances
    start = _start(y, answers, x.shape[1])
    mode = _Mode(start, np.zeros((raters, rows.own_upper.shape[1])))
    for _ in range(ROUNDS if learn else 0):
        mode, blocks = _newton(rows, mode, tau, answers)
        better = _round(mode, blocks, tau, answers)
        change = max(abs(np.log(a / b)) for a, b in zip(astuple(better), astuple(tau), strict=True))
        tau = better
        if change < STILL:
            break
    if learn:
        tau = replace(tau, own_slopes=max(tau.own_slopes * own_share, 1e-9))
    mode, blocks = _newton(rows, mode, tau, answers)
    return _collapsed(mode, blocks, tau, answers, x.shape[1])


def _rows(x: FloatArray, y: IntArray, rater: IntArray, answers: int, raters: int) -> _Rows:
    made = (raters + 1) * answers  # of every answer one by each rater, and one by nobody
    group = np.r_[rater, np.repeat(np.arange(raters), answers), np.full(answers, raters - 1)]
    own = np.ones(len(group))
    own[-answers:] = 0
    weight = np.r_[np.ones(len(y)), np.full(made - answers, BARRIER), np.full(answers, MADE_UP)]
    y = np.r_[y, np.tile(np.arange(answers), raters + 1)]
    x = np.vstack([x, np.zeros((made, x.shape[1]))])
    order = np.argsort(group, kind="stable")
    x, y, group, own, weight = x[order], y[order], group[order], own[order], weight[order]
    steps = answers - 1
    above, below = np.minimum(y, steps - 1), np.maximum(y - 1, 0)
    slope = -x / np.sqrt(max(1, x.shape[1]))
    corner = np.eye(steps)
    designs = [np.hstack([np.ones((len(x), 1)), corner[k], slope]) for k in (above, below)]
    return _Rows(
        np.hstack([corner[above], slope]),
        np.hstack([corner[below], slope]),
        designs[0] * own[:, None],
        designs[1] * own[:, None],
        y < steps,
        y > 0,
        group,
        weight,
        np.searchsorted(group, np.arange(raters + 1)),
    )


def _start(y: IntArray, answers: int, slopes: int) -> FloatArray:
    """Thresholds that give the shares of the answers, slopes of 0."""
    counts = np.bincount(y, minlength=answers) + 1.0
    return np.concatenate([ndtri(np.cumsum(counts / counts.sum())[:-1]), np.zeros(slopes)])


@dataclass(frozen=True, slots=True, eq=False)
class _Mode:
    """Parameters: shared (S,), and own (R, Q)."""

    shared: FloatArray
    own: FloatArray


@dataclass(frozen=True, slots=True, eq=False)
class _Blocks:
    """Posterior covariance: shared (S, S), cross (R, Q, S), own (R, Q, Q)."""

    shared: FloatArray
    cross: FloatArray
    own: FloatArray


def _precisions(tau: Variances, answers: int, slopes: int) -> tuple[FloatArray, FloatArray]:
    steps = answers - 1
    shared = np.r_[np.full(steps, FREE), np.full(slopes, 1 / tau.slopes)]
    own = np.r_[
        1 / tau.levels, np.full(steps, 1 / tau.thresholds), np.full(slopes, 1 / tau.own_slopes)
    ]
    return shared, own


def _newton(rows: _Rows, mode: _Mode, tau: Variances, answers: int) -> tuple[_Mode, _Blocks]:
    """The mode, from a point near it, and the posterior covariance there."""
    slopes = rows.upper.shape[1] - (answers - 1)
    shared_precision, own_precision = _precisions(tau, answers, slopes)
    value = _objective(rows, mode, shared_precision, own_precision)
    for _ in range(NEWTON):
        gradient, blocks = _solve(rows, mode, shared_precision, own_precision)
        step, size = 1.0, max(np.abs(gradient.shared).max(), np.abs(gradient.own).max(initial=0))
        while True:  # halved until it climbs: far from the mode a full step can overshoot
            tried = _Mode(mode.shared + step * gradient.shared, mode.own + step * gradient.own)
            found = _objective(rows, tried, shared_precision, own_precision)
            if found >= value - 1e-9 or step < 1e-4:
                break
            step /= 2
        mode, value = tried, found
        if size < TOLERANCE:
            break
    return mode, blocks


def _ends(rows: _Rows, mode: _Mode) -> tuple[FloatArray, FloatArray]:
    """Where each row's answer begins and ends on the latent scale: lower and upper (N,)."""
    own = mode.own[rows.rater]
    upper = rows.upper @ mode.shared + (rows.own_upper * own).sum(axis=1)
    lower = rows.lower @ mode.shared + (rows.own_lower * own).sum(axis=1)
    lower = np.where(rows.has_lower, lower, -np.inf)
    return lower, np.where(rows.has_upper, upper, np.inf)


def _between(lower: FloatArray, upper: FloatArray) -> FloatArray:
    """Phi(upper) - Phi(lower), exact in either tail."""
    flip = lower > 0
    a, b = np.where(flip, -upper, lower), np.where(flip, -lower, upper)
    return np.asarray(np.maximum(ndtr(b) - ndtr(a), LEAST))


def _objective(rows: _Rows, mode: _Mode, shared: FloatArray, own: FloatArray) -> float:
    lower, upper = _ends(rows, mode)
    if (lower > upper).any():
        return -np.inf
    fit = float(rows.weight @ np.log(_between(lower, upper)))
    return fit - 0.5 * float(shared @ mode.shared**2) - 0.5 * float((mode.own**2 @ own).sum())


def _solve(
    rows: _Rows, mode: _Mode, shared_precision: FloatArray, own_precision: FloatArray
) -> tuple[_Mode, _Blocks]:
    """Newton's step, and the inverse of the negative Hessian, rater by rater."""
    lower, upper = _ends(rows, mode)
    mass = _between(lower, upper)
    at_upper = np.exp(-0.5 * upper**2) / np.sqrt(2 * np.pi) / mass
    at_lower = np.exp(-0.5 * lower**2) / np.sqrt(2 * np.pi) / mass
    bend_upper = at_upper**2 + np.where(rows.has_upper, upper, 0) * at_upper
    bend_lower = at_lower**2 - np.where(rows.has_lower, lower, 0) * at_lower
    mixed = -at_upper * at_lower * rows.weight
    bend_upper, bend_lower = bend_upper * rows.weight, bend_lower * rows.weight
    at_upper, at_lower = at_upper * rows.weight, at_lower * rows.weight

    def curved(a: FloatArray, b: FloatArray, c: FloatArray, d: FloatArray) -> FloatArray:
        """sum over rows of the two ends' outer products, by rater: (R, i, j)."""
        left_upper = bend_upper[:, None] * c + mixed[:, None] * d
        left_lower = mixed[:, None] * c + bend_lower[:, None] * d
        return _by_rater(rows, a, left_upper) + _by_rater(rows, b, left_lower)

    own_own = curved(rows.own_upper, rows.own_lower, rows.own_upper, rows.own_lower)
    own_own[:, np.arange(len(own_precision)), np.arange(len(own_precision))] += own_precision
    own_shared = curved(rows.own_upper, rows.own_lower, rows.upper, rows.lower)
    shared_shared = curved(rows.upper, rows.lower, rows.upper, rows.lower).sum(axis=0)
    shared_shared[np.diag_indices_from(shared_shared)] += shared_precision

    slope_shared = at_upper @ rows.upper - at_lower @ rows.lower - shared_precision * mode.shared
    pull = at_upper[:, None] * rows.own_upper - at_lower[:, None] * rows.own_lower
    slope_own = _by_rater(rows, np.ones((len(pull), 1)), pull)[:, 0] - own_precision * mode.own

    inverse = np.linalg.inv(own_own)  # (R, Q, Q)
    through = inverse @ own_shared  # (R, Q, S)
    reduced = shared_shared - np.einsum("rqs,rqt->st", own_shared, through)
    shared = np.linalg.inv(reduced)
    step = shared @ (slope_shared - np.einsum("rqs,rq->s", through, slope_own))
    own_step = np.einsum("rqp,rp->rq", inverse, slope_own) - through @ step
    cross = -through @ shared
    return _Mode(step, own_step), _Blocks(
        shared, cross, inverse - cross @ through.transpose(0, 2, 1)
    )


def _by_rater(rows: _Rows, a: FloatArray, b: FloatArray) -> FloatArray:
    """Sums of a' b over each rater's rows: (R, i, j)."""
    found = [a[i:j].T @ b[i:j] for i, j in pairwise(rows.ends.tolist())]
    return np.stack(found)


def _round(mode: _Mode, blocks: _Blocks, tau: Variances, answers: int) -> Variances:
    """One round: each variance becomes the mean square of its parameters, as far as known."""
    steps = answers - 1
    shared = mode.shared**2 + blocks.shared.diagonal()
    own = mode.own**2 + blocks.own.diagonal(axis1=1, axis2=2)
    parts = (shared[steps:], own[:, :1], own[:, 1 : 1 + steps], own[:, 1 + steps :])
    found = []
    for old, squares in zip(astuple(tau), parts, strict=True):
        new = squares.sum() + PRIOR_COUNT * PRIOR_VARIANCE
        new /= squares.size + PRIOR_COUNT
        found.append(float(old * (new / old) ** STRIDE))
    return Variances(*found)


def _collapsed(
    mode: _Mode, blocks: _Blocks, tau: Variances, answers: int, slopes: int
) -> Posterior:
    """Thresholds and slopes as each rater has them: t_k + b + d_k, and beta + g."""
    steps, raters = answers - 1, len(mode.own)
    size = steps + slopes
    to_own = np.zeros((size, 1 + steps + slopes))
    to_own[:steps, 0] = 1
    to_own[:steps, 1 : 1 + steps] = np.eye(steps)
    to_own[steps:, 1 + steps :] = np.eye(slopes)
    cross = to_own @ blocks.cross  # (R, size, S)
    spread = blocks.shared + cross + cross.transpose(0, 2, 1)
    spread = spread + to_own @ blocks.own @ to_own.T
    prior = 1 / _precisions(tau, answers, slopes)[1]
    stranger = blocks.shared + (to_own * prior) @ to_own.T
    mean = np.vstack([mode.shared + mode.own @ to_own.T, mode.shared])
    covariance = np.concatenate([spread.reshape(raters, size, size), stranger[None]])
    return Posterior(mean, covariance, steps, tau)
