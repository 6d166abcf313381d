"""Does a head carry over? Each corpus is left out once and predicted from the others.

The heads of the recipe are fitted apart, so each is fitted once, and every choice among them is a
sum. Beside them stands a baseline that sees only lengths, and a ridge inside the corpus, which says
what its labels allow. A dimension that has labels in one corpus only is cross-validated inside it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from assize.encoders import Encoder
from assize.evaluator._features.surface import LENGTH
from assize.evaluator._features.views import Level
from assize.evaluator._heads.linear import Scaling
from assize.evaluator._heads.ridge import (
    RIDGES,
    HeadRecipe,
    Preferences,
    Ratings,
    Ridge,
    Source,
    fit_scaling,
    fit_weights,
    read_axes,
)
from assize.stats._arrays import FloatArray, IntArray
from assize.stats._studies import Folds, Predict, cross_fit, dealt

from .corpora import FEATURES, Corpora, Table
from .held_out import HeldOut
from .recipe import Dimension, Labels, sources

FOLDS = 5
RECIPE = RIDGES[FEATURES.name]
HEADS = dict(zip(("all", "reactions", "shape", "manners"), RECIPE.heads, strict=True))
CHOICES = (
    ("all",),
    ("all", "reactions"),
    ("all", "manners"),
    ("all", "reactions", "manners"),
    tuple(HEADS),
)
"""Recipes that were compared: heads that are added."""


@dataclass(frozen=True, slots=True, eq=False)
class Learner:
    """One way to make a head: how it is shrunk, what it sees, which corpora it has.

    Args:
        widths: features of each block.
        axes: see `read_axes`.
    """

    corpora: Corpora
    ridge: Ridge
    widths: Mapping[str, int]
    axes: FloatArray | None = None

    def fit(self, found: Sequence[Source], scaling: Scaling | None = None) -> Fitted:
        """Its head; the scaling is that of the same sources."""
        scaling = fit_scaling(found) if scaling is None else scaling
        return Fitted(scaling, fit_weights(found, scaling, self.ridge, self.widths, self.axes))

    def inside(self, source: Source, folds: IntArray) -> FloatArray:
        """Predictions (N,) by heads that learnt from the other folds of the same source."""

        def fit(source: Source, rows: IntArray, seed: int) -> Predict[Source]:
            fitted = self.fit([_take(source, rows)])
            return lambda source, rows: fitted.predict(_take(source, rows))

        return np.asarray(cross_fit(fit, source, Folds(folds[None]))[0])


@dataclass(frozen=True, slots=True, eq=False)
class Fitted:
    """Weights (F,) on rows, standardised."""

    scaling: Scaling
    weights: FloatArray

    def __call__(self, rows: FloatArray) -> FloatArray:
        """Raw numbers (N,) of rows."""
        return np.asarray(self.scaling(rows) @ self.weights)

    def predict(self, source: Source) -> FloatArray:
        """Raw numbers of what was rated, or differences of the sides of pairs."""
        if isinstance(source, Ratings):
            return self(source.rows)
        return self(source.a) - self(source.b)


def learners(corpora: Corpora, encoder: Encoder) -> dict[str, Learner]:
    """Each head of the recipe, with its share, and the baseline `length`."""
    widths, axes = FEATURES.widths(encoder.dimension), read_axes(encoder)
    names, count = list(widths), len(LENGTH)
    before = sum(widths[name] for name in names[: names.index("shape")])
    parts = {"before": before, "length": count, "after": sum(widths.values()) - before - count}
    lengths = Ridge(dict.fromkeys(parts, 1_000.0), heads=(HeadRecipe(("length",)),))
    heads = {
        name: Learner(corpora, replace(RECIPE, heads=(head,)), widths, axes)
        for name, head in HEADS.items()
    }
    return {**heads, "length": Learner(corpora, lengths, parts)}


def fit_all(
    dimension: Dimension, models: Mapping[str, Learner], left_out: str | None = None
) -> dict[str, Fitted]:
    """The heads for a dimension, learnt from all corpora but one."""
    found = sources(dimension, models["all"].corpora, left_out)
    scaling = fit_scaling(found)
    return {name: one.fit(found, scaling) for name, one in models.items()}


def added(predicted: Mapping[str, FloatArray]) -> dict[str, FloatArray]:
    """Predictions of each model, of each of `CHOICES`, and of all heads as `head`."""
    sums = {", ".join(own): sum_of(predicted, own) for own in CHOICES}
    return {**predicted, **sums, "head": sum_of(predicted, HEADS)}


def sum_of(predicted: Mapping[str, FloatArray], names: Iterable[str]) -> FloatArray:
    """The sum (N,) of what some models predict."""
    return np.asarray(np.sum([predicted[name] for name in names], axis=0))


def carry_over(dimension: Dimension, models: Mapping[str, Learner]) -> Iterator[HeldOut]:
    """Held-out predictions of a dimension, corpus by corpus.

    Args:
        models: by name, see `learners`.
    """
    names = dict.fromkeys([*dimension.conversations, *dimension.turns, *dimension.pairs])
    if len(names) == 1:
        yield from _inside(dimension, models, next(iter(names)))
        return
    corpora = models["all"].corpora
    levels: Sequence[tuple[Level, Labels, Mapping[str, Table]]] = (
        ("conversation", dimension.conversations, corpora.conversations),
        ("turn", dimension.turns, corpora.turns),
    )
    for name in names:
        fitted = fit_all(dimension, models, name)
        for level, labels, tables in levels:
            if name in labels:
                table = tables[name]
                source = Ratings(name, table.rows, table.target(labels[name]), level=level)
                yield held_out(source, fitted, models["all"], "corpus", table)
        if name in dimension.pairs:
            sides = corpora.pairs[name]
            pairs = Preferences(name, sides.a, sides.b, sides.targets)
            yield held_out(pairs, fitted, models["all"], "corpus")


def held_out(
    source: Source,
    fitted: Mapping[str, Fitted],
    ridge: Learner,
    left_out: str,
    table: Table | None = None,
) -> HeldOut:
    """Predictions for a source that the heads did not see, and those of a ridge inside it (but
    for single turns).

    Args:
        table: of the source's rows; None for pairs.
    """
    clusters = np.arange(len(source.targets)) if table is None else table.clusters
    predicted = added({model: one.predict(source) for model, one in fitted.items()})
    if source.level != "turn":
        predicted["inside"] = ridge.inside(source, dealt(clusters, FOLDS))
    return _told(source, predicted, left_out, table)


def _told(
    source: Source, predicted: Mapping[str, FloatArray], left_out: str, table: Table | None
) -> HeldOut:
    """Predictions of the rows that people rated."""
    keep = np.isfinite(source.targets)
    own = {model: values[keep] for model, values in predicted.items()}
    name, target = source.corpus, source.targets[keep]
    if table is None:
        return HeldOut(name, left_out, "pair", own, target, np.arange(len(target)))
    level = source.level if isinstance(source, Ratings) else "pair"
    raters = None if table.groups is None else table.groups[keep]
    systems = table.bots[keep] if len(set(table.bots.tolist())) > 1 else None
    clusters = table.clusters[keep]
    return HeldOut(name, left_out, level, own, target, clusters, raters, systems, table.one_rater)


def _inside(dimension: Dimension, models: Mapping[str, Learner], name: str) -> Iterator[HeldOut]:
    """Cross-validation inside the one corpus that has labels."""
    corpora = models["all"].corpora
    table: Table | None
    clusters: NDArray[np.generic]
    for source in sources(dimension, corpora):
        if isinstance(source, Preferences):
            table, clusters, what = None, np.arange(len(source.targets)), "pairs"
        else:
            at_level = corpora.conversations if source.level == "conversation" else corpora.turns
            table = at_level[name]
            several = len(set(table.bots.tolist())) > 1
            clusters, what = (table.bots, "bots") if several else (table.clusters, "conversations")
        folds = dealt(clusters, min(FOLDS, len(set(clusters.tolist()))))
        predicted = added({model: one.inside(source, folds) for model, one in models.items()})
        yield _told(source, predicted, what, table)


def _take(source: Source, rows: IntArray) -> Source:
    targets = source.targets[rows]
    if isinstance(source, Ratings):
        groups = None if source.groups is None else source.groups[rows]
        return replace(source, rows=source.rows[rows], targets=targets, groups=groups)
    return replace(source, a=source.a[rows], b=source.b[rows], targets=targets)
