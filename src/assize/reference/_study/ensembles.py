"""Mixtures of metrics, judged on conversations and data sets that they were not fitted on.

In its own data set a learner's predictions are cross-validated, all turns of a conversation in
one fold; in another they are of a fit on all of the first. The learners are those of
`assize reference fit`, from `ensemble/models/learners.py`; to add one, see there.

Source: UPHELD, appendix I and tables 9-11: 5 folds, 20% held out; trained on one data set and
applied to the others. Differs: folds are of conversations, not of rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

import numpy as np

from assize import stats
from assize.base.errors import DataError
from assize.reference._ensemble.examples import Examples, weigh_corpora
from assize.reference._ensemble.fitting import fit_best_metric, fit_examples
from assize.reference._ensemble.sample import MOST_LACKING
from assize.reference._ratings import Unit
from assize.reference._study.data import Column as Metric
from assize.reference._study.data import DataSet, Mask
from assize.reference._study.trees import Node, tree_of
from assize.results import Column, Estimate, Hidden, PValue
from assize.stats._arrays import FloatArray, IntArray
from assize.stats._studies import folds_of

BEST = "best metric"
ENSEMBLES = "Ensembles"
NO_METRIC = "there is no metric that nearly all items have and that tells any apart"


PUBLISHED = ("linear", "paper-svm", "paper-forest")
OURS = ("blend", "robust")
SHOWN = (*PUBLISHED, *OURS)
"""What is fitted by default: UPHELD's three, and ours for one corpus and for others."""


def conversation_folds(data: DataSet, count: int, seed: int) -> IntArray | None:
    """(N,) the fold of each item; None where there are fewer conversations than folds."""
    try:
        found = folds_of(
            list(data.items),
            folds=count,
            seeds=seed + 1,
            groups=data.conversations.tolist(),
            by="conversation",
        )
    except DataError:
        return None
    return found.of(seed)


@dataclass(frozen=True, slots=True, eq=False)
class Predictions:
    """What one model predicts of a data set.

    Args:
        model: its name, or `BEST` for the best single metric.
        trained_on: the data set it was fitted on; its own name where it is cross-validated, "" for
            all the others together.
        values: (N,); NaN where there is none.
        reason: why there are none at all; None where there are.
    """

    model: str
    trained_on: str
    values: FloatArray
    reason: str | None = None

    @property
    def column(self) -> Metric:
        """The predictions as a metric."""
        return Metric(self.model, ENSEMBLES, "number", (), self.values)


def predict_by(model: str, examples: Examples, metrics: FloatArray) -> FloatArray:
    """(m,) what a model predicts of rows (m, M); NaN where one lacks a metric."""
    if model == BEST:
        return fit_best_metric(examples).predict(metrics)
    fit = fit_examples(examples, model)
    predicted = np.full(len(metrics), np.nan)
    complete = ~np.isnan(metrics).any(axis=1)
    if complete.any():
        predicted[complete] = fit.predict(metrics[complete])
    return predicted


def cross_validate(
    model: str, data: DataSet, target: str, fold: IntArray | None, unit: Unit, seed: int
) -> Predictions:
    """Predict each fold of conversations by a model fitted on the others.

    Args:
        fold: (N,) fold of each item; None where there are too few conversations.
    """
    names = usable(data)
    predicted = np.full(len(data), np.nan)
    if fold is None or not names:
        reason = "too few conversations for the folds" if fold is None else NO_METRIC
        return Predictions(model, data.name, predicted, reason)
    metrics = data.matrix(names)
    for number in np.unique(fold):
        held = fold == number
        examples = examples_of(data, target, names, unit, seed, ~held)
        if len(np.unique(examples.target)) > 1:
            predicted[held] = predict_by(model, examples, metrics[held])
    return Predictions(model, data.name, predicted)


def transfer(
    model: str,
    sources: Sequence[DataSet],
    data: DataSet,
    target: str,
    unit: Unit,
    seed: int,
    trained_on: str = "",
) -> Predictions:
    """Predict a data set by a model fitted on others, from the metrics that all of them have.

    Where several data sets are fitted on, each counts alike, and its ratings are standardised:
    their scales may differ.
    """
    names = [name for name in usable(data) if all(name in usable(source) for source in sources)]
    nothing = np.full(len(data), np.nan)
    if not names:
        return Predictions(model, trained_on, nothing, "the data sets have no metric in common")
    parts = [examples_of(source, target, names, unit, seed) for source in sources]
    corpus = np.repeat(np.arange(len(parts)), [len(part.target) for part in parts])
    y = np.concatenate([part.target for part in parts])
    if len(parts) > 1:
        scaled = [(one.target - one.target.mean()) / (one.target.std() or 1.0) for one in parts]
        y = np.concatenate(scaled)
    if len(np.unique(y)) < 2:
        reason = "the ratings to learn from are constant"
        return Predictions(model, trained_on, nothing, reason)
    metrics, weights = np.concatenate([part.metrics for part in parts]), weigh_corpora(corpus)
    groups = np.concatenate([part.groups for part in parts]) + corpus * len(y)
    examples = Examples(metrics, y, groups, corpus, weights, seed)
    return Predictions(model, trained_on, predict_by(model, examples, data.matrix(names)))


def usable(data: DataSet) -> list[str]:
    """The columns that ensembles read, by name: those that change, and that hardly any item lacks.

    Items that lack most columns, such as those without a reference, say nothing about these.
    """
    metrics = data.metrics
    if not metrics:
        return []
    lacking = np.isnan(data.matrix([one.name for one in metrics]))
    measured = lacking.mean(axis=1) <= 0.5
    return [
        one.name
        for one, absent in zip(metrics, lacking.T, strict=True)
        if measured.any()
        and absent[measured].mean() <= MOST_LACKING
        and np.nanmax(one.values) > np.nanmin(one.values)
    ]


def examples_of(
    data: DataSet,
    target: str,
    names: Sequence[str],
    unit: Unit,
    seed: int,
    kept: Mask | None = None,
) -> Examples:
    """The ratings, or the means of items, that have all of some metrics.

    Args:
        kept: (N,) the items to learn from; all when None.
    """
    metrics, ratings = data.matrix(names), data.ratings[target]
    complete = np.asarray(~np.isnan(metrics).any(axis=1) & (True if kept is None else kept))
    rated = ratings.rows(unit)
    rows = rated.take(complete[rated.item])
    groups = np.unique(data.conversations[rows.item], return_inverse=True)[1].astype(np.int64)
    alone = np.zeros(len(rows.item), dtype=np.int64)
    return Examples(metrics[rows.item], rows.value, groups, alone, np.ones(len(alone)), seed)


OTHERS = "the others"
"""What an ensemble is trained on that is fitted on all other data sets."""


@dataclass(frozen=True, slots=True)
class Gain:
    """A learner against the best single metric, which was chosen on what the learner saw.

    Args:
        trained_on: the data set it was fitted on; None where it is cross-validated in its own.
        best_metric, r: Pearson with the items' mean ratings, on items that both have a value for.
        gain: `r` less `best_metric`, paired, with an interval clustered by conversation.
        relative_gain: as a share of the best metric's figure; NaN where that is not above 0.
        p: of the two being exchangeable, conversation by conversation.
    """

    target: str
    data: str | None
    ensemble: str
    trained_on: str | None
    best_metric: Annotated[Estimate, Column("best", ends="none")]
    r: Annotated[Estimate, Column(ends="none")]
    gain: Annotated[Estimate, Column(signed=True)]
    relative_gain: Hidden[float]
    p: PValue


def gain(
    trained: Predictions,
    best: Predictions,
    data: DataSet,
    target: str,
    *,
    permutations: int,
    seed: int,
) -> Gain:
    """A learner against the best metric, on the same held-out items."""
    # Standardised, so that exchanging the two mixes no units.
    first, second = (standardise(model.values) for model in (trained, best))
    compared = stats.compare(
        first,
        second,
        data.ratings[target].means,
        measure="pearson",
        clusters=data.conversations,
        permutations=permutations,
        rng=np.random.default_rng([seed, 11]),
    )
    low = compared.second.estimate
    return Gain(
        target,
        data.label,
        trained.model,
        None if trained.trained_on == data.name else trained.trained_on or OTHERS,
        compared.second,
        compared.first,
        compared.difference,
        compared.difference.estimate / low if low > 0 else float("nan"),
        compared.test.p_value,
    )


def standardise(values: FloatArray) -> FloatArray:
    """(N,) of mean 0 and deviation 1; a constant as it is."""
    deviation = float(np.nanstd(values)) if not np.isnan(values).all() else 0.0
    return (values - np.nanmean(values)) / deviation if deviation > 0 else values


TREES = ("paper-tree", "paper-forest", "extra-trees")
"""Learners of which a tree is drawn, the first that is asked for."""


@dataclass(frozen=True, slots=True)
class FittedTree:
    """One tree, fitted on all items of a data set.

    Args:
        learner: whose first tree it is.
    """

    target: str
    data: str | None
    learner: str
    root: Node


def drawn_tree(
    learners: Sequence[str], data: DataSet, target: str, unit: Unit, seed: int
) -> FittedTree | None:
    """The first tree of a learner that has some, or None where none has."""
    name = next((one for one in TREES if one in learners), None)
    names = usable(data)
    if name is None or not names:
        return None
    examples = examples_of(data, target, names, unit, seed)
    if len(np.unique(examples.target)) < 2:
        return None
    items = data.matrix(names)[~np.isnan(data.ratings[target].means)]
    complete = items[~np.isnan(items).any(axis=1)]
    root = tree_of(fit_examples(examples, name), names, complete)
    return FittedTree(target, data.label, name, root)
