"""Mixtures of metrics, judged on conversations and data sets that they were not fitted on.

In its own data set a learner's predictions are cross-validated, all turns of a conversation in
one fold; in another they are of a fit on all of the first. The learners are those of
`assize reference fit`, from `ensemble/models/learners.py`; to add one, see there.

Source: UPHELD, appendix I and tables 9-11: 5 folds, 20% held out; trained on one data set and
applied to the others. Differs: folds are of conversations, not of rows.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Annotated

import numpy as np

from assize import stats
from assize.base.errors import DataError
from assize.reference._ensemble.fitting import choose_metric, fit_rows
from assize.reference._ensemble.sample import MOST_LACKING
from assize.reference._ratings import Ratings
from assize.reference._study.association import Unit
from assize.reference._study.data import Column as Metric
from assize.reference._study.data import DataSet, Mask, Names
from assize.reference._study.trees import Node, tree_of
from assize.results import Column, Estimate, Hidden, PValue
from assize.stats._arrays import FloatArray, IntArray
from assize.stats._studies import folds_of


@dataclass(frozen=True, slots=True, eq=False)
class Training:
    """Rows that a learner is fitted on: ratings, or the means of items.

    Args:
        x: (n, M) metrics.
        y: (n,) ratings; those of several data sets each of mean 0 and deviation 1.
        conversations: (n,) names.
        source: (n,) place of the data set that a row is of.
        seed: of what is random.
    """

    x: FloatArray
    y: FloatArray
    conversations: Names
    source: IntArray
    seed: int

    @property
    def weights(self) -> FloatArray:
        """(n,) each data set counts alike; the mean is 1."""
        counts = np.bincount(self.source)
        return len(self.y) / (len(counts) * counts[self.source])


Predicts = Callable[[FloatArray], FloatArray]
"""(m, M) -> (m,), NaN for none."""
Learner = Callable[[Training], Predicts]

BEST = "best metric"
ENSEMBLES = "Ensembles"
NO_METRIC = "there is no metric that nearly all items have and that tells any apart"


def best_metric(rows: Training) -> Predicts:
    """The one metric with the largest Pearson correlation in the rows it is fitted on, the mean
    over data sets where there are several.

    In standard deviations from its mean there, so that folds whose best metrics differ can be
    put together.
    """
    at, r = choose_metric(rows.x, rows.y, rows.source)
    if not r:
        return lambda x: np.full(len(x), np.nan)
    middle, deviation = float(np.nanmean(rows.x[:, at])), float(np.nanstd(rows.x[:, at]))
    unit = deviation if r > 0 else -deviation
    return lambda x: (x[:, at] - middle) / unit


def fitted(name: str) -> Learner:
    """One of the learners of `assize reference fit`."""

    def fit(rows: Training) -> Predicts:
        groups = np.unique(rows.conversations, return_inverse=True)[1].astype(np.int64)
        of = fit_rows(rows.x, rows.y, groups, name, weights=rows.weights, seed=rows.seed)
        return whole(of.predict)

    return fit


def whole(predict: Predicts) -> Predicts:
    """The predictions of rows (m, M) that lack no metric; NaN of the others."""

    def predicted(x: FloatArray) -> FloatArray:
        said = np.full(len(x), np.nan)
        kept = ~np.isnan(x).any(axis=1)
        if kept.any():
            said[kept] = predict(x[kept])
        return said

    return predicted


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
class Trained:
    """What a learner says of a data set.

    Args:
        learner: its name.
        on: the data set it was fitted on; its own name where it is cross-validated, "" for all
            the others together.
        values: its predictions (N,).
        reason: why there are none; None where there are.
    """

    learner: str
    on: str
    values: FloatArray
    reason: str | None = None

    @property
    def column(self) -> Metric:
        """The predictions as a metric."""
        return Metric(self.learner, ENSEMBLES, "number", (), self.values)


def cross_validated(
    name: str,
    learner: Learner,
    data: DataSet,
    target: str,
    fold: IntArray | None,
    unit: Unit,
    seed: int,
) -> Trained:
    """Predictions of each fold by a fit on the others."""
    ratings = data.ratings[target]
    x = data.matrix(usable(data))
    said = np.full(len(data), np.nan)
    if fold is None or not x.shape[1]:
        reason = "too few conversations for the folds" if fold is None else NO_METRIC
        return Trained(name, data.name, said, reason)
    for one in np.unique(fold):
        item, y = _training(ratings, unit, x, fold != one)
        if len(np.unique(y)) > 1:
            alone = np.zeros(len(y), dtype=np.int64)
            rows = Training(x[item], y, data.conversations[item], alone, seed)
            predict = learner(rows)
            held = fold == one
            said[held] = predict(x[held])
    return Trained(name, data.name, said)


def transferred(
    name: str,
    learner: Learner,
    sources: Sequence[DataSet],
    data: DataSet,
    target: str,
    unit: Unit,
    seed: int,
    on: str = "",
) -> Trained:
    """Predictions by a fit on other data sets, from the metrics that all of them have.

    Where several data sets are fitted on, each counts alike, and its ratings are standardised:
    their scales may differ.
    """
    lists = [usable(each) for each in (*sources, data)]
    common = [name for name in lists[-1] if all(name in own for own in lists)]
    nothing = np.full(len(data), np.nan)
    if not common:
        return Trained(name, on, nothing, "the data sets have no metric in common")
    xs, ys, clusters = [], [], []
    for source in sources:
        x = source.matrix(common)
        item, y = _training(source.ratings[target], unit, x)
        xs.append(x[item])
        ys.append(y if len(sources) == 1 else (y - y.mean()) / (y.std() or 1.0))
        clusters.append(np.char.add(f"{source.name}/", source.conversations[item]))
    y = np.concatenate(ys)
    if len(np.unique(y)) < 2:
        return Trained(name, on, nothing, "the ratings to learn from are constant")
    of = np.repeat(np.arange(len(ys)), [len(one) for one in ys])
    rows = Training(np.concatenate(xs), y, np.concatenate(clusters), of, seed)
    return Trained(name, on, learner(rows)(data.matrix(common)))


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


def _training(
    ratings: Ratings, unit: Unit, x: FloatArray, kept: Mask | None = None
) -> tuple[IntArray, FloatArray]:
    """Rows to learn from: the place of each one's item (n,), and its rating (n,).

    Args:
        x: (N, M) metrics; an item that lacks one is left out.
        kept: (N,) the items to learn from; all when None.
    """
    complete = np.asarray(~np.isnan(x).any(axis=1))
    kept = complete if kept is None else np.asarray(complete & kept)
    if unit == "ratings":
        item, value = ratings.rows
    else:
        item = np.flatnonzero(~np.isnan(ratings.means))
        value = ratings.means[item]
    return item[kept[item]], value[kept[item]]


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
    trained: Trained, best: Trained, data: DataSet, target: str, *, permutations: int, seed: int
) -> Gain:
    """A learner against the best metric, on the same held-out items."""
    # Standardised, so that exchanging the two mixes no units.
    first, second = (_standardised(one.values) for one in (trained, best))
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
        trained.learner,
        None if trained.on == data.name else trained.on or OTHERS,
        compared.second,
        compared.first,
        compared.difference,
        compared.difference.estimate / low if low > 0 else float("nan"),
        compared.test.p_value,
    )


def _standardised(values: FloatArray) -> FloatArray:
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
    x = data.matrix(names)
    item, y = _training(data.ratings[target], unit, x)
    if len(np.unique(y)) < 2:
        return None
    groups = np.unique(data.conversations[item], return_inverse=True)[1].astype(np.int64)
    fit = fit_rows(x[item], y, groups, name, seed=seed)
    return FittedTree(target, data.label, name, tree_of(fit, names, x[np.unique(item)]))
