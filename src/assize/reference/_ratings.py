"""What people said of continuations: raters beside items, for ensembles and studies."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from assize import stats
from assize.base.errors import ConfigError, DataError
from assize.judgments import JudgmentTable
from assize.judgments.combine import combine
from assize.judgments.values import scale_ends, scale_of
from assize.stats._arrays import FloatArray, IntArray
from assize.stats._modes import modes

Mask = NDArray[np.bool_]

Unit = Literal["ratings", "items"]
UNITS: tuple[Unit, ...] = ("ratings", "items")
"""What a row is: every rating by itself, or an item with the mean of its ratings."""

PERFECT, MAJORITY, PLURALITY, NO_MODE, UNSCORED = 3, 2, 1, 0, -1
"""How far the raters of an item agree, as `stats.agreement_bins` counts it."""


@dataclass(frozen=True, slots=True)
class Target:
    """One target: a question, or the mean of several.

    Args:
        mean, deviation: of its items' numbers.
    """

    questions: tuple[str, ...]
    mean: float = 0.0
    deviation: float = 1.0

    @classmethod
    def of(cls, written: str) -> Target:
        """As users write it.

        >>> Target.of("location+guidance").questions
        ('location', 'guidance')
        """
        names = tuple(name.strip() for name in written.split("+"))
        if not all(names) or len(set(names)) < len(names):
            raise ConfigError(f"question {written!r}: give a question, or several as a+b+c")
        return cls(names)

    def __str__(self) -> str:
        return "+".join(self.questions)


@dataclass(frozen=True, slots=True, eq=False)
class RatingRows:
    """Ratings by themselves, or items with all of theirs.

    Args:
        item: (A,) place of each row's item.
        value: (A,) the rating, or the mean of the item's.
        label: (A,) the rating as a class: itself, or the item's mode.
    """

    item: IntArray
    value: FloatArray
    label: FloatArray

    def take(self, kept: Mask) -> RatingRows:
        """Some of the rows."""
        return RatingRows(self.item[kept], self.value[kept], self.label[kept])


@dataclass(frozen=True, eq=False)
class Ratings:
    """What people said to one question, or to several that are averaged.

    Args:
        target: the question, or the name of several together.
        values: (raters R, items N); NaN marks a missing rating.
        answers: (K,) the values an answer can have, lowest first; () where any number may stand.
        highest: the largest value a rating can have; NaN where it is not known.
        unscored: ratings that were asked for and hold no value.
    """

    target: str
    values: FloatArray
    answers: tuple[float, ...] = ()
    highest: float = float("nan")
    unscored: int = 0

    @cached_property
    def means(self) -> FloatArray:
        """(N,) NaN where nobody rated."""
        count = (~np.isnan(self.values)).sum(axis=0)
        with np.errstate(invalid="ignore"):
            return np.asarray(np.where(count, np.nansum(self.values, axis=0) / count, np.nan))

    @cached_property
    def modes(self) -> FloatArray:
        """(N,) the one most frequent rating; NaN where there is none, and for a single rating."""
        return modes(self.values)

    @cached_property
    def reached(self) -> IntArray:
        """(N,) how far raters agree: PERFECT, MAJORITY, PLURALITY, NO_MODE, UNSCORED."""
        return stats.agreement_bins(self.values).reached

    def rows(self, unit: Unit = "ratings") -> RatingRows:
        """Every rating, item after item; or every rated item with its mean and its mode."""
        if unit == "ratings":
            item, rater = np.nonzero(~np.isnan(self.values.T))
            value = self.values[rater, item]
            return RatingRows(item, value, value)
        item = np.flatnonzero(~np.isnan(self.means))
        # A mean over several questions is no answer; a single rating is its own mode.
        alone = (~np.isnan(self.values)).sum(axis=0) == 1
        return RatingRows(item, self.means[item], np.where(alone, self.means, self.modes)[item])

    @property
    def binary(self) -> bool:
        """Whether the ratings take two values, as reasonableness does: by their scale, or by what
        was said on a wider one, for UPHELD's table calls all its scales 1 to 5."""
        seen = np.unique(self.values[~np.isnan(self.values)])
        return 2 in (len(self.answers), len(seen))

    @property
    def several(self) -> bool:
        """Whether any item has two ratings."""
        return bool((self.reached != UNSCORED).any())

    def __len__(self) -> int:
        """How many items are rated."""
        return int((~np.isnan(self.values)).any(axis=0).sum())

    def take(self, kept: Mask | IntArray) -> Ratings:
        """Some of the items."""
        return Ratings(self.target, self.values[:, kept], self.answers, self.highest, self.unscored)


def read_ratings(
    rows: JudgmentTable, asked: Target, place: Mapping[str, int], target: str | None = None
) -> Ratings:
    """Each rater's answer to each item; of several questions the mean, each on 0..1 of its scale.

    Args:
        rows: judgments by people of these items; of several by one rater the mean counts.
        place: by item its column.
        target: the name of the target; that of its questions when None.

    Raises:
        DataError: answers are no numbers, or one of several questions has no scale.
    """
    raters = {judge: at for at, judge in enumerate(rows.judges)}
    stacked = np.full((len(asked.questions), len(raters), len(place)), np.nan)
    unscored = 0
    for values, name in zip(stacked, asked.questions, strict=True):
        question = rows.questions[name]
        if question.kind in ("nominal", "text"):
            raise DataError(
                f"no answer to {name!r} stands for a number; its kind is {question.kind}"
            )
        found = combine(rows.where(question=name), question)
        judges = np.array([raters[judge] for judge in found.judges], dtype=np.int64)
        items = np.array([place[item] for item, _ in found.units], dtype=np.int64)
        values[judges[found.judge], items[found.unit]] = found.values
        unscored += int(found.unscored.sum())
        if len(asked.questions) > 1:
            ends = scale_ends(question)
            if ends is None:
                raise DataError(
                    f"question {name!r} has no scale, so that it cannot be averaged with others;"
                    " give its range"
                )
            values[:] = (values - ends[0]) / (ends[1] - ends[0])
    name = str(asked) if target is None else target
    if len(asked.questions) > 1:
        return Ratings(name, stacked.mean(axis=0), (), 1.0, unscored)
    question = rows.questions[asked.questions[0]]
    answers = sorted(set(scale_of(question).values()))
    highest = answers[-1] if answers else (question.range or (np.nan, np.nan))[1]
    return Ratings(name, stacked[0], tuple(answers), float(highest), unscored)
