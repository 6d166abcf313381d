"""Conversations with their NetSAT: what the window makes of each, and what people say."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

import numpy as np

from assize.criteria.criterion import NETSAT, CriteriaSet, Labelling
from assize.criteria.scoring import label_of
from assize.criteria.selection.objective import threshold
from assize.errors import DataError
from assize.formats.labels import Labels
from assize.judgments import JudgmentTable
from assize.judgments.values import numbers
from assize.results import Column, Share
from assize.stats import wilson
from assize.stats.arrays import FloatArray, IntArray

LABELS = ("good", "open", "bad", "unscored")
PEOPLE = {True: "people say good", False: "people say bad", None: "no label"}


@dataclass(frozen=True, slots=True)
class WindowCounts:
    """What the window makes of the conversations that people call good, bad, or nothing."""

    people: str
    good: int
    open: Annotated[int, Column("left open")]
    bad: int
    unscored: int

    @property
    def all(self) -> int:
        """Conversations of the class."""
        return self.good + self.open + self.bad + self.unscored


@dataclass(frozen=True, eq=False)
class Scored:
    """NetSAT of each conversation, the mean over judges and repeats.

    Args:
        items: (N,) ids, in the order of the judgments.
        nets: (N,) NaN where nobody could score it.
        good: (N,) what people say; None where there is no label.
        labels: (N,) what the window makes of it: good, open, bad or unscored; None for a set
            that has learnt no window.
        middle: the threshold that the set has learnt, else the midpoint of the classes that
            people know; None where there is neither.
    """

    items: Sequence[str]
    nets: FloatArray
    good: Sequence[bool | None]
    labels: Sequence[str] | None
    middle: float | None

    @classmethod
    def of(cls, judgments: JudgmentTable, given: CriteriaSet, labels: Labels | None) -> Scored:
        """The conversations of a table.

        Raises:
            DataError: there is no NetSAT in it.
        """
        rows = judgments.where(question=NETSAT)
        if not len(rows):
            raise DataError(
                "none of the judgments is a NetSAT; score the conversations with assize criteria"
                " score, or leave the criteria out"
            )
        if not any(one.id in judgments.asked for one in given.criteria):
            theirs = ", ".join(one.id for one in given.criteria[:3])
            raise DataError(
                f"no judgment is about any of the {len(given.criteria)} criteria ({theirs}, ...);"
                " give the set by which the conversations were scored"
            )
        codes, known = rows.codes("item")
        values = numbers(rows, given.questions[0])
        scored = ~np.isnan(values)
        total = np.bincount(codes[scored], values[scored], len(known))
        count = np.bincount(codes[scored], minlength=len(known))
        places = list(dict.fromkeys(codes.tolist()))
        with np.errstate(invalid="ignore", divide="ignore"):
            nets: FloatArray = (total / np.where(count, count, np.nan))[places]
        items = [known[at] for at in places]
        good = [None if labels is None else labels.good.get(one) for one in items]
        learnt = given.labelling
        made = None if learnt is None else label_scores(nets, learnt)
        return cls(items, nets, good, made, _middle(nets, good, learnt))

    def __len__(self) -> int:
        return len(self.items)

    @property
    def known(self) -> IntArray:
        """Places of those that are scored."""
        return np.flatnonzero(~np.isnan(self.nets))

    def both(self) -> tuple[FloatArray, np.ndarray[tuple[int], np.dtype[np.bool_]]]:
        """Scores and labels of the conversations that have both."""
        kept = [at for at in self.known.tolist() if self.good[at] is not None]
        return self.nets[kept], np.array([bool(self.good[at]) for at in kept], dtype=bool)

    def window_counts(self) -> list[WindowCounts]:
        """What the window makes of each class of people's labels; nothing without a window."""
        counts = Counter(zip(self.good, self.labels or (), strict=self.labels is not None))
        rows = [
            WindowCounts(name, *(counts[value, label] for label in LABELS))
            for value, name in PEOPLE.items()
        ]
        return [row for row in rows if row.all]

    def shares_right(self, threshold: float) -> tuple[Share, Share, Share]:
        """Of conversations with a label of people's: those that the window labels; of these those
        that it labels rightly; and those on the right side of the threshold."""
        nets, good = self.both()
        pairs = [
            (label == "good", bool(known))
            for label, known in zip(self.labels or (), self.good, strict=self.labels is not None)
            if known is not None and label in ("good", "bad")
        ]
        right = sum(label == known for label, known in pairs)
        accurate = int(((nets > threshold) == good).sum())
        return (
            wilson(len(pairs), nets.size),
            wilson(right, len(pairs)),
            wilson(accurate, nets.size),
        )

    def uncertain_first(self) -> list[int]:
        """Places of those that are scored: those left open first, each nearest to the threshold.

        Without a threshold the lowest come first.
        """
        places = self.known
        if self.middle is None:
            return list(places[np.argsort(self.nets[places], kind="stable")].tolist())
        far = np.abs(self.nets[places] - self.middle)
        decided = [self.labels is not None and self.labels[at] != "open" for at in places.tolist()]
        return list(places[np.lexsort((far, np.array(decided)))].tolist())

    def pair(self, wanted: Sequence[str] | None) -> tuple[int, int] | None:
        """Places of a good and a bad conversation; None where there are no two that differ.

        Where people's labels are known the best is one that they call good, and the worst one
        that they call bad.

        Args:
            wanted: two ids, in the place of the best and the worst.

        Raises:
            DataError: an id is none of a scored conversation, or there are not two.
        """
        if wanted is not None:
            return self._named(wanted)
        places = self.known.tolist()
        best = [at for at in places if self.good[at] is True] or places
        worst = [at for at in places if self.good[at] is False] or places
        if not places:
            return None
        high = max(best, key=lambda at: float(self.nets[at]))
        low = min(worst, key=lambda at: float(self.nets[at]))
        return None if high == low else (high, low)

    def _named(self, wanted: Sequence[str]) -> tuple[int, int]:
        if len(wanted) != 2 or wanted[0] == wanted[1]:
            raise DataError(f"pair: received {list(wanted)!r}; name two conversations")
        for one in wanted:
            if one not in self.items:
                there = ", ".join(self.items[:5])
                raise DataError(f"pair: no conversation {one!r} was scored; there are {there}, ...")
        first, second = (self.items.index(one) for one in wanted)
        return first, second


def _middle(
    nets: FloatArray, good: Sequence[bool | None], learnt: Labelling | None
) -> float | None:
    if learnt is not None:
        return learnt.threshold
    label = np.array([math.nan if one is None else float(one) for one in good])
    kept = ~np.isnan(nets) & ~np.isnan(label)
    classes = label[kept] > 0
    if not classes.any() or classes.all():
        return None
    return float(threshold(nets[kept][None], classes)[0])


def label_scores(nets: FloatArray, labelling: Labelling) -> list[str]:
    """What the window makes of each score: good, open, bad, or unscored."""
    return ["unscored" if math.isnan(net) else label_of(net, labelling) for net in nets.tolist()]
