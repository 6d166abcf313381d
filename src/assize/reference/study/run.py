"""A whole study: every data set with every target, by every figure."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from assize.reference.study.association import UNITS, Association, Unit, associate
from assize.reference.study.data import DataSet
from assize.reference.study.ensembles import (
    BEST,
    SHOWN,
    Learner,
    Trained,
    best_metric,
    conversation_folds,
    cross_validated,
    drawn_tree,
    fitted,
    gain,
    transferred,
)
from assize.reference.study.levels import bins_of, levels_of
from assize.reference.study.reading import LEARNT
from assize.reference.study.regressions import weights_of
from assize.reference.study.sources import sources_of
from assize.reference.study.studied import Associated, Learnt, ReferenceStudy, Studied
from assize.signature import sign
from assize.stats.arrays import IntArray
from assize.version import __version__


@dataclass(frozen=True, slots=True)
class Settings:
    """How a study is made.

    Args:
        learners: names of ensembles; () for none.
        train: the data set that ensembles are fitted on and taken to the others.
        unit: what a row is that ensembles learn from.
        folds: of conversations; each is held out once.
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
    how = replace(how, train=how.train or (sets[0].name if len(sets) > 1 else ""))
    targets = list(dict.fromkeys(name for data in sets for name in data.ratings))
    rows = []
    for target in targets:
        rated = [data for data in sets if target in data.ratings and len(data.ratings[target])]
        for data in rated:
            rows.append(_studied(data, target, rated, how))
            tick(1)
    told = [
        f"{data.title}: simulated; no person rated anything and no model said anything"
        for data in sets
        if data.simulated
    ]
    told += [note for data in sets for note in data.notes]
    told += [
        f"{data.title}: {one.name} is learnt; on items that it was fitted on it looks better than"
        " it is"
        for data in sets
        for one in data.columns
        if one.group == LEARNT
    ]
    told += [note for one in rows for note in _told(one, how)]
    return ReferenceStudy(
        rows=rows,
        targets=targets,
        sets=list(sets),
        train=how.train,
        unit=how.unit,
        folds=how.folds,
        learners=list(how.learners),
        told=list(dict.fromkeys(told)),
        signature=_signature(sets, how),
    )


def _studied(data: DataSet, target: str, rated: Sequence[DataSet], how: Settings) -> Studied:
    ratings = data.ratings[target]
    fold = conversation_folds(data, how.folds, how.seed)
    learnt = list(_learnt(data, target, rated, fold, how))
    metrics = [
        Associated(one.name, one.group, _both(data, target, one, fold)) for one in data.columns
    ]
    own = [one.trained.column for one in learnt if one.trained.on == data.name]
    return Studied(
        data=data,
        target=target,
        ratings=ratings,
        metrics=metrics,
        learnt=learnt,
        levels=levels_of(ratings, data, [*data.columns, *own]),
        bins=bins_of(ratings, data),
        sources=sources_of(ratings, data),
        weights=weights_of(ratings, data),
        tree=drawn_tree(how.learners, data, target, how.unit, how.seed),
        folded=fold is not None,
    )


def _both(
    data: DataSet, target: str, column: Any, fold: IntArray | None
) -> dict[Unit, Association]:
    return {unit: associate(column, data.ratings[target], data, unit, fold) for unit in UNITS}


def _learnt(
    data: DataSet, target: str, rated: Sequence[DataSet], fold: IntArray | None, how: Settings
) -> list[Learnt]:
    """Every learner, cross-validated and brought from elsewhere, beside the best metric."""
    if not how.learners:
        return []
    found: list[list[Trained]] = []
    learners = {BEST: best_metric, **{name: fitted(name) for name in how.learners}}
    others = [one for one in rated if one is not data]
    train = next((one for one in rated if one.name == how.train), None)

    def each(of: Callable[[str, Learner], Trained]) -> None:
        found.append([of(name, learner) for name, learner in learners.items()])

    asked = data, target, how.unit, how.seed
    each(lambda name, fit: cross_validated(name, fit, data, target, fold, how.unit, how.seed))
    if train is not None and train is not data:
        each(lambda name, fit: transferred(name, fit, [train], *asked, on=train.name))
    if others and others != [train]:
        each(lambda name, fit: transferred(name, fit, others, *asked))
    return [
        Learnt(
            one,
            _both(data, target, one.column, fold),
            None
            if one.learner == BEST
            else gain(one, some[0], data, target, permutations=how.permutations, seed=how.seed),
        )
        for some in found
        for one in some
    ]


def _told(found: Studied, how: Settings) -> list[str]:
    """What a reader should know of one data set and target."""
    said = []
    name = f"{found.data.name}, {found.target}"
    if found.levels.reason is not None:
        said.append(f"{name}: no figure by agreement between people: {found.levels.reason}")
    if not found.folded:
        said.append(
            f"{name}: no standard error over folds: {len(set(found.data.conversations))}"
            f" conversations are too few for {how.folds} folds"
        )
    for one in found.learnt:
        if one.trained.reason is not None:
            said.append(f"{name}: no {one.trained.learner}: {one.trained.reason}")
    return said


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
