"""Predicted answers of sets of conversations: of tables of their own, or split from one."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from assize.agreement.membership import group_units, unit_labels
from assize.calibration.data.features import Features, FloatArray
from assize.calibration.data.forms import IntArray
from assize.calibration.fitted import FittedCalibrator
from assize.conversation import Item
from assize.judgments import Unit


@dataclass(frozen=True, slots=True, eq=False)
class PredictedSets:
    """What `compare_sets` compares."""

    probabilities: FloatArray  # (N, R, K) predicted answers
    names: tuple[str | None, ...]  # (N,) the set of each row; None for those of no set
    # (N,) what each row is about; rows of two sets with one key are compared in pairs
    keys: tuple[Hashable, ...]

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
    """Predicts all tables, each a set of its own, or split by what their conversations are."""
    known = list(items)
    units: list[Unit] = []
    names: list[str | None] = []
    found = []
    for name, features in tables.items():
        groups = unit_labels(fitted.fields, features.units, known)
        found.append(fitted.probabilities(features, raters, groups))
        units += features.units
        names += [name] * len(features.units)
    keys: Sequence[Hashable] = [item for item, _ in units]
    if by is not None:
        grouping = group_units(units, by, known)
        names, keys = list(grouping.names), grouping.rest
    if unpaired:
        keys = list(zip(names, keys, strict=True))
    return PredictedSets(np.concatenate(found), tuple(names), tuple(keys))
