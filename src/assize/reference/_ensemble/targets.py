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
from assize.reference._ensemble.columns import means
from assize.reference._ratings import Asked, read_ratings, scale_ends
from assize.stats._arrays import FloatArray, IntArray

POOLED = Question(
    id="standardised-quality",
    text="What people would say, in deviations from the mean of their corpus",
    kind="number",
    higher="better",
)


@dataclass(frozen=True, slots=True, eq=False)
class Targets:
    """What people said of N items.

    Args:
        question: whose scale the numbers are on.
        items: (N,) ids.
        value: (N,) mean over the raters.
        source: (N,) which of `asked` the item belongs to.
        asked: the targets; several are standardised.
        place, rating: (A,) every single annotation: its item, and what it says.
        range: ends of the scale, where it has any.
    """

    question: Question
    items: tuple[str, ...]
    value: FloatArray
    source: IntArray
    asked: tuple[Asked, ...]
    place: IntArray
    rating: FloatArray
    range: tuple[float, float] | None = None

    def __len__(self) -> int:
        return len(self.items)

    @property
    def standardised(self) -> bool:
        """Whether several corpora stand on one scale of deviations."""
        return len(self.asked) > 1

    @property
    def weights(self) -> FloatArray:
        """(N,) each target counts alike; the mean is 1."""
        counts = np.bincount(self.source, minlength=len(self.asked))
        return len(self) / (len(self.asked) * counts[self.source])

    def take(self, rows: IntArray) -> Targets:
        """Some of the items, with their annotations."""
        new = np.full(len(self), -1)
        new[rows] = np.arange(len(rows))
        kept = new[self.place] >= 0
        return replace(
            self,
            items=tuple(self.items[at] for at in rows.tolist()),
            value=self.value[rows],
            source=self.source[rows],
            place=new[self.place][kept],
            rating=self.rating[kept],
        )


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
    parts = [_target(table, Asked.of(one)) for one in written]
    if len(parts) == 1:
        return parts[0]
    return _pooled(parts)


def _target(table: JudgmentTable, asked: Asked) -> Targets:
    rows = table.where(question=list(asked.questions), turn=None)
    for name in asked.questions:
        if name not in rows.asked:
            there = ", ".join(table.asked)
            raise DataError(f"nobody has answered question {name!r}; people answered {there}")
    ratings = read_ratings(rows, asked, {item: at for at, item in enumerate(rows.items)})
    item, rating = ratings.rows
    if not len(item):
        raise DataError(f"nobody has answered all of {asked} on one item")
    rated, place = np.unique(item, return_inverse=True)
    value = means(place, rating, len(rated))
    if np.ptp(value) == 0:
        raise DataError(f"all items have the same {asked}, {value[0]:g}: nothing can be learnt")
    known = replace(asked, mean=float(value.mean()), deviation=float(value.std()))
    question, ends = _question(table, asked)
    names = tuple(rows.items[at] for at in rated.tolist())
    source = np.zeros(len(names), dtype=np.int64)
    return Targets(question, names, value, source, (known,), place, rating, ends)


def _question(table: JudgmentTable, asked: Asked) -> tuple[Question, tuple[float, float] | None]:
    if len(asked.questions) == 1:
        own = table.questions[asked.questions[0]]
        return own, scale_ends(own)
    text = f"Mean of {', '.join(asked.questions)}, each from 0 to 1"
    made = Question(str(asked), text, "number", range=(0.0, 1.0), higher="better")
    return made, (0.0, 1.0)


def _pooled(parts: Sequence[Targets]) -> Targets:
    """Several corpora on one scale: deviations from each one's mean."""
    items = [name for one in parts for name in one.items]
    if len(set(items)) < len(items):
        twice = next(name for name in items if items.count(name) > 1)
        raise DataError(f"item {twice!r} has an answer to two of the targets; a target is a corpus")
    starts = np.cumsum([0, *(len(one) for one in parts)])[:-1].tolist()
    scales = [one.asked[0] for one in parts]

    def each(name: str) -> FloatArray:
        return np.concatenate([getattr(one, name) for one in parts])

    source = np.repeat(np.arange(len(parts)), [len(one) for one in parts])
    of_rating = np.repeat(np.arange(len(parts)), [len(one.rating) for one in parts])
    mean, deviation = (
        np.array([getattr(one, of) for one in scales]) for of in ("mean", "deviation")
    )
    return Targets(
        POOLED,
        tuple(items),
        (each("value") - mean[source]) / deviation[source],
        source,
        tuple(scales),
        np.concatenate([one.place + at for one, at in zip(parts, starts, strict=True)]),
        (each("rating") - mean[of_rating]) / deviation[of_rating],
    )
