"""Does a head carry over? Each corpus is left out once and predicted from the others.

Beside the head stand two baselines, learnt in the same way from the same data: one that sees only
lengths, one that sees only the shape features. A dimension that has labels in one corpus only is
cross-validated inside it, leaving out bots, conversations or pairs.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from assize.evaluator._features import turns
from assize.evaluator._features.surface import LENGTH, FloatArray
from assize.evaluator._heads.linear import Scaling
from assize.evaluator._heads.ridge import (
    Preferences,
    Ratings,
    Ridge,
    Source,
    fit_scaling,
    fit_weights,
)
from assize.stats._arrays import IntArray
from assize.stats._studies import Folds, Method, Predict, cross_fit, dealt, one_out

from .corpora import Corpora, Table
from .held_out import HeldOut
from .recipe import Dimension, sources
from .shrinkage import Shrinkage

FOLDS = 10


def visible(model: str, dimension: int) -> NDArray[np.bool_]:
    """Which features of `turns` a baseline may see, (F,)."""
    names = turns.names(dimension)
    if model == "shape":
        return np.array([name.startswith("shape.") for name in names])
    return np.array([name.removeprefix("shape.") in LENGTH for name in names])


@dataclass(frozen=True, slots=True, eq=False)
class Learner:
    """One way to make a head: what it sees, how it is shrunk, which corpora it has.

    Args:
        corpora: with rows of its own features.
        ridge: its penalties; None is the default's of `heads.ridge`.
        visible: the features it may use, (F,); None is all.
    """

    corpora: Corpora
    ridge: Ridge | None = None
    visible: NDArray[np.bool_] | None = None

    def sources(self, dimension: Dimension, left_out: str | None = None) -> list[Source]:
        """What it may learn a dimension from."""
        return sources(dimension, self.corpora, left_out)

    def fit(self, found: Sequence[Source], width: int) -> Fitted:
        """Its head."""
        scaling = fit_scaling(found)
        return Fitted(scaling, fit_weights(found, scaling, width, self.ridge, self.visible))


@dataclass(frozen=True, slots=True, eq=False)
class Fitted:
    """Weights (F,) on standardised features."""

    scaling: Scaling
    weights: FloatArray

    def __call__(self, rows: FloatArray) -> FloatArray:
        """Raw numbers (N,) of rows (N, F)."""
        return np.asarray(self.scaling(rows) @ self.weights)


def learners(corpora: Corpora, before: Corpora, width: int) -> dict[str, Learner]:
    """`MODELS`: the recipe, and two baselines.

    Args:
        corpora: with features `exchanges`.
        before: the same with features `turns`.
        width: the encoder's dimension D.
    """
    return {
        "head": Learner(corpora, Shrinkage()),
        "shape": Learner(before, visible=visible("shape", width)),
        "length": Learner(before, visible=visible("length", width)),
    }


def carry_over(
    dimension: Dimension, models: Mapping[str, Learner], width: int
) -> Iterator[HeldOut]:
    """Held-out predictions of a dimension, corpus by corpus.

    Args:
        models: by name, see `learners`; the first one's corpora give targets and clusters.
        width: the encoder's dimension D.
    """
    names = dict.fromkeys([*dimension.conversations, *dimension.turns, *dimension.pairs])
    if len(names) == 1:
        yield from _inside(dimension, models, next(iter(names)), width)
        return
    for name in names:
        fitted = {
            model: one.fit(one.sources(dimension, left_out=name), width)
            for model, one in models.items()
        }
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


def _inside(
    dimension: Dimension, models: Mapping[str, Learner], name: str, width: int
) -> Iterator[HeldOut]:
    """Cross-validation inside the one corpus that has labels."""
    every = {model: one.sources(dimension) for model, one in models.items()}
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
            model: cross_fit(_method(one, width), every[model][place], Folds(fold[None]))[0, keep]
            for model, one in models.items()
        }
        within = None if groups is None else groups[keep]
        yield HeldOut(name, what, level, predicted, target[keep], clusters[keep], within)


def _in_turn(labels: NDArray[np.generic]) -> IntArray:
    return dealt(labels, min(FOLDS, len(set(labels.tolist()))))


def _method(learner: Learner, width: int) -> Method[Source]:
    """A learner, learning from rows of a source."""

    def fit(source: Source, rows: IntArray, seed: int) -> Predict[Source]:
        made = learner.fit([_rows(source, rows)], width)
        return lambda source, rows: _predict(_rows(source, rows), made)

    return fit


def _rows(source: Source, keep: IntArray) -> Source:
    if isinstance(source, Ratings):
        groups = None if source.groups is None else source.groups[keep]
        return replace(source, rows=source.rows[keep], targets=source.targets[keep], groups=groups)
    return replace(source, a=source.a[keep], b=source.b[keep], targets=source.targets[keep])


def _predict(source: Source, made: Fitted) -> FloatArray:
    if isinstance(source, Ratings):
        return made(source.rows)
    return made(source.a) - made(source.b)
