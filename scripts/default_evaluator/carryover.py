"""Does a head carry over? Each corpus is left out once and predicted from the others.

Beside the head stand two baselines, learnt in the same way from the same data: one that
sees only lengths, one that sees only the shape features. A dimension that has labels in
one corpus only is cross-validated inside it, leaving out bots, conversations or pairs.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from assize.evaluator.features import turns
from assize.evaluator.features.surface import LENGTH, FloatArray
from assize.evaluator.heads.linear import Scaling
from assize.evaluator.heads.ridge import (
    Preferences,
    Ratings,
    Ridge,
    Source,
    fit_scaling,
    fit_weights,
)
from assize.stats import Estimate, bootstrap_of, share, spearman
from assize.stats.arrays import IntArray
from assize.stats.resampling import Interval
from assize.studies import Folds, Method, Predict, cross_fit, dealt, one_out

from .recipe import Corpora, Dimension, sources

MODELS = ("head", "shape", "length")
FOLDS = 10


@dataclass(frozen=True, slots=True, eq=False)
class HeldOut:
    """Predictions for rows that the models did not see.

    Args:
        corpus: what was left out.
        left_out: in words: the corpus, or what was left out within it.
        level: `conversation`, `turn` or `pair`.
        predicted: by model (`MODELS`), (N,); of a pair A less B.
        target: (N,); of a pair +1, 0, -1.
        clusters: (N,) what the interval rests on.
        groups: (N,) raters, for the correlation within raters; None where unknown.
    """

    corpus: str
    left_out: str
    level: str
    predicted: dict[str, FloatArray]
    target: FloatArray
    clusters: NDArray[np.generic]
    groups: NDArray[np.generic] | None = None

    def measure(self, model: str = "head") -> Estimate:
        """Spearman's correlation; of pairs the share with the right sign."""
        values = self.predicted[model]
        if self.level == "pair":
            return share((np.sign(values) == self.target).astype(float), clusters=self.clusters)
        return spearman(values, self.target, clusters=self.clusters)

    def within(self, model: str = "head") -> Estimate | None:
        """The correlation after each rater's mean is taken out of both."""
        if self.groups is None:
            return None
        values = [without_means(part, self.groups) for part in (self.predicted[model], self.target)]
        return spearman(*values, clusters=self.clusters)

    def lowest(self, part: float = 0.25) -> Estimate:
        """Of the rows predicted lowest, the share that people put among their lowest too.

        `part` is the share of rows on both sides; `chance` is what to compare it with.
        """
        cut = np.quantile(self.predicted["head"], part)
        flagged = self.predicted["head"] <= cut
        poor = self.target <= np.quantile(self.target, part)
        return share(poor[flagged].astype(float), clusters=self.clusters[flagged])

    def chance(self, part: float = 0.25) -> float:
        """The share of all rows among the lowest by people: above `part` where labels tie."""
        return float(np.mean(self.target <= np.quantile(self.target, part)))

    def gain(self, baseline: str, rng: np.random.Generator) -> Estimate:
        """How much better the head is than a baseline, on the same rows."""
        pair = self.level == "pair"

        def difference(head: FloatArray, other: FloatArray, target: FloatArray) -> float:
            if pair:
                right = (np.sign(one) == target for one in (head, other))
                return float(np.subtract(*(np.mean(one) for one in right)))
            return _spearman(head, target) - _spearman(other, target)

        columns = (self.predicted["head"], self.predicted[baseline], self.target)
        how = Interval("percentile", resamples=400)
        return bootstrap_of(difference, columns, rng=rng, clusters=self.clusters, how=how)


def _spearman(one: FloatArray, two: FloatArray) -> float:
    from scipy.stats import rankdata

    return float(np.corrcoef(rankdata(one), rankdata(two))[0, 1])


def without_means(values: FloatArray, groups: NDArray[np.generic]) -> FloatArray:
    """Values (N,) less the mean of their group."""
    codes = np.unique(groups, return_inverse=True)[1].reshape(-1)
    return np.asarray(values - (np.bincount(codes, values) / np.bincount(codes))[codes])


def visible(model: str, dimension: int) -> NDArray[np.bool_]:
    """Which features a model may see, (F,)."""
    names = turns.names(dimension)
    if model == "head":
        return np.ones(len(names), dtype=bool)
    if model == "shape":
        return np.array([name.startswith("shape.") for name in names])
    return np.array([name.removeprefix("shape.") in LENGTH for name in names])


def carry_over(
    dimension: Dimension, corpora: Corpora, width: int, ridge: Ridge | None = None
) -> Iterator[HeldOut]:
    """Held-out predictions of a dimension, corpus by corpus.

    Args:
        width: the encoder's dimension D.
        ridge: the penalties; the default's when None.
    """
    names = dict.fromkeys([*dimension.conversations, *dimension.turns, *dimension.pairs])
    if len(names) == 1:
        yield from _inside(dimension, corpora, next(iter(names)), width, ridge)
        return
    for name in names:
        models = _fitted(sources(dimension, corpora, left_out=name), width, ridge)
        for level, tables, wanted in (
            ("conversation", corpora.conversations, dimension.conversations),
            ("turn", corpora.turns, dimension.turns),
        ):
            if name in wanted:
                table = tables[name]
                target = table.target(wanted[name])
                keep = np.isfinite(target)
                predicted = {
                    model: scaling(table.rows[keep]) @ weights
                    for model, (scaling, weights) in models.items()
                }
                groups = None if table.groups is None else table.groups[keep]
                yield HeldOut(
                    name, "corpus", level, predicted, target[keep], table.clusters[keep], groups
                )


def _fitted(
    found: Sequence[Source], width: int, ridge: Ridge | None
) -> dict[str, tuple[Scaling, FloatArray]]:
    scaling = fit_scaling(found)
    return {
        model: (scaling, fit_weights(found, scaling, width, ridge, visible(model, width)))
        for model in MODELS
    }


def _inside(
    dimension: Dimension, corpora: Corpora, name: str, width: int, ridge: Ridge | None
) -> Iterator[HeldOut]:
    """Cross-validation inside the one corpus that has labels."""
    for source in sources(dimension, corpora):
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
        yield HeldOut(
            name,
            what,
            level,
            {
                model: cross_fit(_method(model, width, ridge), source, Folds(fold[None]))[0, keep]
                for model in MODELS
            },
            target[keep],
            clusters[keep],
            None if groups is None else groups[keep],
        )


def _in_turn(labels: NDArray[np.generic]) -> IntArray:
    return dealt(labels, min(FOLDS, len(set(labels.tolist()))))


def _method(model: str, width: int, ridge: Ridge | None) -> Method[Source]:
    """One of `MODELS`, learning from rows of a source."""

    def fit(source: Source, rows: IntArray, seed: int) -> Predict[Source]:
        some = [_rows(source, rows)]
        scaling = fit_scaling(some)
        weights = fit_weights(some, scaling, width, ridge, visible(model, width))
        return lambda source, rows: _predict(_rows(source, rows), scaling, weights)

    return fit


def _rows(source: Source, keep: IntArray) -> Source:
    if isinstance(source, Ratings):
        groups = None if source.groups is None else source.groups[keep]
        return replace(source, rows=source.rows[keep], targets=source.targets[keep], groups=groups)
    return replace(source, a=source.a[keep], b=source.b[keep], targets=source.targets[keep])


def _predict(source: Source, scaling: Scaling, weights: FloatArray) -> FloatArray:
    if isinstance(source, Ratings):
        return np.asarray(scaling(source.rows) @ weights)
    return np.asarray((scaling(source.a) - scaling(source.b)) @ weights)


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a dimension may ship, and by how much it beats each baseline on average.

    The gain is the mean over what was held out, with a normal interval from the
    bootstrap intervals of the parts.
    """

    ships: bool
    gains: dict[str, tuple[float, float, float]]  # estimate, lower, upper


def verdict(found: Sequence[HeldOut], rng: np.random.Generator) -> Verdict:
    """A dimension ships where the head beats both baselines: on average with its interval
    above 0, and in every single thing that was held out."""
    gains, everywhere = {}, True
    for baseline in MODELS[1:]:
        parts = [one.gain(baseline, rng) for one in found]
        everywhere = everywhere and all(part.estimate > 0 for part in parts)
        middle = float(np.mean([part.estimate for part in parts]))
        half = [(part.interval[1] - part.interval[0]) / 2 for part in parts]
        reach = float(np.sqrt(np.sum(np.square(half)))) / len(parts)
        gains[baseline] = (middle, middle - reach, middle + reach)
    return Verdict(everywhere and all(low > 0 for _, low, _ in gains.values()), gains)
