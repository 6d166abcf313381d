"""The mode of the hierarchical cumulative probit, and the normal around it.

Raters' parameters only meet in the shared ones, so a step of Newton's method solves one
small system a rater and one for what is shared: the cost is linear in raters and rows.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr

from assize.calibrate._data.features import LEAST, FloatArray
from assize.calibrate._data.forms import IntArray

NEWTON, TOLERANCE = 60, 1e-6  # most steps to the mode, and the step that ends them
MANY, FEW_CELLS = 500, 32  # raters from which on small sums are taken over all of them at once
CELLS = 4_000_000  # numbers that such a sum holds at a time


@dataclass(frozen=True, slots=True, eq=False)
class Rows:
    """Rows, sorted by rater: both ends of their answers as linear functions."""

    # upper, lower: (N, S) in the shared parameters
    upper: FloatArray
    lower: FloatArray
    # own_upper, own_lower: (N, Q) in the rater's own
    own_upper: FloatArray
    own_lower: FloatArray
    # has_upper, has_lower: (N,) False at the ends of the scale
    has_upper: NDArray[np.bool_]
    has_lower: NDArray[np.bool_]
    rater: IntArray  # (N,) 0..R-1, rising
    weight: FloatArray  # (N,) of a row's log-likelihood
    ends: IntArray  # (R + 1,) where each rater's rows begin
    # (N, 2) what is added to the upper and the lower end; None for nothing
    added: FloatArray | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Mode:
    """Parameters: shared (S,), and own (R, Q)."""

    shared: FloatArray
    own: FloatArray


@dataclass(frozen=True, slots=True, eq=False)
class Covariance:
    """Posterior covariance: shared (S, S), cross (R, Q, S), own (R, Q, Q)."""

    shared: FloatArray
    cross: FloatArray
    own: FloatArray


def find_mode(
    rows: Rows, mode: Mode, shared: FloatArray, own: FloatArray
) -> tuple[Mode, Covariance]:
    """The mode, from a point near it, and the covariance there; given the priors' precisions."""
    value = _log_posterior(rows, mode, shared, own)
    for _ in range(NEWTON):
        ahead, spread = _newton_step(rows, mode, shared, own)
        step, size = 1.0, max(np.abs(ahead.shared).max(), np.abs(ahead.own).max(initial=0))
        while True:  # halved until it climbs: far from the mode a full step can overshoot
            tried = Mode(mode.shared + step * ahead.shared, mode.own + step * ahead.own)
            found = _log_posterior(rows, tried, shared, own)
            if found >= value - 1e-9 or step < 1e-4:
                break
            step /= 2
        mode, value = tried, found
        if size < TOLERANCE:
            break
    return mode, spread


def _ends(rows: Rows, mode: Mode) -> tuple[FloatArray, FloatArray]:
    """Where each row's answer begins and ends on the latent scale: lower and upper (N,)."""
    own = mode.own[rows.rater]
    upper = rows.upper @ mode.shared + (rows.own_upper * own).sum(axis=1)
    lower = rows.lower @ mode.shared + (rows.own_lower * own).sum(axis=1)
    if rows.added is not None:
        upper, lower = upper + rows.added[:, 0], lower + rows.added[:, 1]
    lower = np.where(rows.has_lower, lower, -np.inf)
    return lower, np.where(rows.has_upper, upper, np.inf)


def _interval_mass(lower: FloatArray, upper: FloatArray) -> FloatArray:
    """Phi(upper) - Phi(lower), exact in either tail."""
    flip = lower > 0
    a, b = np.where(flip, -upper, lower), np.where(flip, -lower, upper)
    return np.asarray(np.maximum(ndtr(b) - ndtr(a), LEAST))


def _log_posterior(rows: Rows, mode: Mode, shared: FloatArray, own: FloatArray) -> float:
    lower, upper = _ends(rows, mode)
    if (lower > upper).any():
        return -np.inf
    fit = float(rows.weight @ np.log(_interval_mass(lower, upper)))
    return fit - 0.5 * float(shared @ mode.shared**2) - 0.5 * float((mode.own**2 @ own).sum())


def _newton_step(
    rows: Rows, mode: Mode, shared_precision: FloatArray, own_precision: FloatArray
) -> tuple[Mode, Covariance]:
    """Newton's step, and the inverse of the negative Hessian, rater by rater."""
    lower, upper = _ends(rows, mode)
    mass = _interval_mass(lower, upper)
    at_upper = np.exp(-0.5 * upper**2) / np.sqrt(2 * np.pi) / mass
    at_lower = np.exp(-0.5 * lower**2) / np.sqrt(2 * np.pi) / mass
    bend_upper = at_upper**2 + np.where(rows.has_upper, upper, 0) * at_upper
    bend_lower = at_lower**2 - np.where(rows.has_lower, lower, 0) * at_lower
    mixed = -at_upper * at_lower * rows.weight
    bend_upper, bend_lower = bend_upper * rows.weight, bend_lower * rows.weight
    at_upper, at_lower = at_upper * rows.weight, at_lower * rows.weight

    def bent(upper: FloatArray, lower: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Both ends' designs under the curvature of the log-likelihood."""
        return (
            bend_upper[:, None] * upper + mixed[:, None] * lower,
            mixed[:, None] * upper + bend_lower[:, None] * lower,
        )

    of_shared, of_own = bent(rows.upper, rows.lower), bent(rows.own_upper, rows.own_lower)
    own_own = _by_rater(rows, rows.own_upper, of_own[0])
    own_own += _by_rater(rows, rows.own_lower, of_own[1])
    own_own[:, np.arange(len(own_precision)), np.arange(len(own_precision))] += own_precision
    own_shared = _by_rater(rows, rows.own_upper, of_shared[0])
    own_shared += _by_rater(rows, rows.own_lower, of_shared[1])
    shared_shared = rows.upper.T @ of_shared[0] + rows.lower.T @ of_shared[1]
    shared_shared[np.diag_indices_from(shared_shared)] += shared_precision

    slope_shared = at_upper @ rows.upper - at_lower @ rows.lower - shared_precision * mode.shared
    pull = at_upper[:, None] * rows.own_upper - at_lower[:, None] * rows.own_lower
    slope_own = _by_rater(rows, np.ones((len(pull), 1)), pull)[:, 0] - own_precision * mode.own

    inverse = np.linalg.inv(own_own)  # (R, Q, Q)
    through = inverse @ own_shared  # (R, Q, S)
    reduced = shared_shared - np.einsum("rqs,rqt->st", own_shared, through, optimize=True)
    shared: FloatArray = np.linalg.inv(reduced)
    step = shared @ (slope_shared - np.einsum("rqs,rq->s", through, slope_own))
    own_step = np.einsum("rqp,rp->rq", inverse, slope_own) - through @ step
    cross = -through @ shared
    own = inverse - cross @ through.transpose(0, 2, 1)
    return Mode(step, own_step), Covariance(shared, cross, own)


def _by_rater(rows: Rows, a: FloatArray, b: FloatArray) -> FloatArray:
    """Sums of a' b over each rater's rows: (R, i, j)."""
    raters, cells = len(rows.ends) - 1, a.shape[1] * b.shape[1]
    if raters < MANY or cells > FEW_CELLS:  # a matrix product each is faster
        return np.stack([a[i:j].T @ b[i:j] for i, j in pairwise(rows.ends.tolist())])
    found = np.zeros((raters, a.shape[1], b.shape[1]))
    first = 0
    while first < raters:
        most = rows.ends[first] + max(1, CELLS // max(1, cells))
        last = max(first + 1, int(np.searchsorted(rows.ends, most, side="right")) - 1)
        start, stop = rows.ends[first], rows.ends[last]
        each = a[start:stop, :, None] * b[start:stop, None, :]
        some = first + np.flatnonzero(np.diff(rows.ends[first : last + 1]))
        if len(some):
            found[some] = np.add.reduceat(each, rows.ends[some] - start, axis=0)
        first = last
    return found
