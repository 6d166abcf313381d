"""A whole study: every data set with every target, by every figure."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from assize.base.arguments import check_range, check_word
from assize.base.signature import sign
from assize.base.version import __version__
from assize.reference._ratings import UNITS, Ratings, Unit
from assize.reference._study.association import associate
from assize.reference._study.controls import measure_controls
from assize.reference._study.data import DataSet
from assize.reference._study.ensembles import (
    BEST,
    OTHERS,
    SHOWN,
    Predictions,
    conversation_folds,
    cross_validate,
    drawn_tree,
    gain,
    transfer,
)
from assize.reference._study.levels import (
    ONE_RATER,
    accuracy_by_level,
    level_figures,
    level_shares,
)
from assize.reference._study.reading import LEARNT
from assize.reference._study.regressions import regress_ratings
from assize.reference._study.result import RatedItems, ReferenceStudy, choose_best
from assize.reference._study.sources import count_answers, measure_sources
from assize.stats._arrays import IntArray


@dataclass(frozen=True, slots=True)
class Ensembles:
    """Which ensembles a study fits, and on what.

    Args:
        models: models to fit, as in `assize reference fit`, or none (repeatable). Default: three as
            published and two of ours.
        train: data set whose ensembles are applied to the others. Default: the first.
        rows: what ensembles learn from: items (each item's mean rating) or ratings (one row each).
            Default: items.
        folds: number of folds of conversations, each held out once.

    Raises:
        ConfigError: a choice is not among those allowed.
    """

    models: str | Sequence[str] = ()
    train: str | None = None
    rows: Unit | None = None
    folds: int = 5

    def __post_init__(self) -> None:
        check_word("rows", self.rows, ("ratings", "items"))
        check_range("folds", self.folds, 2, 100)


@dataclass(frozen=True, slots=True)
class Settings:
    """How a study is made.

    Args:
        learners: names of ensembles; () for none.
        train: the data set that ensembles are fitted on and taken to the others.
        unit: what a row is that ensembles learn from.
        folds: number of folds of conversations, each held out once.
        permutations: of the tests between ensembles and the best metric.
        seed: of folds, learners and permutations.
    """

    learners: Sequence[str] = SHOWN
    train: str = ""
    unit: Unit = "items"
    folds: int = 5
    permutations: int = 2_000
    seed: int = 0


def study(
    sets: Sequence[DataSet], how: Settings, *, tick: Callable[[int], Any] = lambda _: None
) -> ReferenceStudy:
    """Makes every figure of every data set and target.

    Args:
        tick: told of each data set and target that is done.
    """
    train = how.train or (sets[0].name if len(sets) > 1 else "")
    how = replace(how, train=train)
    targets = list(dict.fromkeys(name for data in sets for name in data.ratings))
    parts = []
    for target in targets:
        rated = [data for data in sets if target in data.ratings and len(data.ratings[target])]
        for data in rated:
            parts.append(study_target(data, target, rated, how))
            tick(1)
    tables: dict[str, list[Any]] = {
        name: [row for rows, _ in parts for row in rows[name]] for name in parts[0][0]
    }
    notes = [*note_sets(sets), *(note for _, notes in parts for note in notes)]
    return ReferenceStudy(
        **tables,
        continuations=sum(map(len, sets)),
        ratings=sum(row.ratings for row in tables["rated"]),
        targets=targets,
        data=[data.name for data in sets],
        trained_on=train or None,
        learnt_from=how.unit,
        folds=how.folds,
        learners=list(how.learners),
        sets=list(sets),
        notes=list(dict.fromkeys(notes)),
        signature=_signature(sets, how),
    )


def study_target(
    data: DataSet, target: str, rated: Sequence[DataSet], how: Settings
) -> tuple[dict[str, Sequence[Any]], list[str]]:
    """Return the rows of each table that one target on one data set gives, and notes.

    Args:
        rated: the data sets with ratings of the target.
    """
    ratings = data.ratings[target]
    fold = conversation_folds(data, how.folds, how.seed)
    trained = train_ensembles(data, target, rated, fold, how)
    models = [model for group in trained for model in group]
    figures = [
        associate(metric, ratings, data, unit, fold) for metric in data.columns for unit in UNITS
    ]
    figures += [
        associate(model.column, ratings, data, unit, fold, model.trained_on or OTHERS)
        for model in models
        for unit in UNITS
    ]
    best = choose_best(figures, data, target, how.train if how.learners else "")
    own = [model.column for model in models if model.trained_on == data.name]
    weights, explained = regress_ratings(ratings, data)
    accuracy, balanced = accuracy_by_level(ratings, data)
    tree = drawn_tree(how.learners, data, target, how.unit, how.seed)
    tables: dict[str, Sequence[Any]] = {
        "best": [best] if best.metric or best.ensemble else [],
        "gains": [
            gain(model, group[0], data, target, permutations=how.permutations, seed=how.seed)
            for group in trained
            for model in group[1:]
        ],
        "controls": measure_controls(data, target, trained[0], fold, how.unit, how.seed)
        if trained
        else [],
        "kept": level_shares(ratings, data),
        "levels": level_figures(ratings, data, [*data.columns, *own]),
        "accuracy": accuracy,
        "balanced": balanced,
        "sources": measure_sources(ratings, data),
        "answers": count_answers(ratings, data),
        "regression": weights,
        "explained": [explained],
        "figures": figures,
        "rated": [count_rated(ratings, data)],
        "trees": [] if tree is None else [tree],
    }
    return tables, note_target(data, ratings, fold, models, how)


def train_ensembles(
    data: DataSet, target: str, rated: Sequence[DataSet], fold: IntArray | None, how: Settings
) -> list[list[Predictions]]:
    """Return the best metric and every learner, for each data set that they are fitted on."""
    if not how.learners:
        return []
    models = (BEST, *how.learners)
    others = [other for other in rated if other is not data]
    train = [other for other in others if other.name == how.train]
    elsewhere = [(train, how.train)] if train else []
    elsewhere += [(others, "")] if others and others != train else []
    own = [cross_validate(name, data, target, fold, how.unit, how.seed) for name in models]
    trained = [own]
    for sources, on in elsewhere:
        trained.append(
            [transfer(name, sources, data, target, how.unit, how.seed, on) for name in models]
        )
    return trained


def count_rated(ratings: Ratings, data: DataSet) -> RatedItems:
    """Return how much people rated of a data set."""
    rated = ~np.isnan(ratings.means)
    return RatedItems(
        ratings.target,
        data.label,
        len(ratings),
        len(ratings.rows().value),
        len(ratings.values),
        ratings.unscored,
        len(set(data.conversations[rated].tolist())),
        data.simulated,
    )


def note_sets(sets: Sequence[DataSet]) -> list[str]:
    """Return what a reader should know of the data sets."""
    simulated = [
        f"{data.title}: simulated; no person rated anything and no model said anything"
        for data in sets
        if data.simulated
    ]
    learnt = [
        f"{data.title}: {metric.name} is learnt; on items that it was fitted on it looks better"
        " than it is"
        for data in sets
        for metric in data.columns
        if metric.group == LEARNT
    ]
    return [*simulated, *(note for data in sets for note in data.notes), *learnt]


def note_target(
    data: DataSet,
    ratings: Ratings,
    fold: IntArray | None,
    models: Sequence[Predictions],
    how: Settings,
) -> list[str]:
    """Return what a reader should know of one target on one data set."""
    count = len(set(data.conversations))
    notes = {
        f"no figure by agreement between people: {ONE_RATER}": not ratings.several,
        f"no standard error over folds: {count} conversations are too few for {how.folds} folds": (
            fold is None
        ),
        **{f"no {model.model}: {model.reason}": model.reason for model in models},
    }
    name = f"{data.name}, {ratings.target}"
    return [f"{name}: {note}" for note, holds in notes.items() if holds]


def _signature(sets: Sequence[DataSet], how: Settings) -> str:
    of = {
        "sets": [
            [
                data.name,
                list(data.items),
                data.conversations.tolist(),
                data.sources.tolist(),
                [
                    [one.name, one.scale, np.nan_to_num(one.values, nan=1e99).tolist()]
                    for one in data.columns
                ],
                [
                    [name, np.nan_to_num(one.values, nan=1e99).tolist()]
                    for name, one in data.ratings.items()
                ],
            ]
            for data in sets
        ],
        "settings": [list(how.learners), how.train, how.unit, how.folds, how.permutations],
        "seed": how.seed,
        "version": __version__,
    }
    names = "+".join(data.name for data in sets)
    count = sum(len(data) for data in sets)
    return (
        f"reference study|{names}|n={count}|folds={how.folds} by conversation|unit={how.unit}"
        f"|{'+'.join(how.learners) or 'no ensemble'}|seed={how.seed}|{sign(of)}"
    )
