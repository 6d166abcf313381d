"""What people said, as what an ensemble is to predict: one number an item.

A target is a question (`content`); or the mean of several (`a+b+c`), each brought to 0..1 by its
scale, for items on which all are answered. Several targets stand for several corpora: each is
brought to mean 0 and deviation 1 over its items and counts alike, as their scales cannot be
compared.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from assize.base.errors import ConfigError, DataError
from assize.base.judgment import Question
from assize.judgments import JudgmentTable
from assize.judgments.values import scale_ends
from assize.reference._ratings import Ratings, Target, read_ratings
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
        source: (N,) which of them the item has ratings of.
        ratings: of all items, on the scales of their targets.
        range: ends of the scale, where it has any.
    """

    question: Question
    items: tuple[str, ...]
    asked: tuple[Target, ...]
    source: IntArray
    ratings: Ratings
    range: tuple[float, float] | None = None

    def __len__(self) -> int:
        return len(self.items)

    @property
    def standardised(self) -> bool:
        """Whether several corpora stand on one scale of deviations."""
        return len(self.asked) > 1

    @property
    def value(self) -> FloatArray:
        """(N,) mean over the raters."""
        return self._scale(self.ratings.means, self.source)

    @property
    def annotations(self) -> tuple[IntArray, FloatArray]:
        """(A,) every single annotation: its item, and what it says."""
        rows = self.ratings.rows()
        return rows.item, self._scale(rows.value, self.source[rows.item])

    def _scale(self, values: FloatArray, source: IntArray) -> FloatArray:
        if not self.standardised:
            return values
        mean = np.array([asked.mean for asked in self.asked])
        deviation = np.array([asked.deviation for asked in self.asked])
        return np.asarray((values - mean[source]) / deviation[source])

    def take(self, rows: IntArray) -> Targets:
        """Some of the items, with their annotations."""
        items = tuple(self.items[row] for row in rows.tolist())
        return replace(self, items=items, source=self.source[rows], ratings=self.ratings.take(rows))


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
    asked = [Target.of(text) for text in written]
    answered = [table.where(question=list(target.questions), turn=None) for target in asked]
    for target, rows in zip(asked, answered, strict=True):
        for name in target.questions:
            if name not in rows.asked:
                there = ", ".join(table.asked)
                raise DataError(f"nobody has answered question {name!r}; people answered {there}")
    names = list(dict.fromkeys(item for rows in answered for item in rows.items))
    place = {item: index for index, item in enumerate(names)}
    parts = [
        read_ratings(rows, target, place) for target, rows in zip(asked, answered, strict=True)
    ]
    rated = np.stack([~np.isnan(part.means) for part in parts])  # (targets, items)
    twice = np.flatnonzero(rated.sum(axis=0) > 1)
    if len(twice):
        problem = f"item {names[twice[0]]!r} has an answer to two of the targets"
        raise DataError(f"{problem}; a target is a corpus")
    scales = []
    for target, part, own in zip(asked, parts, rated, strict=True):
        means = part.means[own]
        if not len(means):
            raise DataError(f"nobody has answered all of {target} on one item")
        if np.ptp(means) == 0:
            problem = f"all items have the same {target}, {means[0]:g}: nothing can be learnt"
            raise DataError(problem)
        scales.append(replace(target, mean=float(means.mean()), deviation=float(means.std())))
    kept = np.flatnonzero(rated.any(axis=0))
    items = tuple(names[index] for index in kept.tolist())
    source = rated[:, kept].argmax(axis=0)
    values = np.concatenate([part.values for part in parts])[:, kept]
    ratings = replace(parts[0], values=values)
    if len(scales) > 1:
        return Targets(POOLED, items, tuple(scales), source, ratings)
    own_question = table.questions[scales[0].questions[0]]
    ends = scale_ends(own_question)
    if len(scales[0].questions) > 1:
        text = f"Mean of {', '.join(scales[0].questions)}, each from 0 to 1"
        ends = (0.0, 1.0)
        own_question = Question(str(scales[0]), text, "number", range=ends, higher="better")
    return Targets(own_question, items, tuple(scales), source, ratings, ends)
