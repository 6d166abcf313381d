"""A fitted calibrator on another set of items: a level of the set, and one of each rater in it.

    P(rater a answers up to step k | x)
        = Phi(t_k + b_a + d_ak - s - c_a - x . beta - (x - rho m) . g_a)

t, b, d, beta and g are as fitting has left them, with its doubt about each rater; s is what the
whole set is rated higher by than its answers tell, c_a what rater a is more generous there than
before. Both are normal. Far from where they were learnt, a rater's own slopes g are mostly a
second level with the wrong value: they act around rho m, m being the mean of the set's readings.

How far the set lies from what was fitted decides what is expected of it: with D the mean square
of m in standard deviations of the fitted items, rho = D / (1 + D), and the variances of s and c
are that share of the variance of raters' levels, until labels teach others (expectation-
maximisation). Without labels only the slopes' centre and the doubt change.

Ours; the paper (Hashemi et al., 2024) fits and predicts one set. What raters' doubts have in
common through the shared parameters is left out: a label by one rater tells of others through s.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from assize.calibration.data.features import FloatArray
from assize.calibration.data.forms import Forms, IntArray
from assize.calibration.hierarchical.calibrator import Hierarchical
from assize.calibration.hierarchical.laplace import Covariance, Mode, Rows, find_mode
from assize.calibration.hierarchical.posterior import Posterior
from assize.calibration.hierarchical.probit import OVER_RELAXATION
from assize.errors import DataError

ROUNDS, CONVERGED = 100, 1e-3  # of expectation-maximisation, and the relative change that ends it
# Raters, and sets, that the expected variance counts as, beside those with labels
PRIOR_RATERS, PRIOR_SETS = 4.0, 2.0
LEAST = 0.1  # of the variance of raters' levels, in a set like those that were fitted


@dataclass(frozen=True, slots=True)
class SetLevel:
    """What was learnt of a set; in standard deviations of an answer given everything."""

    level: float  # s: above 0 where people are more generous there than answers tell
    error: float  # its standard deviation
    variance: float  # of raters' own levels in the set, c


@dataclass(frozen=True, slots=True, eq=False)
class Shift:
    """How far the answers about some items lie from those of fitting."""

    # (P,) mean of each reading over the items, in standard deviations of the fitted ones
    readings: FloatArray
    # (P + C,) mean of the design's columns over the items
    center: FloatArray

    @classmethod
    def of(cls, calibrator: Hierarchical, x: FloatArray) -> Shift:
        """That of items whose design (N, P + C) is x; none for no items."""
        center = x.mean(axis=0) if len(x) else np.zeros(x.shape[1])
        count = calibrator.design.log_odds
        return cls(center[:count] * np.sqrt(count), center)

    @property
    def share(self) -> float:
        """rho, in [0, 1)."""
        distance = float(np.mean(self.readings**2))
        return distance / (1 + distance)


def adapt_default(
    calibrator: Hierarchical, forms: Forms
) -> tuple[Hierarchical, tuple[SetLevel, ...]]:
    """The calibrator for a set of items of which few are rated, or none.

    Args:
        forms: of these items, whose features hold all of the set; a rater whom the calibrator
            does not know becomes known. An answer that nobody gave in fitting counts as the
            nearest that was given.

    Returns:
        The calibrator, and what was learnt: one level, or one an unordered answer.

    Raises:
        DataError: some labels were left out on purpose, which a handful cannot bear.
    """
    if forms.weight is not None or forms.thinned is not None:
        raise DataError("labels of which some were left out on purpose cannot adapt; give all")
    known = calibrator.known(forms.features)
    shift = Shift.of(calibrator, calibrator.design.matrix(forms.features)[known])
    names = tuple(dict.fromkeys((*calibrator.raters, *forms.raters)))
    x = calibrator.design.matrix(replace(forms.features, units=(), x=forms.x))
    rater = np.array([names.index(name) for name in forms.raters], dtype=np.int64)[forms.rater]
    found = [
        _adapted(_with_new_raters(one, len(names)), shift, x, y, rater)
        for one, y in zip(calibrator.posteriors, _answers(calibrator, forms.y), strict=True)
    ]
    compared = calibrator.comparisons
    if compared is not None:
        compared = _with_new_raters(compared, len(names))
    posteriors = tuple(posterior for posterior, _ in found)
    adapted = replace(calibrator, raters=names, posteriors=posteriors, comparisons=compared)
    return adapted, tuple(level for _, level in found)


def _answers(calibrator: Hierarchical, y: IntArray) -> Sequence[IntArray]:
    """(N,) places of the answers on the scale of each posterior."""
    target = calibrator.target
    if not target.ordered:
        return [(y == place).astype(np.int64) for place in range(len(target))]
    place = np.argsort(np.argsort(target.values, kind="stable"))[y]
    given = np.array(calibrator.given or range(len(target)))
    return [np.abs(given - place[:, None]).argmin(axis=1)]


def _with_new_raters(posterior: Posterior, raters: int) -> Posterior:
    """Those who are new are as one who is not known, until a label tells more."""
    known = len(posterior.mean) - 1
    rows = [*range(known), *[known] * (raters - known), known]
    return replace(posterior, mean=posterior.mean[rows], covariance=posterior.covariance[rows])


def _adapted(
    given: Posterior, shift: Shift, x: FloatArray, y: IntArray, rater: IntArray
) -> tuple[Posterior, SetLevel]:
    before = _centred(given, shift.share * shift.center)
    raters, size = len(before.mean) - 1, before.mean.shape[1]
    level = np.zeros(size)
    level[: before.steps] = -1  # the more generous, the less probable are low answers
    # (R, size, size + 1): what is open of a rater, in independent unit normals, and c beside it
    beside = np.tile(level[:, None], (raters, 1, 1))
    roots = np.concatenate([_roots(before.covariance[:-1]), beside], axis=2)
    rows = _rows(before, x, y, rater, roots, level)
    expected = before.variances.levels * max(shift.share, LEAST)
    of_set, of_rater = expected, expected
    shared, own = np.ones(1), np.ones(size + 1)
    mode, labelled = Mode(np.zeros(1), np.zeros((raters, size + 1))), np.unique(rater)
    for _ in range(ROUNDS):
        shared[0], own[-1] = 1 / of_set, 1 / of_rater
        spread = _prior(own, shared, raters)
        if len(y):
            mode, spread = find_mode(rows, mode, shared, own)
        squares = mode.own[labelled, -1] ** 2 + spread.own[labelled, -1, -1]
        better = (squares.sum() + PRIOR_RATERS * expected) / (len(labelled) + PRIOR_RATERS)
        wider = (mode.shared[0] ** 2 + spread.shared[0, 0] + PRIOR_SETS * expected) / (
            1 + PRIOR_SETS
        )
        change = max(abs(np.log(better / of_rater)), abs(np.log(wider / of_set)))
        of_rater = float(of_rater * (better / of_rater) ** OVER_RELAXATION)
        of_set = float(of_set * (wider / of_set) ** OVER_RELAXATION)
        if change < CONVERGED:
            break
    found = _posterior(before, mode, spread, roots, level, of_rater)
    learnt = SetLevel(float(mode.shared[0]), float(np.sqrt(spread.shared[0, 0])), of_rater)
    return found, learnt


def _centred(posterior: Posterior, center: FloatArray) -> Posterior:
    """Raters' own slopes act around a centre (P,); the doubt about them stays where it was."""
    mean = posterior.mean.copy()
    own = mean[:-1, posterior.steps :] - mean[-1, posterior.steps :]
    mean[:-1, : posterior.steps] += (own @ center)[:, None]
    return replace(posterior, mean=mean)


def _roots(covariance: FloatArray) -> FloatArray:
    """(R, size, size): L with L L' the covariance."""
    values, vectors = np.linalg.eigh(covariance)
    return np.asarray(vectors * np.sqrt(np.maximum(values, 0))[:, None, :])


def _rows(
    before: Posterior, x: FloatArray, y: IntArray, rater: IntArray, roots: FloatArray,
    level: FloatArray,
) -> Rows:  # fmt: skip
    """Both ends of each answer, in s and in the rater's own parameters."""
    order = np.argsort(rater, kind="stable")
    x, y, rater = x[order], y[order], rater[order]
    steps, count = before.steps, np.arange(len(y))
    shared, own, added = [], [], []
    for end in (np.minimum(y, steps - 1), np.maximum(y - 1, 0)):
        reads = np.zeros((len(y), before.mean.shape[1]))
        reads[count, end] = 1
        reads[:, steps:] = -x
        shared.append((reads @ level)[:, None])
        own.append(np.einsum("np,npq->nq", reads, roots[rater]))
        added.append((reads * before.mean[rater]).sum(axis=1))
    raters = len(before.mean) - 1
    return Rows(
        shared[0], shared[1], own[0], own[1], y < steps, y > 0, rater, np.ones(len(y)),
        np.searchsorted(rater, np.arange(raters + 1)), np.stack(added, axis=1),
    )  # fmt: skip


def _prior(own: FloatArray, shared: FloatArray, raters: int) -> Covariance:
    """What is open where there are no labels."""
    return Covariance(
        np.diag(1 / shared),
        np.zeros((raters, len(own), len(shared))),
        np.tile(np.diag(1 / own), (raters, 1, 1)),
    )


def _posterior(
    before: Posterior, mode: Mode, spread: Covariance, roots: FloatArray, level: FloatArray,
    variance: float,
) -> Posterior:  # fmt: skip
    """What is known of each rater in the set, and of one who is not known."""
    both, shift = np.outer(level, level), mode.shared[0] * level
    known = before.mean[:-1] + np.einsum("rpq,rq->rp", roots, mode.own) + shift
    cross = np.einsum("rpq,rq->rp", roots, spread.cross[:, :, 0])[:, :, None] * level
    open_ = roots @ spread.own @ roots.transpose(0, 2, 1) + cross + cross.transpose(0, 2, 1)
    unknown = before.covariance[-1] + variance * both
    covariance = np.concatenate([open_, unknown[None]]) + spread.shared[0, 0] * both
    return replace(before, mean=np.vstack([known, before.mean[-1] + shift]), covariance=covariance)
