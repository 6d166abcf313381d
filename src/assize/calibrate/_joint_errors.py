"""Errors that raters share: their answers about one item, jointly.

A calibrator predicts each rater by themselves. Multiplying such predictions takes errors for
independent, though all come from the same answers of a model: where it misleads, it misleads
about everybody. Here each answer is a step of a normal value, and the values of answers about
one item share a part:

    value of rater a about item i = sqrt(rho) e_i + sqrt(1 - rho) e_ia,    all standard normal

(a one-factor Gaussian copula). Each rater's own distribution stays what it was; rho is learnt
by maximum likelihood where items have several ratings, from predictions of calibrators that did
not learn from them.

Source: Hashemi et al. (2024), footnotes 5 and 20, name the assumption and give no model.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.polynomial.hermite_e import hermegauss
from scipy.optimize import brentq, minimize_scalar
from scipy.special import ndtr, ndtri

from assize.base.errors import DataError
from assize.calibrate._data.features import LEAST, FloatArray
from assize.calibrate._data.forms import IntArray, Scale
from assize.stats._arrays import sum_rows

MOST = 0.95  # correlations up to this are told apart
NODES = 48  # of the quadrature over e_i
DROP = 1.92  # of the log-likelihood at the ends of a 95% interval
EDGE = 1e-9  # of the same before its place on the normal scale
FEWEST = 10  # items with several answers


@dataclass(frozen=True, slots=True)
class JointErrors:
    """How far errors about one item go together.

    Args:
        correlation: rho, at least 0.
        interval: 95%, by the likelihood's profile; its lower end may be 0.
        items, answers: those that it was learnt from: items with several answers.
        gain: log-likelihood of rho less that of independence, in nats for each such answer.
    """

    correlation: float
    interval: tuple[float, float]
    items: int
    answers: int
    gain: float

    def __post_init__(self) -> None:
        if not 0 <= self.correlation <= MOST:
            raise DataError(f"a correlation of {self.correlation}; expected 0 to {MOST}")


def bounds_of(p: FloatArray, y: IntArray, scale: Scale) -> tuple[FloatArray, FloatArray]:
    """Between which normal values answers lie: lower and upper ends (N,).

    Args:
        p: (N, K) predicted, in the scale's order.
        y: (N,) places of the answers that were given.
    """
    place = scale.ranks[y]
    ends = np.hstack(
        [np.full((len(p), 1), -np.inf), _steps(p[:, scale.rising]), np.full((len(p), 1), np.inf)]
    )
    rows = np.arange(len(p))
    return ends[rows, place], ends[rows, place + 1]


def fit_joint_errors(lower: FloatArray, upper: FloatArray, group: IntArray) -> JointErrors:
    """Learns rho from answers between normal values (N,), which share errors within a group.

    Args:
        group: (N,) codes: the item, where raters share errors; the form, where a rater's answers
            to several questions about it do.

    Raises:
        DataError: fewer than 10 groups have several answers.
    """
    _, code, size = np.unique(group, return_inverse=True, return_counts=True)
    kept = size[code] > 1
    names, code = np.unique(code[kept], return_inverse=True)
    if len(names) < FEWEST:
        raise DataError(
            f"{len(names)} items have several ratings; at least {FEWEST} are needed to learn what"
            " errors raters share"
        )
    lower, upper = lower[kept], upper[kept]

    def loss(rho: float) -> float:
        _, weights = _nodes()
        inside = np.log(np.maximum(_given(upper, rho) - _given(lower, rho), LEAST))  # (N, Q)
        whole = sum_rows(inside, code, len(names))
        return -float(np.logaddexp.reduce(whole + np.log(weights), axis=1).sum())

    found = minimize_scalar(loss, bounds=(0, MOST), method="bounded", options={"xatol": 1e-4})
    none = loss(0.0)
    rho, best = (0.0, none) if none <= found.fun else (float(found.x), float(found.fun))

    def over(value: float) -> float:
        return loss(value) - best - DROP

    low = 0.0 if over(0.0) <= 0 else float(brentq(over, 0.0, rho, xtol=1e-3))
    high = MOST if over(MOST) <= 0 else float(brentq(over, rho, MOST, xtol=1e-3))
    gain = (none - best) / len(lower)
    return JointErrors(rho, (low, high), len(names), len(lower), gain)


def at_most(p: FloatArray, rho: float) -> FloatArray:
    """P(all raters' answers are k or less) (N, K), of distributions (N, R, K) by rising value.

    >>> half = np.full((1, 2, 2), 0.5)
    >>> [round(float(at_most(half, rho)[0, 0]), 3) for rho in (0.0, 0.5)]
    [0.25, 0.333]
    """
    steps, found = _steps(p), np.ones((len(p), p.shape[2]))
    nodes, weights = _nodes()
    found[:, :-1] = sum(
        weight * _step_chances(steps, rho, node).prod(axis=1)
        for node, weight in zip(nodes, weights, strict=True)
    )
    return found


def mean_quantiles(p: FloatArray, scale: Scale, rho: float, levels: Sequence[float]) -> FloatArray:
    """Quantiles (N, L) of the mean of all raters' answers, of distributions (N, R, K).

    Given e_i the answers are independent, and their mean is taken as normal; it is kept within
    the least and the highest value.
    """
    rising = np.sort(scale.values)
    nodes, weights = _nodes()
    middle = np.empty((len(p), len(nodes)))
    spread = np.empty_like(middle)
    steps = _steps(p[..., scale.rising])
    for place in range(len(nodes)):
        each = np.diff(_step_chances(steps, rho, nodes[place]), axis=-1, prepend=0, append=1)
        mean = each @ rising
        variance = np.maximum(each @ rising**2 - mean**2, 0)
        middle[:, place] = mean.mean(axis=1)
        spread[:, place] = np.sqrt(variance.sum(axis=1)) / p.shape[1]
    return _mixture_quantiles(middle, np.maximum(spread, 1e-9), weights, rising, levels)


def shared_chances(size: tuple[int, int], rho: float, rng: np.random.Generator) -> FloatArray:
    """Uniform numbers (N, R) for drawing answers: those of a row go together as errors do."""
    if rho == 0:
        return rng.random(size)
    both = np.sqrt(rho) * rng.standard_normal((size[0], 1))
    return np.asarray(ndtr(both + np.sqrt(1 - rho) * rng.standard_normal(size)))


def _steps(p: FloatArray) -> FloatArray:
    """Normal values (..., K - 1) between the answers of distributions (..., K), rising."""
    return np.asarray(ndtri(np.clip(np.cumsum(p, axis=-1)[..., :-1], EDGE, 1 - EDGE)))


def _step_chances(steps: FloatArray, rho: float, node: float | FloatArray) -> FloatArray:
    """P(answer <= k | e_i) at a node of the quadrature, or at several."""
    return np.asarray(ndtr((steps - np.sqrt(rho) * node) / np.sqrt(1 - rho)))


def _given(ends: FloatArray, rho: float) -> FloatArray:
    """(N, Q) P(value <= end | e_i) at all nodes."""
    return _step_chances(ends[:, None], rho, _nodes()[0])


@cache
def _nodes() -> tuple[FloatArray, FloatArray]:
    """Nodes and weights (Q,) of the mean over a standard normal."""
    nodes, weights = hermegauss(NODES)
    return nodes, weights / weights.sum()


def _mixture_quantiles(
    middle: FloatArray,
    spread: FloatArray,
    weights: FloatArray,
    rising: FloatArray,
    levels: Sequence[float],
) -> FloatArray:
    """Of mixtures of normals (N, Q), by halving."""
    found = np.empty((len(middle), len(levels)))
    for place, level in enumerate(levels):
        low, high = np.full(len(middle), rising[0]), np.full(len(middle), rising[-1])
        for _ in range(30):
            half = (low + high) / 2
            under = ndtr((half[:, None] - middle) / spread) @ weights < level
            low, high = np.where(under, half, low), np.where(under, high, half)
        found[:, place] = (low + high) / 2
    return found
