"""Learning linear heads from ratings and from preferences: one linear system, strongly shrunk.

Letters: N rows, F features, P columns, D dimension of the encoder.

Ratings of a corpus enter as least squares on standardised features; preferences as least
squares on differences of features, with targets +1, 0 and -1. Under penalties this strong
a logistic loss stays in its linear range, so both are quadratic and one solve does it: it
is exact, and the same on every run. Every corpus counts alike, however many rows it has.

A head may be a sum of heads that are fitted apart, each brought to unit spread. One solve over all
features gives the weight to what its corpora have in common by chance; a head that sees few
features keeps them in the sum. The sum is one weight vector.

Ratings of several answers to one context say which answer is better, and how hard the context is
to answer; half of the latter is taken out where the contexts are known (`WITHIN`).

The shipped evaluator and one that a user trains are both made by `fit_heads`. Any other head, such
as a network, calls `scored_on` with its raw numbers and shares everything else.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.resources import files
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from assize.base.errors import DataError
from assize.base.judgment import Question
from assize.encoders import Encoder
from assize.evaluator._features.blocks import BLOCKS
from assize.evaluator._features.views import Level
from assize.evaluator._heads.linear import Linear, Scaling
from assize.evaluator._heads.scored_question import Population, ScoredQuestion, scored_on
from assize.stats._arrays import FloatArray, sum_rows

STILL = 1e-12  # a spread below it is none
WITHIN = 0.5  # share of a group's mean that is taken out of its rows and targets


@dataclass(frozen=True, slots=True, eq=False)
class Ratings:
    """One corpus's ratings on one question, higher being better."""

    corpus: str  # its name; sources of one corpus are left out together
    rows: FloatArray  # features, (N, F)
    targets: FloatArray  # (N,), on any scale; NaN rows are passed over
    weight: float = 1.0  # how much the source counts, 1 being a whole corpus
    level: Level = "conversation"  # of the rows
    groups: NDArray[np.generic] | None = None  # (N,) such as the context of each; see `WITHIN`

    def columns(self, seen: NDArray[np.bool_]) -> Ratings:
        """Some of the features."""
        return replace(self, rows=self.rows[:, seen])


@dataclass(frozen=True, slots=True, eq=False)
class Preferences:
    """One corpus's preferences between two texts."""

    corpus: str  # as in `Ratings`
    # a, b: features of the sides, (N, F)
    a: FloatArray
    b: FloatArray
    targets: FloatArray  # (N,) 1 where A is preferred, -1 where B is, 0 for a tie
    weight: float = 1.0  # as in `Ratings`

    level: ClassVar[None] = None  # no head of a level learns from them

    def columns(self, seen: NDArray[np.bool_]) -> Preferences:
        """As of `Ratings`."""
        return replace(self, a=self.a[:, seen], b=self.b[:, seen])


Source = Ratings | Preferences


@dataclass(frozen=True, slots=True)
class HeadRecipe:
    """One head of a sum.

    Args:
        blocks: of features that it reads.
        share: in the sum, each head having unit spread before.
        level: of the ratings that it learns from; None learns from all, and from preferences.
        maximin: no solve, see `fit_maximin`; vectors are read along axes alone, see `read_axes`.
    """

    blocks: Sequence[str]
    share: float = 1.0
    level: Level | None = None
    maximin: bool = False


@dataclass(frozen=True, slots=True)
class Ridge:
    """How strongly weights are shrunk, on standardised features, and the heads that are added.

    With weaker penalties on vectors a head learns the topics and habits of its corpora.
    """

    penalties: Mapping[str, float]  # by block of features
    corpus_rows: float = 2_000.0  # rows that a whole corpus counts as
    heads: Sequence[HeadRecipe] = ()  # none: one head on all blocks

    def per_feature(self, widths: Mapping[str, int]) -> FloatArray:
        """One penalty a feature, (F,), of blocks with so many features each."""
        parts = [
            np.full(width, self.penalties[block], np.float64) for block, width in widths.items()
        ]
        return np.concatenate(parts)


_TURNS = ("assistant_mean", "user_mean", "assistant_last", "user_last", "similarity", "shape")
_EXCHANGES = (*_TURNS, "product", "difference", "belonging", "manner", "answer")
RIDGES: Mapping[str, Ridge] = {
    "turns": Ridge(
        dict.fromkeys(_TURNS[:4], 30_000.0) | {"similarity": 300.0, "shape": 1_000.0},
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
            "reactions": 30_000.0,
            "last_reaction": 30_000.0,
        },
        heads=(
            HeadRecipe(_EXCHANGES),
            HeadRecipe(("reactions",), 0.5, "conversation"),
            HeadRecipe(("shape",), 0.3, "conversation"),
            HeadRecipe(("manner", "reactions", "last_reaction"), 0.5, "conversation", maximin=True),
        ),
    ),
}
"""By featuriser; chosen by leaving one corpus out (design/03-evaluator.md)."""


def read_axes(encoder: Encoder) -> FloatArray:
    """(D, 7) directions that a user's reaction may lie in, such as from boredom to interest: the
    mean vector of good sentences less that of bad ones, as `axes.json` has them."""
    text = files("assize.evaluator._heads").joinpath("axes.json").read_text(encoding="utf-8")
    directions = [
        np.subtract(*(encoder.encode(part).vectors.mean(axis=0) for part in sides))
        for sides in json.loads(text).values()
    ]
    return np.stack(directions, axis=1).astype(np.float64)


def fit_scaling(sources: Sequence[Source]) -> Scaling:
    """Mean of each feature, each source counted alike, and deviation within corpora: what
    corpora differ in says nothing about quality."""
    parts = [part for source in sources for part in _all_rows(source) if len(part)]
    if not parts:
        raise DataError("there is nothing to learn from: no rating and no preference")
    return scale_rows(parts)


def scale_rows(parts: Sequence[FloatArray]) -> Scaling:
    """Mean of each feature over parts (N, F), each counted alike, and deviation within them; a
    missing value is passed over."""
    means = np.stack([_nan_mean(part) for part in parts])
    spread = np.stack([_nan_mean((part - _nan_mean(part)) ** 2) for part in parts])
    center, variance = _nan_mean(means), _nan_mean(spread)
    still = ~(variance > STILL)
    return Scaling(np.nan_to_num(center), np.where(still, 1.0, np.sqrt(variance)))


def fit_weights(
    sources: Sequence[Source],
    scaling: Scaling,
    ridge: Ridge,
    widths: Mapping[str, int],
    axes: FloatArray | None = None,
) -> FloatArray:
    """The weights (F,) of the sum of heads on standardised features.

    Args:
        widths: of the blocks of features, in order.
        axes: (D, A) of heads that read vectors along them, see `read_axes`.

    Raises:
        DataError: all targets are the same or missing.
    """
    teaching = [source for source in sources if _teaches(source)]
    if not teaching:
        raise DataError("there is nothing to learn from: all targets are the same or missing")
    total, sizes = np.zeros(len(scaling.center)), list(widths.values())
    for head in ridge.heads or (HeadRecipe(tuple(widths)),):
        seen = np.repeat([name in head.blocks for name in widths], sizes)
        own = [source.columns(seen) for source in teaching if head.level in (None, source.level)]
        if not own:
            continue
        part = Scaling(scaling.center[seen], scaling.scale[seen])
        blocks = {name: width for name, width in widths.items() if name in head.blocks}
        if head.maximin:
            weights = fit_maximin(own, part, _columns(blocks, axes))
        else:
            weights = fit_ridge(own, part, ridge, blocks)
        if (spread := _spread(own, part, weights)) > STILL:
            total[seen] += head.share / spread * weights
    return total


def fit_ridge(
    sources: Sequence[Source], scaling: Scaling, ridge: Ridge, widths: Mapping[str, int]
) -> FloatArray:
    """The weights (F,) that minimise the weighted squared error plus the penalties; with fewer rows
    than features by the system of rows, which has the same solution."""
    penalties, parts = ridge.per_feature(widths), []
    for source in sources:
        rows, targets = _centred(source, scaling)
        unit = ridge.corpus_rows * source.weight / len(targets)
        parts.append((rows, targets / np.sqrt(np.mean(targets**2)), unit))
    if sum(len(targets) for _, targets, _ in parts) < len(penalties):
        x = np.vstack([np.sqrt(unit) * rows for rows, _, unit in parts])
        y = np.concatenate([np.sqrt(unit) * targets for _, targets, unit in parts])
        shrunk = x / penalties
        return np.asarray(shrunk.T @ np.linalg.solve(shrunk @ x.T + np.eye(len(x)), y))
    gram, moment = np.diag(penalties), np.zeros(len(penalties))
    for rows, targets, unit in parts:
        gram += unit * (rows.T @ rows)
        moment += unit * (rows.T @ targets)
    return np.asarray(np.linalg.solve(gram, moment))


def fit_maximin(sources: Sequence[Source], scaling: Scaling, columns: FloatArray) -> FloatArray:
    """The weights (F,) by which a column counts as much as where it helps least.

    A column's weight is that of its correlations with the targets of each source which is least in
    size, and 0 where they differ in sign: what helps must help everywhere.

    Args:
        columns: (F, P) each a sum of features.
    """
    correlations, variances = [], []
    for source in sources:
        rows, targets = _centred(source, scaling)
        numbers = rows @ (columns * scaling.scale[:, None])
        variance = np.mean(numbers**2, axis=0)
        size = np.sqrt(np.maximum(variance, STILL) * np.mean(targets**2))
        correlations.append(numbers.T @ targets / len(targets) / size)
        variances.append(variance)
    each, spread = np.stack(correlations), np.sqrt(np.mean(variances, axis=0))
    agree = np.abs(np.sign(each).sum(axis=0)) == len(each)
    weakest = np.where(agree, np.sign(each[0]) * np.abs(each).min(axis=0), 0.0)
    weights = columns @ (weakest / np.maximum(spread, STILL))
    return np.asarray(weights * scaling.scale)


def _columns(widths: Mapping[str, int], axes: FloatArray | None) -> FloatArray:
    """(F, P) each feature; of vectors where they lie along the axes."""
    from scipy.linalg import block_diag

    parts = [
        np.eye(width) if BLOCKS[name].names or axes is None else axes
        for name, width in widths.items()
    ]
    return np.asarray(block_diag(*parts))


def _spread(sources: Sequence[Source], scaling: Scaling, weights: FloatArray) -> float:
    """The deviation of a head's numbers within corpora, on conversations where there are any."""
    rated = [source for source in sources if source.level == "conversation"]
    parts = [part for source in rated or sources for part in _all_rows(source)]
    return float(np.sqrt(np.mean([np.var(scaling(part) @ weights) for part in parts])))


def _teaches(source: Source) -> bool:
    """Whether its targets differ."""
    if isinstance(source, Preferences):
        return bool(np.any(source.targets))
    known = source.targets[np.isfinite(source.targets)]
    return len(known) > 0 and float(np.ptp(known)) > STILL


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
    data: Sequence[HeadData],
    scaling: Scaling,
    ridge: Ridge,
    widths: Mapping[str, int],
    axes: FloatArray | None = None,
) -> tuple[Linear, dict[str, ScoredQuestion]]:
    """A head whose raw numbers have unit spread, and what these mean, question by question."""
    weights, scored = {}, {}
    for part in data:
        fitted = fit_weights(part.sources, scaling, ridge, widths, axes)
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


def _centred(source: Source, scaling: Scaling) -> tuple[FloatArray, FloatArray]:
    """Standardised rows and targets, ready for least squares without an intercept."""
    if isinstance(source, Preferences):
        return scaling(source.a) - scaling(source.b), source.targets
    keep = np.isfinite(source.targets)
    rows, targets = source.rows[keep], source.targets[keep].astype(np.float64)
    missing = np.isnan(rows)
    standard = scaling(rows)
    means = np.where(missing, np.nan, standard)
    standard = np.where(missing, np.nan_to_num(_nan_mean(means)), standard)
    if source.groups is not None:
        groups = source.groups[keep]
        standard = standard - WITHIN * group_means(standard, groups)
        targets = targets - WITHIN * group_means(targets[:, None], groups)[:, 0]
    return standard - standard.mean(axis=0), targets - targets.mean()


def group_means(values: FloatArray, groups: NDArray[np.generic]) -> FloatArray:
    """(N, F) of each row the mean of its group."""
    codes = np.unique(groups, return_inverse=True)[1].reshape(-1)
    counts = np.bincount(codes)
    means = sum_rows(values, codes, len(counts)) / counts[:, None]
    return np.asarray(means[codes])


def _nan_mean(rows: FloatArray) -> FloatArray:
    """Column means over what is there; NaN where nothing is."""
    present = ~np.isnan(rows)
    count = present.sum(axis=0)
    total = np.where(present, rows, 0.0).sum(axis=0)
    none = np.full(rows.shape[1], np.nan)
    return np.asarray(np.divide(total, count, out=none, where=count > 0))
