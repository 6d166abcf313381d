"""What people said, as what an ensemble is to predict: one number an item.

A target is a question (`content`); or the mean of several (`a+b+c`), each brought to 0..1 by its
scale, for items on which all are answered. Several targets stand for several corpora: each is
brought to mean 0 and deviation 1 over its items and counts alike, as their scales cannot be
compared.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from assize.base.errors import ConfigError, DataError
from assize.base.judgment import Question
from assize.judgments import JudgmentTable
from assize.reference._ratings import Asked, Ratings, read_ratings, scale_ends
from assize.stats._arrays import FloatArray, IntArray

POOLED = Question(
    id="standardised-quality",
    text="What people would say, in deviations from the mean of their corpus",
    kind="number",
    higher="better",
)


@dataclass(frozen=True, eq=False)
class Targets:
    """What people said of N items.

    Args:
        question: whose scale the numbers are on.
        items: (N,) ids.
        asked: the targets; several are standardised, and an item has ratings of one.
        ratings: of all items, by target.
        range: ends of the scale, where it has any.
    """

    question: Question
    items: tuple[str, ...]
    asked: tuple[Asked, ...]
    ratings: tuple[Ratings, ...]
    range: tuple[float, float] | None = None

    def __len__(self) -> int:
        return len(self.items)

    @property
    def standardised(self) -> bool:
        """Whether several corpora stand on one scale of deviations."""
        return len(self.asked) > 1

    @cached_property
    def source(self) -> IntArray:
        """(N,) which of the targets the item has ratings of."""
        rated = np.stack([~np.isnan(one.means) for one in self.ratings])
        return np.asarray(rated.argmax(axis=0), dtype=np.int64)

    @cached_property
    def value(self) -> FloatArray:
        """(N,) mean over the raters."""
        means = [self._scale(number, one.means) for number, one in enumerate(self.ratings)]
        return np.stack(means)[self.source, np.arange(len(self))]

    @cached_property
    def annotations(self) -> tuple[IntArray, FloatArray]:
        """(A,) every single annotation: its item, and what it says."""
        rows = [one.rows for one in self.ratings]
        scaled = [self._scale(number, rating) for number, (_, rating) in enumerate(rows)]
        return np.concatenate([item for item, _ in rows]), np.concatenate(scaled)

    def _scale(self, number: int, values: FloatArray) -> FloatArray:
        asked = self.asked[number]
        return (values - asked.mean) / asked.deviation if self.standardised else values

    def take(self, rows: IntArray) -> Targets:
        """Some of the items, with their annotations."""
        items = tuple(self.items[row] for row in rows.tolist())
        return replace(self, items=items, ratings=tuple(one.take(rows) for one in self.ratings))


def targets_of(table: JudgmentTable, question: str | Sequence[str]) -> Targets:
    """What people said, as one number an item.

    Args:
        table: judgments by people.
        question: a question, `a+b+c` for the mean of several, or a list of these, one a corpus.

    Raises:
        ConfigError: no question is given, or one twice.
        DataError: nobody has answered one, its answers are no numbers or all the same, or an item
            has an answer to two targets.
    """
    written = [question] if isinstance(question, str) else list(question)
    if not written or len(set(written)) < len(written):
        raise ConfigError("question: give one that people have answered, each once")
    items: list[str] = []
    parts: list[tuple[Asked, Ratings, int]] = []
    for asked in map(Asked.of, written):
        rows = table.where(question=list(asked.questions), turn=None)
        for name in asked.questions:
            if name not in rows.asked:
                there = ", ".join(table.asked)
                raise DataError(f"nobody has answered question {name!r}; people answered {there}")
        ratings = read_ratings(rows, asked, {item: at for at, item in enumerate(rows.items)})
        rated = np.flatnonzero(~np.isnan(ratings.means))
        if not len(rated):
            raise DataError(f"nobody has answered all of {asked} on one item")
        means = ratings.means[rated]
        if np.ptp(means) == 0:
            raise DataError(f"all items have the same {asked}, {means[0]:g}: nothing can be learnt")
        known = replace(asked, mean=float(means.mean()), deviation=float(means.std()))
        parts.append((known, ratings.take(rated), len(items)))
        items += [rows.items[row] for row in rated.tolist()]
    if len(set(items)) < len(items):
        twice = next(name for name in items if items.count(name) > 1)
        raise DataError(f"item {twice!r} has an answer to two of the targets; a target is a corpus")
    every = []
    for _, ratings, start in parts:
        values = np.full((len(ratings.values), len(items)), np.nan)
        values[:, start : start + ratings.values.shape[1]] = ratings.values
        every.append(replace(ratings, values=values))
    scales = tuple(scale for scale, _, _ in parts)
    if len(scales) > 1:
        return Targets(POOLED, tuple(items), scales, tuple(every))
    own = table.questions[scales[0].questions[0]]
    ends = scale_ends(own)
    if len(scales[0].questions) > 1:
        text = f"Mean of {', '.join(scales[0].questions)}, each from 0 to 1"
        ends = (0.0, 1.0)
        own = Question(str(scales[0]), text, "number", range=ends, higher="better")
    return Targets(own, tuple(items), scales, tuple(every), ends)
