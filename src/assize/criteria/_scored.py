"""Conversations with their NetSAT: what the window makes of each, and what people say."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

import numpy as np

from assize.base.errors import DataError
from assize.criteria._criterion import NETSAT, CriteriaSet, Labelling
from assize.criteria._scoring import label_of
from assize.criteria._selection.objective import threshold
from assize.formats.labels import Labels
from assize.judgments import JudgmentTable
from assize.judgments.values import numbers
from assize.results import Column, Share
from assize.stats import wilson
from assize.stats._arrays import FloatArray, IntArray

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
    def of(cls, judgments: JudgmentTable, rubric: CriteriaSet, labels: Labels | None) -> Scored:
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
        if not any(criterion.id in judgments.asked for criterion in rubric.criteria):
            theirs = ", ".join(criterion.id for criterion in rubric.criteria[:3])
            raise DataError(
                f"no judgment is about any of the {len(rubric.criteria)} criteria ({theirs}, ...);"
                " give the set by which the conversations were scored"
            )
        codes, names = rows.codes("item")
        values = numbers(rows, rubric.questions[0])
        scored = ~np.isnan(values)
        total = np.bincount(codes[scored], values[scored], len(names))
        count = np.bincount(codes[scored], minlength=len(names))
        order = list(dict.fromkeys(codes.tolist()))
        with np.errstate(invalid="ignore", divide="ignore"):
            nets: FloatArray = (total / np.where(count, count, np.nan))[order]
        items = [names[code] for code in order]
        good = [None if labels is None else labels.good.get(item) for item in items]
        window = rubric.labelling
        marks = None if window is None else label_scores(nets, window)
        return cls(items, nets, good, marks, _middle(nets, good, window))

    def __len__(self) -> int:
        return len(self.items)

    @property
    def known(self) -> IntArray:
        """Places of those that are scored."""
        return np.flatnonzero(~np.isnan(self.nets))

    def both(self) -> tuple[FloatArray, np.ndarray[tuple[int], np.dtype[np.bool_]]]:
        """Scores and labels of the conversations that have both."""
        both = [index for index in self.known.tolist() if self.good[index] is not None]
        return self.nets[both], np.array([bool(self.good[index]) for index in both], dtype=bool)

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
        known = self.known
        if self.middle is None:
            return list(known[np.argsort(self.nets[known], kind="stable")].tolist())
        far = np.abs(self.nets[known] - self.middle)
        decided = [
            self.labels is not None and self.labels[index] != "open" for index in known.tolist()
        ]
        return list(known[np.lexsort((far, np.array(decided)))].tolist())

    def pair(self, names: Sequence[str] | None) -> tuple[int, int] | None:
        """Places of a good and a bad conversation; None where there are no two that differ.

        Where people's labels are known the best is one that they call good, and the worst one
        that they call bad.

        Args:
            names: two ids, in the place of the best and the worst.

        Raises:
            DataError: an id is none of a scored conversation, or there are not two.
        """
        if names is not None:
            return self._choose(names)
        known = self.known.tolist()
        best = [index for index in known if self.good[index] is True] or known
        worst = [index for index in known if self.good[index] is False] or known
        if not known:
            return None
        high = max(best, key=lambda index: float(self.nets[index]))
        low = min(worst, key=lambda index: float(self.nets[index]))
        return None if high == low else (high, low)

    def _choose(self, names: Sequence[str]) -> tuple[int, int]:
        if len(names) != 2 or names[0] == names[1]:
            raise DataError(f"pair: received {list(names)!r}; name two conversations")
        for name in names:
            if name not in self.items:
                scored = ", ".join(self.items[:5])
                problem = f"no conversation {name!r} was scored; there are {scored}, ..."
                raise DataError(f"pair: {problem}")
        first, second = (self.items.index(name) for name in names)
        return first, second


def _middle(
    nets: FloatArray, good: Sequence[bool | None], window: Labelling | None
) -> float | None:
    if window is not None:
        return window.threshold
    label = np.array([math.nan if value is None else float(value) for value in good])
    both = ~np.isnan(nets) & ~np.isnan(label)
    classes = label[both] > 0
    if not classes.any() or classes.all():
        return None
    return float(threshold(nets[both][None], classes)[0])


def label_scores(nets: FloatArray, labelling: Labelling) -> list[str]:
    """What the window makes of each score: good, open, bad, or unscored."""
    return ["unscored" if math.isnan(net) else label_of(net, labelling) for net in nets.tolist()]
