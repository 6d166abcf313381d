"""What a study of metrics and ensembles comes to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from assize.reference.study.association import Association, Unit
from assize.reference.study.data import DataSet, Ratings
from assize.reference.study.ensembles import Drawn, Gain, Trained
from assize.reference.study.levels import Bin, Levels
from assize.reference.study.regressions import Weights
from assize.reference.study.sources import Source
from assize.results import Result


@dataclass(frozen=True, slots=True, eq=False)
class Associated:
    """A metric with its agreement, every rating a row and every item a row."""

    name: str
    group: str
    by: Mapping[Unit, Association]

    def to_json(self) -> dict[str, Any]:
        """Figures by what a row is."""
        each: dict[str, Any] = {unit: one.to_json() for unit, one in self.by.items()}
        return {"metric": self.name, "group": self.group, **each}


@dataclass(frozen=True, slots=True, eq=False)
class Learnt:
    """An ensemble's predictions of a data set, with their agreement.

    Args:
        gain: against the best single metric; None of that metric itself.
    """

    trained: Trained
    by: Mapping[Unit, Association]
    gain: Gain | None

    def to_json(self, data: str) -> dict[str, Any]:
        """Figures by what a row is."""
        on = self.trained.on
        return {
            "learner": self.trained.learner,
            "trained_on": on or "the others",
            "cross_validated": on == data,
            **{unit: one.to_json() for unit, one in self.by.items()},
            "gain": None if self.gain is None else self.gain.to_json(),
        }


@dataclass(frozen=True, slots=True, eq=False)
class Studied:
    """A data set with one target.

    Args:
        ratings: people's.
        metrics, learnt: metrics, and ensembles from wherever they were fitted.
        levels, bins: by how far people agree, nested and exclusive.
        sources: by who wrote the candidates.
        weights: regressions on all metrics.
        tree: one of the trees of an ensemble; None where none has any.
        folded: whether there are conversations enough for folds.
    """

    data: DataSet
    target: str
    ratings: Ratings
    metrics: Sequence[Associated]
    learnt: Sequence[Learnt]
    levels: Levels
    bins: Sequence[Bin]
    sources: Sequence[Source]
    weights: Weights
    tree: Drawn | None
    folded: bool

    @property
    def conversations(self) -> int:
        """Of the items with a rating."""
        rated = ~np.isnan(self.ratings.means)
        return len(set(self.data.conversations[rated].tolist()))

    def to_json(self) -> dict[str, Any]:
        """All figures."""
        return {
            "data": self.data.name,
            "simulated": self.data.simulated,
            "target": self.target,
            "items": len(self.ratings),
            "ratings": len(self.ratings.rows[0]),
            "raters": len(self.ratings.values),
            "unscored_ratings": self.ratings.unscored,
            "conversations": self.conversations,
            "metrics": [one.to_json() for one in self.metrics],
            "ensembles": [one.to_json(self.data.name) for one in self.learnt],
            "agreement_levels": self.levels.to_json(),
            "agreement_bins": {one.level: one.to_json() for one in self.bins},
            "sources": {one.name: one.to_json() for one in self.sources},
            "regression": self.weights.to_json(),
            "tree": None
            if self.tree is None
            else {"learner": self.tree.learner, "root": self.tree.root.to_json()},
        }


@dataclass(frozen=True, slots=True, eq=False)
class ReferenceStudy(Result):
    """How well metrics, judges and ensembles agree with people, data set by data set.

    Args:
        rows: every target with every data set that has ratings of it.
        targets: names, in the order in which they are shown.
        sets: the data sets.
        train: the data set whose ensembles are applied to the others; "" where there is one.
        unit: what a row is that ensembles learn from.
        folds: of conversations.
        learners: names of the ensembles.
        told: what a reader should know.
        signature: of metrics, ratings and settings.
    """

    rows: Sequence[Studied]
    targets: Sequence[str]
    sets: Sequence[DataSet]
    train: str
    unit: Unit
    folds: int
    learners: Sequence[str]
    told: Sequence[str]
    signature: str

    tables_from = "assize.reference.study.tables:study_tables"

    @property
    def lines(self) -> Sequence[str]:
        """What makes the study reproducible."""
        return [self.signature]

    @property
    def notes(self) -> Sequence[str]:
        """What a reader should know of data and figures."""
        return self.told

    @property
    def missing(self) -> tuple[int, int]:
        """Values of metrics that rated items lack, and how many there would be."""
        lost = sum(int(np.isnan(one.values).sum()) for data in self.sets for one in data.columns)
        return lost, sum(len(data) * len(data.columns) for data in self.sets)

    @property
    def simulated(self) -> bool:
        """Whether any of the data are simulated."""
        return any(data.simulated for data in self.sets)

    def of(self, target: str) -> list[Studied]:
        """The data sets with ratings of a target."""
        return [one for one in self.rows if one.target == target]

    def row(self, target: str, data: str | None = None) -> Studied:
        """One target on one data set, the first by default."""
        return next(one for one in self.of(target) if data in (None, one.data.name))

    def to_json(self) -> dict[str, Any]:
        """Every figure, by target and data set."""
        return {
            "rows": [one.to_json() for one in self.rows],
            "targets": list(self.targets),
            "data": [one.name for one in self.sets],
            "trained_on": self.train or None,
            "learnt_from": self.unit,
            "folds": self.folds,
            "learners": list(self.learners),
            "notes": list(self.told),
            "signature": self.signature,
        }
