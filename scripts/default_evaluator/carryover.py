"""Does a head carry over? Each corpus is left out once and predicted from the others.

Beside the head stand two baselines, learnt in the same way from the same data: one that sees only
lengths, one that sees only the shape features. A dimension that has labels in one corpus only is
cross-validated inside it, leaving out bots, conversations or pairs.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from assize.evaluator._features.surface import LENGTH
from assize.evaluator._heads.linear import Scaling
from assize.evaluator._heads.ridge import (
    RIDGES,
    Preferences,
    Ratings,
    Ridge,
    Source,
    fit_scaling,
    fit_weights,
)
from assize.stats._arrays import FloatArray, IntArray
from assize.stats._studies import Folds, Method, Predict, cross_fit, dealt, one_out

from .corpora import FEATURES, SHAPE, Corpora, Table
from .held_out import HeldOut
from .recipe import Dimension, sources

FOLDS = 10


@dataclass(frozen=True, slots=True, eq=False)
class Learner:
    """One way to make a head: what it sees, how it is shrunk, which corpora it has.

    Args:
        corpora: with rows of its own features.
        ridge, widths: penalties, and features, of each block that it sees.
        columns: the features of a row that it sees.
    """

    corpora: Corpora
    ridge: Ridge
    widths: Mapping[str, int]
    columns: slice = field(default_factory=lambda: slice(None))

    def fit(self, found: Sequence[Source]) -> Fitted:
        """Its head."""
        seen = [_take(source, slice(None), self.columns) for source in found]
        scaling = fit_scaling(seen)
        weights = fit_weights(seen, scaling, self.ridge, self.widths)
        return Fitted(scaling, weights, self.columns)

    def fit_without(self, dimension: Dimension, left_out: str | None = None) -> Fitted:
        """Its head for a dimension, learnt from all corpora but one."""
        return self.fit(sources(dimension, self.corpora, left_out))


@dataclass(frozen=True, slots=True, eq=False)
class Fitted:
    """Weights (F,) on some columns of rows, standardised."""

    scaling: Scaling
    weights: FloatArray
    columns: slice

    def __call__(self, rows: FloatArray) -> FloatArray:
        """Raw numbers (N,) of rows."""
        return np.asarray(self.scaling(rows[:, self.columns]) @ self.weights)

    def predict(self, source: Source) -> FloatArray:
        """Raw numbers of what was rated, or differences of the sides of pairs."""
        if isinstance(source, Ratings):
            return self(source.rows)
        return self(source.a) - self(source.b)


def learners(corpora: Corpora, before: Corpora, dimension: int) -> dict[str, Learner]:
    """`MODELS`: the recipe, and two baselines.

    Args:
        corpora: with all features.
        before: the same with those of the block `shape`, lengths first.
        dimension: of the encoder.
    """
    plain, length = RIDGES["turns"], len(LENGTH)
    return {
        "head": Learner(corpora, RIDGES[FEATURES.name], FEATURES.widths(dimension)),
        "shape": Learner(before, plain, SHAPE.widths(dimension)),
        "length": Learner(before, plain, {"shape": length}, slice(length)),
    }


def carry_over(dimension: Dimension, models: Mapping[str, Learner]) -> Iterator[HeldOut]:
    """Held-out predictions of a dimension, corpus by corpus.

    Args:
        models: by name, see `learners`; the first one's corpora give targets and clusters.
    """
    names = dict.fromkeys([*dimension.conversations, *dimension.turns, *dimension.pairs])
    if len(names) == 1:
        yield from _inside(dimension, models, next(iter(names)))
        return
    for name in names:
        fitted = {model: one.fit_without(dimension, name) for model, one in models.items()}
        if name in dimension.conversations:
            tables = {model: one.corpora.conversations[name] for model, one in models.items()}
            yield rated(name, "conversation", fitted, tables, dimension.conversations[name])
        if name in dimension.turns:
            tables = {model: one.corpora.turns[name] for model, one in models.items()}
            yield rated(name, "turn", fitted, tables, dimension.turns[name])
        if name in dimension.pairs:
            yield _preferred(name, fitted, models)


def rated(
    name: str,
    level: str,
    fitted: Mapping[str, Fitted],
    tables: Mapping[str, Table],
    weights: Mapping[str, float],
    kept: NDArray[np.bool_] | None = None,
    left_out: str = "corpus",
) -> HeldOut:
    """Predictions for the rated rows of a table, or for those of them that are `kept`."""
    first = next(iter(tables.values()))
    target = first.target(weights)
    keep = np.isfinite(target) if kept is None else np.isfinite(target) & kept
    predicted = {model: fitted[model](table.rows[keep]) for model, table in tables.items()}
    groups = None if first.groups is None else first.groups[keep]
    return HeldOut(name, left_out, level, predicted, target[keep], first.clusters[keep], groups)


def _preferred(name: str, fitted: Mapping[str, Fitted], models: Mapping[str, Learner]) -> HeldOut:
    sides = {model: one.corpora.pairs[name] for model, one in models.items()}
    targets = next(iter(sides.values())).targets
    predicted = {model: fitted[model](one.a) - fitted[model](one.b) for model, one in sides.items()}
    return HeldOut(name, "corpus", "pair", predicted, targets, np.arange(len(targets)))


def _inside(dimension: Dimension, models: Mapping[str, Learner], name: str) -> Iterator[HeldOut]:
    """Cross-validation inside the one corpus that has labels."""
    every = {model: sources(dimension, one.corpora) for model, one in models.items()}
    corpora = next(iter(models.values())).corpora
    for place, source in enumerate(next(iter(every.values()))):
        target = source.targets
        clusters: NDArray[np.generic] = np.arange(len(target))
        groups = None
        if isinstance(source, Preferences):
            level, what, fold = "pair", "pairs", _in_turn(clusters)
        else:
            level = "conversation" if source.rows is corpora.conversations[name].rows else "turn"
            table = corpora.conversations[name] if level == "conversation" else corpora.turns[name]
            clusters, groups = table.clusters, table.groups
            if len(set(table.bots)) > 1:
                what, fold = "bots", one_out(table.bots)
            else:
                what, fold = "conversations", _in_turn(clusters)
        keep = np.isfinite(target)
        predicted = {
            model: cross_fit(_method(one), every[model][place], Folds(fold[None]))[0, keep]
            for model, one in models.items()
        }
        within = None if groups is None else groups[keep]
        yield HeldOut(name, what, level, predicted, target[keep], clusters[keep], within)


def _in_turn(labels: NDArray[np.generic]) -> IntArray:
    return dealt(labels, min(FOLDS, len(set(labels.tolist()))))


def _method(learner: Learner) -> Method[Source]:
    """A learner, learning from rows of a source."""

    def fit(source: Source, rows: IntArray, seed: int) -> Predict[Source]:
        fitted = learner.fit([_take(source, rows)])
        return lambda source, rows: fitted.predict(_take(source, rows))

    return fit


def _take(source: Source, rows: IntArray | slice, columns: slice = slice(None)) -> Source:
    targets = source.targets[rows]
    if isinstance(source, Ratings):
        groups = None if source.groups is None else source.groups[rows]
        return replace(source, rows=source.rows[rows][:, columns], targets=targets, groups=groups)
    a, b = (side[rows][:, columns] for side in (source.a, source.b))
    return replace(source, a=a, b=b, targets=targets)
