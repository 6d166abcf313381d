"""Learning linear heads from ratings and from preferences: one linear system, strongly shrunk.

Letters: N rows, F features, G groups.

Ratings of a corpus enter as least squares on standardised features; preferences as least
squares on differences of features, with targets +1, 0 and -1. Under penalties this strong
a logistic loss stays in its linear range, so both are quadratic and one solve does it: it
is exact, and the same on every run. Every corpus counts alike, however many rows it has;
what raters (or tasks) differ in is partly taken out, because it is about them.

The shipped evaluator and one that a user trains are both made by `fit_heads`. Any other head, such
as a network, calls `scored_on` with its raw numbers and shares everything else.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from assize.base.errors import DataError
from assize.base.judgment import Question
from assize.evaluator._heads.linear import Linear, Scaling
from assize.evaluator._heads.scored_question import Population, ScoredQuestion, scored_on
from assize.stats._arrays import FloatArray


@dataclass(frozen=True, slots=True, eq=False)
class Ratings:
    """One corpus's ratings on one question, higher being better."""

    corpus: str  # its name; sources of one corpus are left out together
    rows: FloatArray  # features, (N, F)
    targets: FloatArray  # (N,), on any scale; NaN rows are passed over
    # (N,) whose ratings belong together (a rater, a task); None for no groups
    groups: NDArray[np.generic] | None = None
    weight: float = 1.0  # how much the source counts, 1 being a whole corpus


@dataclass(frozen=True, slots=True, eq=False)
class Preferences:
    """One corpus's preferences between two texts."""

    corpus: str  # as in `Ratings`
    # a, b: features of the sides, (N, F)
    a: FloatArray
    b: FloatArray
    targets: FloatArray  # (N,) 1 where A is preferred, -1 where B is, 0 for a tie
    weight: float = 1.0  # as in `Ratings`


Source = Ratings | Preferences


@dataclass(frozen=True, slots=True)
class Ridge:
    """How strongly weights are shrunk, and what counts how much, on standardised features.

    With weaker penalties on vectors a head learns the topics and habits of its corpora.
    """

    penalties: Mapping[str, float]  # by block of features
    corpus_rows: float = 2_000.0  # rows that a whole corpus counts as
    within: float = 0.5  # share of the groups' means that is taken out, from 0 to 1

    def per_feature(self, widths: Mapping[str, int]) -> FloatArray:
        """One penalty a feature, (F,), of blocks with so many features each."""
        parts = [
            np.full(width, self.penalties[block], np.float64) for block, width in widths.items()
        ]
        return np.concatenate(parts)


RIDGES: Mapping[str, Ridge] = {
    "turns": Ridge(
        dict.fromkeys(("assistant_mean", "user_mean", "assistant_last", "user_last"), 30_000.0)
        | {"similarity": 300.0, "shape": 1_000.0}
    ),
    # What separates weak chatbots from weaker ones (length, repetition) is held back; whether an
    # answer belongs to its own question is not.
    "exchanges": Ridge(
        {
            "assistant_mean": 100_000.0,
            "user_mean": 30_000.0,
            "assistant_last": 100_000.0,
            "user_last": 30_000.0,
            "similarity": 1_000.0,
            "shape": 3_000.0,
            "product": 30_000.0,
            "difference": 30_000.0,
            "belonging": 300.0,
            "manner": 1_000.0,
            "answer": 300.0,
        }
    ),
}
"""By featuriser; chosen by leaving one corpus out (design/03-evaluator.md)."""


def fit_scaling(sources: Sequence[Source]) -> Scaling:
    """Mean of each feature, each source counted alike, and deviation within corpora: what
    corpora differ in says nothing about quality."""
    parts = [part for source in sources for part in _all_rows(source) if len(part)]
    if not parts:
        raise DataError("there is nothing to learn from: no rating and no preference")
    means = np.stack([_nan_mean(part) for part in parts])
    spread = np.stack([_nan_mean((part - _nan_mean(part)) ** 2) for part in parts])
    center, variance = _nan_mean(means), _nan_mean(spread)
    still = ~(variance > 1e-12)
    return Scaling(np.nan_to_num(center), np.where(still, 1.0, np.sqrt(variance)))


def fit_weights(
    sources: Sequence[Source], scaling: Scaling, ridge: Ridge, widths: Mapping[str, int]
) -> FloatArray:
    """The weights (F,) that minimise the weighted squared error plus the penalties.

    Args:
        widths: of the blocks of features, in order.
    """
    gram, moment = np.diag(ridge.per_feature(widths)), np.zeros(len(scaling.center))
    learnt = 0
    for source in sources:
        rows, targets = _centred(source, scaling, ridge.within)
        if len(targets) == 0 or not np.any(np.abs(targets) > 1e-12):
            continue
        learnt += 1
        unit = ridge.corpus_rows * source.weight / len(targets)
        gram += unit * (rows.T @ rows)
        moment += unit * (rows.T @ (targets / np.sqrt(np.mean(targets**2))))
    if not learnt:
        raise DataError("there is nothing to learn from: all targets are the same or missing")
    return np.asarray(np.linalg.solve(gram, moment))


@dataclass(frozen=True, slots=True, eq=False)
class HeadData:
    """What one question of an evaluator is learnt from.

    Args:
        question: whose `extra` holds the `levels`.
        population: features that scores are relative to.
    """

    question: Question
    sources: Sequence[Source]
    population: Population


def fit_heads(
    data: Sequence[HeadData], scaling: Scaling, ridge: Ridge, widths: Mapping[str, int]
) -> tuple[Linear, dict[str, ScoredQuestion]]:
    """A head whose raw numbers have unit spread, and what these mean, question by question."""
    weights, scored = {}, {}
    for part in data:
        fitted = fit_weights(part.sources, scaling, ridge, widths)
        raw = {
            level: {name: scaling(rows) @ fitted for name, rows in corpora.items()}
            for level, corpora in part.population.items()
        }
        names = tuple(dict.fromkeys(source.corpus for source in part.sources))
        scored[part.question.id], spread = scored_on(part.question, raw, names)
        weights[part.question.id] = fitted / spread
    return Linear(scaling, weights), scored


def _all_rows(source: Source) -> tuple[FloatArray, ...]:
    return (source.rows,) if isinstance(source, Ratings) else (np.vstack([source.a, source.b]),)


def _centred(source: Source, scaling: Scaling, within: float) -> tuple[FloatArray, FloatArray]:
    """Standardised rows and targets, ready for least squares without an intercept."""
    if isinstance(source, Preferences):
        return scaling(source.a) - scaling(source.b), source.targets
    keep = np.isfinite(source.targets)
    rows, targets = source.rows[keep], source.targets[keep].astype(np.float64)
    if len(targets) == 0:
        return rows, targets
    missing = np.isnan(rows)
    standard = scaling(rows)
    means = np.where(missing, np.nan, standard)
    standard = np.where(missing, np.nan_to_num(_nan_mean(means)), standard)
    if source.groups is not None:
        groups = np.unique(source.groups[keep], return_inverse=True)[1].reshape(-1)
        standard = standard - within * group_means(standard, groups)[groups]
        targets = targets - within * group_means(targets[:, None], groups)[groups, 0]
    return standard - standard.mean(axis=0), targets - targets.mean()


def group_means(rows: FloatArray, groups: NDArray[np.intp]) -> FloatArray:
    """Means (G, F) of rows (N, F) whose groups (N,) are 0 .. G - 1."""
    order = np.argsort(groups, kind="stable")
    starts = np.searchsorted(groups[order], np.arange(int(groups.max()) + 1))
    sums = np.add.reduceat(rows[order], starts)
    return np.asarray(sums / np.bincount(groups)[:, None])


def _nan_mean(rows: FloatArray) -> FloatArray:
    """Column means over what is there; NaN where nothing is."""
    present = ~np.isnan(rows)
    count = present.sum(axis=0)
    total = np.where(present, rows, 0.0).sum(axis=0)
    none = np.full(rows.shape[1], np.nan)
    return np.asarray(np.divide(total, count, out=none, where=count > 0))
