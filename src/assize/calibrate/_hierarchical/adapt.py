"""A fitted calibrator on another set of items, few of which are rated.

The model is that of `shift`: s is what the whole set is rated higher by than its answers tell, c_a
what rater a is more generous there than rho of what was known. How much of raters' levels is kept
and how far they and the set differ are learnt from the labels: each rater's labels are summed up as
a normal about the level that they speak of (Laplace), and the three are averaged over a grid under
a weak prior around what `shift` expects. Means and doubts are then those of a normal around the
mode, as in fitting.

Ours; the paper (Hashemi et al., 2024) fits and predicts one set. What raters' doubts have in
common through the shared parameters is left out: a label by one rater tells of others through s.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from assize.base.errors import DataError
from assize.calibrate._data.arrays import root_of
from assize.calibrate._data.features import FloatArray
from assize.calibrate._data.forms import Forms, IntArray
from assize.calibrate._hierarchical.calibrator import Hierarchical
from assize.calibrate._hierarchical.laplace import Covariance, Mode, Rows, find_mode
from assize.calibrate._hierarchical.posterior import Posterior
from assize.calibrate._hierarchical.set_variances import learn_carried
from assize.calibrate._hierarchical.shift import (
    Carried,
    Shift,
    expected,
    levels_of,
    moved,
    with_doubt,
)

NONE = 1e6  # precision of a parameter that is held at 0


@dataclass(frozen=True, slots=True)
class SetLevel:
    """What was learnt of a set; in standard deviations of an answer given everything."""

    level: float  # s: above 0 where people are more generous there than answers tell
    error: float  # its standard deviation
    variance: float  # of raters' own levels in the set, c
    kept: float  # rho: of what raters' levels were before


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
    shift = Shift.of(calibrator.design, calibrator.design.matrix(forms.features)[known])
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
    place = target.ranks[y]
    given = np.array(calibrator.given or range(len(target)))
    return [np.abs(given - place[:, None]).argmin(axis=1)]


def _with_new_raters(posterior: Posterior, raters: int) -> Posterior:
    """Those who are new are as one who is not known, until a label tells more."""
    known = len(posterior.mean) - 1
    rows = [*range(known), *[known] * (raters - known), known]
    return replace(posterior, mean=posterior.mean[rows], covariance=posterior.covariance[rows])


def _adapted(
    given: Posterior,
    shift: Shift,
    x: FloatArray,
    y: IntArray,
    rater: IntArray,
) -> tuple[Posterior, SetLevel]:
    by = expected(given, shift)
    before = moved(given, shift.center, by.kept)
    if not len(y):
        level = SetLevel(0.0, float(np.sqrt(by.of_set)), by.of_rater, by.kept)
        return with_doubt(before, by), level
    seen, tau = np.unique(rater), given.variances
    said, error = _said(before, x, y, rater, by)
    was, levels = levels_of(given)[seen], tau.levels + tau.in_sets
    by = learn_carried(said[seen] + by.kept * was, error[seen], was, by, levels, shift.away)
    before = moved(given, shift.center, by.kept)
    mode, spread = _find_levels(before, x, y, rater, 1 / by.of_set, 1 / by.of_rater)
    learnt = SetLevel(
        float(mode.shared[0]), float(np.sqrt(spread.shared[0, 0])), by.of_rater, by.kept
    )
    return _posterior(before, mode, spread, by), learnt


def _said(
    before: Posterior, x: FloatArray, y: IntArray, rater: IntArray, by: Carried
) -> tuple[FloatArray, FloatArray]:
    """What each rater's labels alone say of s + c_a: (R,) value and variance."""
    prior = by.of_rater + by.of_set + before.variances.levels
    mode, spread = _find_levels(before, x, y, rater, NONE, 1 / prior)
    variance = spread.own[:, -1, -1]
    precision = np.maximum(1 / variance - 1 / prior, 1e-6)
    return mode.own[:, -1] / variance / precision, 1 / precision


def _find_levels(
    before: Posterior, x: FloatArray, y: IntArray, rater: IntArray, of_set: float, of_rater: float
) -> tuple[Mode, Covariance]:
    """Return the mode of s, of what is open of raters and of c; given precisions of s and c."""
    roots = root_of(before.covariance[:-1])  # what is open of a rater, in unit normals
    own = np.r_[np.ones(before.mean.shape[1]), of_rater]
    start = Mode(np.zeros(1), np.zeros((len(roots), len(own))))
    rows = _rows(before, x, y, rater, roots)
    return find_mode(rows, start, np.array([of_set]), own)


def _level(before: Posterior) -> FloatArray:
    """What a level does: the more generous, the less probable are low answers."""
    level = np.zeros(before.mean.shape[1])
    level[: before.steps] = -1
    return level


def _rows(
    before: Posterior, x: FloatArray, y: IntArray, rater: IntArray, roots: FloatArray
) -> Rows:
    """Both ends of each answer, in s, in what is open of the rater, and in c."""
    order = np.argsort(rater, kind="stable")
    x, y, rater = x[order], y[order], rater[order]
    steps, count, level = before.steps, np.arange(len(y)), _level(before)
    shared, own, added = [], [], []
    for end in (np.minimum(y, steps - 1), np.maximum(y - 1, 0)):
        reads = np.zeros((len(y), before.mean.shape[1]))
        reads[count, end] = 1
        reads[:, steps:] = -x
        by_level = (reads @ level)[:, None]
        shared.append(by_level)
        own.append(np.hstack([np.einsum("np,npq->nq", reads, roots[rater]), by_level]))
        added.append((reads * before.mean[rater]).sum(axis=1))
    return Rows(
        shared[0],
        shared[1],
        own[0],
        own[1],
        y < steps,
        y > 0,
        rater,
        np.ones(len(y)),
        np.searchsorted(rater, np.arange(len(before.mean))),
        np.stack(added, axis=1),
    )


def _posterior(before: Posterior, mode: Mode, spread: Covariance, by: Carried) -> Posterior:
    """What is known of each rater in the set, and of one who is not known."""
    level = _level(before)
    roots = root_of(before.covariance[:-1])
    roots = np.concatenate([roots, np.tile(level[:, None], (len(roots), 1, 1))], axis=2)
    both, shift = np.outer(level, level), mode.shared[0] * level
    known = before.mean[:-1] + np.einsum("rpq,rq->rp", roots, mode.own) + shift
    cross = np.einsum("rpq,rq->rp", roots, spread.cross[:, :, 0])[:, :, None] * level
    open_ = roots @ spread.own @ roots.transpose(0, 2, 1) + cross + cross.transpose(0, 2, 1)
    unknown = before.covariance[-1] + by.of_rater * both
    covariance = np.concatenate([open_, unknown[None]]) + spread.shared[0, 0] * both
    return replace(before, mean=np.vstack([known, before.mean[-1] + shift]), covariance=covariance)
