"""A calibrator as it is used on a whole file of items: near what was fitted, or far from it.

Items of a set that was fitted are predicted at that set's levels. All others are taken as one
set, which lies where its answers say (`shift`): with an item alone in its file next to nothing is
known of where its set lies, and it is predicted nearly as if it had been among the fitted ones.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace

import numpy as np

from assize.calibrate._data.features import Features, FloatArray
from assize.calibrate._hierarchical.calibrator import Hierarchical
from assize.calibrate._hierarchical.shift import Shift, carry
from assize.judgments import Unit


def on_items(
    calibrator: Hierarchical, features: Features, labels: Sequence[str | None] | None = None
) -> Hierarchical:
    """The calibrator for the items of a file.

    Args:
        features: of all of them; aligned with what it reads.
        labels: (N,) the set of each, where it was fitted on sets.
    """
    names = () if calibrator.sets is None else calibrator.sets.names
    of = [None] * len(features.units) if labels is None else list(labels)
    mine = {
        unit: name for unit, name in zip(features.units, of, strict=True) if name in names and name
    }
    new = np.array([unit not in mine for unit in features.units], dtype=bool)
    new &= calibrator.known(features)
    shift = Shift.of(calibrator, calibrator.design.matrix(features)[new])
    carried = carry(calibrator, shift)
    if not mine:
        return replace(carried, sets=None)
    in_sets = {name: calibrator.in_set(name) for name in dict.fromkeys(mine.values())}
    parts = {part.name: getattr(carried, part.name) for part in fields(carried)}
    return OnItems(**parts | {"sets": None}, in_sets=in_sets, set_of=mine)


@dataclass(frozen=True, slots=True, eq=False)
class OnItems(Hierarchical):
    """A calibrator on a file some of whose items are of sets that were fitted.

    Args:
        in_sets: by set, the calibrator of its items; this one is that of all others.
        set_of: the set of each item that is of one.
    """

    on_file = True

    in_sets: Mapping[str, Hierarchical] = field(default_factory=dict)
    set_of: Mapping[Unit, str] = field(default_factory=dict)

    def probabilities(self, features: Features, raters: Sequence[int]) -> FloatArray:
        """Return answers (N, R, K) of some raters, each item's in its set."""
        predict = Hierarchical.probabilities
        return self._join_sets(features, lambda model, some: predict(model, some, raters), 0)

    def sample(
        self, features: Features, raters: Sequence[int], draws: int, rng: np.random.Generator
    ) -> FloatArray:
        """Return answers (draws, N, R, K) under parameters drawn from each rater's posterior."""
        draw = Hierarchical.sample
        return self._join_sets(
            features, lambda model, some: draw(model, some, raters, draws, rng), 1
        )

    def _join_sets(
        self,
        features: Features,
        predict: Callable[[Hierarchical, Features], FloatArray],
        axis: int,
    ) -> FloatArray:
        """Return what is predicted of the items, put together along their axis."""
        sets = [self.set_of.get(unit) for unit in features.units]
        parts, rows = [], []
        for name in dict.fromkeys(sets):
            here = np.flatnonzero([label == name for label in sets])
            units = tuple(features.units[row] for row in here)
            some = replace(features, units=units, x=features.x[here])
            parts.append(predict(self if name is None else self.in_sets[name], some))
            rows.append(here)
        back = np.argsort(np.concatenate(rows), kind="stable")
        return np.concatenate(parts, axis=axis).take(back, axis=axis)
