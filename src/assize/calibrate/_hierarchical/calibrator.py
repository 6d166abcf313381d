"""What the default calibrator is, once it is fitted, and on a file of items near or far from those.

Items of a set that was fitted are predicted at that set's levels. All others are taken as one
set, which lies where its answers say (`shift`): with an item alone in its file next to nothing is
known of where its set lies, and it is predicted nearly as if it had been among the fitted ones.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from assize.base.errors import ConfigError, DataError
from assize.calibrate._calibrator import Abilities, check_names
from assize.calibrate._data.features import Block, Features, FloatArray
from assize.calibrate._data.forms import IntArray, Scale
from assize.calibrate._hierarchical.design_matrix import WIDEST, Design, is_read
from assize.calibrate._hierarchical.posterior import Posterior
from assize.calibrate._hierarchical.shift import Shift, expected, moved, with_doubt
from assize.judgments import Unit


@dataclass(frozen=True, slots=True, eq=False)
class Sets:
    """The sets of items that a calibrator was fitted on.

    Args:
        by: what tells them apart: `system`, `metadata.NAME`, or a pattern in the ids.
        posteriors: by set as `Hierarchical.posteriors`, with raters' levels in that set.
    """

    by: str
    names: tuple[str, ...]
    posteriors: tuple[tuple[Posterior, ...], ...]

    def __post_init__(self) -> None:
        if not self.names or len(set(self.names)) < len(self.names):
            raise DataError("a set stands there twice, or there is none")
        if len(self.posteriors) != len(self.names):
            raise DataError("each set needs posteriors of its own")


@dataclass(frozen=True, slots=True, eq=False)
class Hierarchical:
    """The default calibrator: hierarchical cumulative probit on log-odds.

    Args:
        design: what it makes of the features.
        posteriors: one, over the ordered answers that were given; for unordered answers
            one an answer, each against all others.
        given: places of the answers that were given, by rising value; () where all were.
        spare: probability of each ordered answer that nobody gave.
        comparisons: of choices between two items, over B, tie and A (or B and A); None where
            none were learnt from.
        sets: of items, in which raters have levels of their own; None where there are none.
        open_level: deviation of the level, common to all raters, of the set that it is used on
            (see `carried`); it is no part of what is kept.
    """

    kind = "hierarchical"  # its row in `kinds.KINDS`
    target: Scale
    blocks: tuple[Block, ...]
    raters: tuple[str, ...]
    design: Design
    posteriors: tuple[Posterior, ...]
    given: tuple[int, ...] = ()
    spare: float = 0.0
    comparisons: Posterior | None = None
    sets: Sets | None = None
    open_level: float = 0.0

    def __post_init__(self) -> None:
        check_names(self.blocks, self.raters)
        answers = len(self.given) or len(self.target)
        rising = all(a < b for a, b in pairwise((-1, *self.given, len(self.target))))
        if not rising or answers < 2 or not 0 <= self.spare * (len(self.target) - answers) < 1:
            raise DataError("the answers that were given are not the target's")
        if self.spare < 0 or self.open_level < 0:
            raise DataError("a probability or a deviation is below 0")
        steps = [answers - 1] if self.target.ordered else [1] * len(self.target)
        if self.sets is not None:
            for posteriors in self.sets.posteriors:
                self._check_posteriors(posteriors, steps)
        self._check_posteriors(self.posteriors, steps)
        if self.comparisons is not None:
            steps = [min(2, max(1, self.comparisons.steps))]
            self._check_posteriors([self.comparisons], steps)
        self._check_design()

    def _check_posteriors(self, posteriors: Sequence[Posterior], steps: Sequence[int]) -> None:
        if [one.steps for one in posteriors] != steps:
            raise DataError("the posteriors are not those of the target's answers")
        width = self.design.log_odds + self.design.late
        for one in posteriors:
            if one.mean.shape != (len(self.raters) + 1, one.steps + width):
                raise DataError(f"a posterior of shape {one.mean.shape} is not of the raters")

    def _check_design(self) -> None:
        if any(not 0 <= place < len(self.blocks) for place in self.design.applies):
            raise DataError("what applies is no block")
        late = [block.width for block in self.blocks if block.late]
        read = sum(map(is_read, self.blocks)) + len(self.design.applies)
        columns = (read, sum(late), sum(min(width, WIDEST) for width in late))
        design = self.design
        if columns != (design.log_odds, len(design.late_center), design.late):
            raise DataError("the design is not that of the blocks")

    @property
    def abilities(self) -> Abilities:
        """The population of raters is part of the model, and so is doubt about each of them."""
        return Abilities(
            unknown_raters=True,
            rated=self.posteriors[0].noise > 0,  # where choices were all, answers have none
            sample=self.sample,
            compare=None if self.comparisons is None else self.compare,
            set_by=None if self.sets is None else self.sets.by,
            at_level=self.at_level if self.open_level > 0 and self.target.ordered else None,
        )

    def for_items(
        self, features: Features, labels: Sequence[str | None] | None = None
    ) -> Hierarchical:
        """Return the calibrator for a file of items; itself where choices were all it learnt from.

        Args:
            features: of all of them; aligned with what it reads.
            labels: (N,) the set of each, where it was fitted on sets.
        """
        if not self.abilities.rated:
            return self
        names = () if self.sets is None else self.sets.names
        pairs = zip(features.units, labels or (), strict=labels is not None)
        set_of = {unit: name for unit, name in pairs if name in names and name}
        new = np.array([unit not in set_of for unit in features.units], dtype=bool)
        x = self.design.matrix(features)[new & self.known(features)]
        carried = self.carried(Shift.of(self.design, x))
        if not set_of:
            return replace(carried, sets=None)
        parts = {part.name: getattr(carried, part.name) for part in fields(carried)}
        return OnItems(**parts, set_of=set_of)

    def carried(self, shift: Shift) -> Hierarchical:
        """Return the calibrator for a set that lies so far away, nothing of which is rated."""
        posteriors = []
        for posterior in self.posteriors:
            by = expected(posterior, shift)
            posteriors.append(with_doubt(moved(posterior, shift.center, by.kept), by))
        open_level = float(np.sqrt(expected(self.posteriors[0], shift).of_set))
        return replace(self, posteriors=tuple(posteriors), open_level=open_level)

    def at_level(self, deviations: float) -> Hierarchical:
        """Return the same where its set is rated higher by so many deviations of what is open."""
        moved_by = deviations * self.open_level
        each = []
        for one in self.posteriors:
            mean, covariance = one.mean.copy(), one.covariance.copy()
            mean[:, : one.steps] -= moved_by
            covariance[:, : one.steps, : one.steps] -= self.open_level**2
            each.append(replace(one, mean=mean, covariance=covariance))
        return replace(self, posteriors=tuple(each), open_level=0.0)

    def known(self, features: Features) -> NDArray[np.bool_]:
        """(N,) items with an answer to a question that is read."""
        return features.has([is_read(block) for block in self.blocks])

    def probabilities(self, features: Features, raters: Sequence[int]) -> FloatArray:
        """Answers (N, R, K) of some raters, by place in `raters`."""
        x = self.design.matrix(features)
        found = np.empty((len(x), len(raters), len(self.target)))
        for rows, posteriors in self._by_set(features):
            for place, rater in enumerate(raters):
                each = [one.probabilities(x[rows], rater) for one in posteriors]
                found[rows, place] = self._joined(each)
        return found

    def sample(
        self, features: Features, raters: Sequence[int], draws: int, rng: np.random.Generator
    ) -> FloatArray:
        """Answers (draws, N, R, K) under parameters drawn from each rater's posterior."""
        x = self.design.matrix(features)
        found = np.empty((draws, len(x), len(raters), len(self.target)))
        for rows, posteriors in self._by_set(features):
            for place, rater in enumerate(raters):
                each = [one.sample(x[rows], rater, draws, rng) for one in posteriors]
                found[:, rows, place] = self._joined(each)
        return found

    def _by_set(self, features: Features) -> Iterator[tuple[IntArray, Sequence[Posterior]]]:
        """Places of items (n,), and the posteriors that predict them."""
        yield np.arange(len(features.x)), self.posteriors

    def compare(self, a: Features, b: Features, raters: Sequence[int]) -> FloatArray:
        """P(B, tie, A) (N, R, 3) between the items of `a` and those of `b`, row by row.

        Raises:
            ConfigError: it was not fitted on choices.
        """
        if self.comparisons is None:
            raise ConfigError("this calibrator was not fitted on choices between items")
        x = (self.design.matrix(a) - self.design.matrix(b)) / np.sqrt(2)
        found = np.zeros((len(x), len(raters), 3))
        kept = [0, 2] if self.comparisons.steps == 1 else [0, 1, 2]
        for place, rater in enumerate(raters):
            found[:, place, kept] = self.comparisons.probabilities(x, rater)
        return found

    def _joined(self, each: Sequence[FloatArray]) -> FloatArray:
        """The posteriors' answers (..., K) in the order of the target's."""
        if len(each) == 1:
            found = self._spread(each[0])
            return np.asarray(found[..., self.target.ranks])
        # None of them may be beyond what a number can hold: then all are alike.
        yes = np.maximum(np.stack([one[..., 1] for one in each], axis=-1), 1e-300)
        return np.asarray(yes / yes.sum(axis=-1, keepdims=True))

    def _spread(self, p: FloatArray) -> FloatArray:
        """Probabilities of the given answers as those of all, by rising value."""
        if not self.given:
            return p
        found = np.full((*p.shape[:-1], len(self.target)), self.spare)
        found[..., list(self.given)] = p * (1 - self.spare * (len(self.target) - len(self.given)))
        return found


@dataclass(frozen=True, slots=True, eq=False)
class OnItems(Hierarchical):
    """A calibrator on a file some of whose items are of sets that were fitted.

    Args:
        set_of: by item, the set that it is of.
    """

    set_of: Mapping[Unit, str] = field(default_factory=dict)

    def _by_set(self, features: Features) -> Iterator[tuple[IntArray, Sequence[Posterior]]]:
        """Items of one set after the other, those of none by what was carried to them."""
        labels = [self.set_of.get(unit) for unit in features.units]
        fitted = (
            {}
            if self.sets is None
            else dict(zip(self.sets.names, self.sets.posteriors, strict=True))
        )
        for name in dict.fromkeys(labels):
            rows = np.flatnonzero([label == name for label in labels])
            yield rows, self.posteriors if name is None else fitted[name]
