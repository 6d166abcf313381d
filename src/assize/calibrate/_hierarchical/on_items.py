"""A calibrator as it is used on a whole file of items: near what was fitted, or far from it.

Items of a set that was fitted are predicted at that set's levels. All others are taken as one
set, which lies where its answers say (`shift`): with an item alone in its file next to nothing is
known of where its set lies, and it is predicted nearly as if it had been among the fitted ones.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from assize.calibrate._calibrator import Abilities
from assize.calibrate._data.features import Block, Features, FloatArray
from assize.calibrate._data.forms import Scale
from assize.calibrate._hierarchical.calibrator import Hierarchical
from assize.calibrate._hierarchical.shift import Shift, at_level, carry
from assize.judgments import Unit


def on_items(
    calibrator: Hierarchical, features: Features, labels: Sequence[str | None] | None = None
) -> Hierarchical | OnItems:
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
    each = {name: calibrator.in_set(name) for name in dict.fromkeys(mine.values())}
    return OnItems(carried, each, mine)


@dataclass(frozen=True, slots=True, eq=False)
class OnItems:
    """A calibrator on a file some of whose items are of sets that were fitted."""

    others: Hierarchical  # for items of no such set
    in_sets: Mapping[str, Hierarchical]
    set_of: Mapping[Unit, str]

    @property
    def kind(self) -> str:
        """Its row in `kinds.KINDS`."""
        return self.others.kind

    @property
    def target(self) -> Scale:
        """What is predicted."""
        return self.others.target

    @property
    def blocks(self) -> tuple[Block, ...]:
        """What it reads."""
        return self.others.blocks

    @property
    def raters(self) -> tuple[str, ...]:
        """Whom it knows."""
        return self.others.raters

    @property
    def abilities(self) -> Abilities:
        """Those of the default calibrator."""
        others = self.others.abilities
        moves = None if others.at_level is None else self._at_level
        return replace(others, sample=self.sample, on_items=None, at_level=moves)

    def _at_level(self, deviations: float) -> OnItems:
        return replace(self, others=at_level(self.others, deviations))

    def known(self, features: Features) -> NDArray[np.bool_]:
        """(N,) items with an answer to a question that is read."""
        return self.others.known(features)

    def probabilities(self, features: Features, raters: Sequence[int]) -> FloatArray:
        """Answers (N, R, K) of some raters, each item's in its set."""
        return self._each(features, lambda one, some: one.probabilities(some, raters), 0)

    def sample(
        self, features: Features, raters: Sequence[int], draws: int, rng: np.random.Generator
    ) -> FloatArray:
        """Answers (draws, N, R, K) under parameters drawn from each rater's posterior."""
        return self._each(features, lambda one, some: one.sample(some, raters, draws, rng), 1)

    def _each(
        self,
        features: Features,
        said: Callable[[Hierarchical, Features], FloatArray],
        axis: int,
    ) -> FloatArray:
        """What is said of the items, put together along their axis."""
        of = [self.set_of.get(unit) for unit in features.units]
        parts, rows = [], []
        for name in dict.fromkeys(of):
            here = np.flatnonzero([one == name for one in of])
            units = tuple(features.units[place] for place in here)
            some = replace(features, units=units, x=features.x[here])
            parts.append(said(self.others if name is None else self.in_sets[name], some))
            rows.append(here)
        back = np.argsort(np.concatenate(rows), kind="stable")
        return np.concatenate(parts, axis=axis).take(back, axis=axis)
