"""Predicted answers of sets of conversations: of tables of their own, or split from one."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from assize.base.conversation import Item
from assize.calibrate._data.features import Features, FloatArray
from assize.calibrate._data.forms import IntArray
from assize.calibrate._fitted import FittedCalibrator
from assize.judgments import Unit
from assize.judgments.membership import Labels, group_units, unit_labels


@dataclass(frozen=True, slots=True, eq=False)
class PredictedSets:
    """What `compare_sets` compares."""

    probabilities: FloatArray  # (N, R, K) predicted answers
    names: tuple[str | None, ...]  # (N,) the set of each row; None for those of no set
    # (N,) what each row is about; rows of two sets with one key are compared in pairs
    keys: tuple[Hashable, ...]
    # (N, R, K) what one deviation of the level of its set, which its answers leave open, adds
    by_level: FloatArray

    @property
    def sets(self) -> Mapping[str, IntArray]:
        """Places among the rows, by name of the set."""
        return {
            name: np.flatnonzero([one == name for one in self.names])
            for name in dict.fromkeys(self.names)
            if name is not None
        }

    @property
    def left_out(self) -> int:
        """Rows of no set."""
        return self.names.count(None)


def predict_sets(
    fitted: FittedCalibrator,
    tables: Mapping[str, Features],
    raters: Sequence[int],
    *,
    items: Iterable[Item] = (),
    by: str | None = None,
    unpaired: bool = False,
) -> PredictedSets:
    """Predicts all tables, each a set of its own, or split by what their conversations are; every
    set lies where its own answers say."""
    known = list(items)
    units: list[Unit] = []
    names: list[str | None] = []
    found, tilted = [], []
    for table, features in tables.items():
        groups = unit_labels(fitted.fields, features.units, known)
        of: Sequence[str | None] = [table] * len(features.units)
        if by is not None:
            of = group_units(features.units, by, known).names
        for name in dict.fromkeys(of):
            rows = np.flatnonzero([one == name for one in of])
            some = features.take(rows)
            theirs = {field: tuple(label[row] for row in rows) for field, label in groups.items()}
            there = fitted.for_items(some, known)
            found.append(there.probabilities(some, raters, theirs))
            tilted.append(_by_level(there, some, raters, theirs))
            units += some.units
            names += [name] * len(rows)
    keys: Sequence[Hashable] = [item for item, _ in units]
    if by is not None:
        keys = group_units(units, by, known).rest
    if unpaired:
        keys = list(zip(names, keys, strict=True))
    return PredictedSets(np.concatenate(found), tuple(names), tuple(keys), np.concatenate(tilted))


def _by_level(
    there: FittedCalibrator, features: Features, raters: Sequence[int], groups: Labels
) -> FloatArray:
    """What a deviation of their set's level adds to answers (N, R, K)."""
    moved = there.used.abilities.at_level
    if moved is None:
        return np.zeros((len(features.x), len(raters), len(there.target)))
    high, low = (
        replace(there, here=moved(deviations)).probabilities(features, raters, groups)
        for deviations in (1.0, -1.0)
    )
    return (high - low) / 2
