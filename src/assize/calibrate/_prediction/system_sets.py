"""Predicted answers of sets of conversations: of tables of their own, or split from one."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from assize.base.conversation import Item
from assize.calibrate._data.features import Features, FloatArray
from assize.calibrate._fitted import FittedCalibrator
from assize.calibrate._prediction.compare_systems import PredictedSet
from assize.judgments.membership import Labels, group_units, unit_labels


def predict_sets(
    fitted: FittedCalibrator,
    tables: Mapping[str, Features],
    raters: Sequence[int],
    *,
    items: Iterable[Item] = (),
    by: str | None = None,
    unpaired: bool = False,
) -> dict[str, PredictedSet]:
    """Predict all tables, each a set of its own, or split by what their conversations are.

    Every set lies where its own answers say; rows of no set are left out.
    """
    known = list(items)
    sets: dict[str, PredictedSet] = {}
    for table, features in tables.items():
        labels = unit_labels(fitted.fields, features.units, known)
        names: Sequence[str | None] = [table] * len(features.units)
        about: Sequence[Hashable] = [item for item, _ in features.units]
        if by is not None:
            split = group_units(features.units, by, known)
            names = split.names
            about = split.rest
        for name in dict.fromkeys(name for name in names if name is not None):
            rows = np.flatnonzero([one == name for one in names])
            some = features.take(rows)
            theirs = {field: tuple(label[row] for row in rows) for field, label in labels.items()}
            there = fitted.for_items(some, known)
            sets[name] = PredictedSet(
                there.probabilities(some, raters, theirs),
                _by_level(there, some, raters, theirs),
                [(name, about[row]) if unpaired else about[row] for row in rows.tolist()],
            )
    return sets


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
