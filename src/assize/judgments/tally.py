"""Counts and values of judgments that stream by, and the first items of an order."""

from __future__ import annotations

import heapq
import math
from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from assize.base.judgment import NOT_APPLICABLE, Judgment, Question, infer_questions
from assize.judgments.combine import agreed_value, agreed_vote
from assize.judgments.values import SIGN, vote_of

MOST_ANSWERS = 100
T = TypeVar("T")


@dataclass(slots=True)
class Tally:
    """Counts and values of one judge, one question, and one level (whole items or turns)."""

    question: Question  # what is asked; its answers give the order
    items: int = 0  # items that the judge was asked about
    # all judgments, of which `unscored` could not be made and `not_applicable` said that the
    # question does not apply
    rows: int = 0
    # one an item: the mean over its orders, repeats or turns
    numbers: array[float] = field(default_factory=lambda: array("d"))
    # judgments by answer; one that holds only a distribution is shared out by it
    answers: dict[str, float] = field(default_factory=dict)
    further: float = 0  # judgments with answers beyond the first `MOST_ANSWERS` different ones
    # once, twice: of a preference, items by what their votes agree on, shown in one order and in
    # both; see `assize.judgments.combine`
    once: Counter[str] = field(default_factory=Counter)
    twice: Counter[str] = field(default_factory=Counter)
    both_orders: bool = False  # whether any item was shown in both
    split: int = 0  # items among the ties whose votes differed
    not_applicable: int = 0
    unscored: int = 0
    lost: int = 0  # items with judgments and without a value

    @classmethod
    def pooled(cls, tallies: Sequence[Tally]) -> Tally:
        """Return what several judges were counted for on the same question."""
        return cls(
            tallies[0].question,
            items=sum(tally.items for tally in tallies),
            rows=sum(tally.rows for tally in tallies),
            numbers=array("d", [number for tally in tallies for number in tally.numbers]),
            answers=add_counts(tally.answers for tally in tallies),
            further=sum(tally.further for tally in tallies),
            once=sum((tally.preferences for tally in tallies), Counter[str]()),
            split=sum(tally.split for tally in tallies),
            not_applicable=sum(tally.not_applicable for tally in tallies),
            unscored=sum(tally.unscored for tally in tallies),
            lost=sum(tally.items_unscored for tally in tallies),
        )

    @property
    def preferences(self) -> Counter[str]:
        """Items by their vote; one order is not enough where the judge was shown any in both."""
        return self.twice if self.both_orders else self.once

    @property
    def values(self) -> array[float]:
        """One number an item that has one; of a preference 1 for A, 0 for a tie, -1 for B."""
        if self.question.kind != "preference":
            return self.numbers
        return array("d", [SIGN[vote] for vote in self.preferences.elements()])

    @property
    def items_unscored(self) -> int:
        """Items with judgments and without a value, or without one of two votes."""
        return self.lost + (self.once.total() if self.both_orders else 0)

    def add(self, rows: Sequence[Judgment]) -> float | None:
        """Count one item's judgments, at least one; returns its value, None where it has none."""
        self.items += 1
        self.rows += len(rows)
        for row in rows:
            self._count(row)
        value = agreed_value(rows, self.question)
        if self.question.kind == "preference":
            self._prefer(rows)
        elif value is not None:
            self.numbers.append(value)
        else:
            self.lost += any(row.unscored is not None for row in rows)
        return value

    def _count(self, row: Judgment) -> None:
        if row.unscored is not None:
            self.unscored += 1
        elif row.answer == NOT_APPLICABLE:
            self.not_applicable += 1
        elif self.question.kind != "text":
            for answer, part in _shared_out(row):
                if answer in self.answers or len(self.answers) < MOST_ANSWERS:
                    self.answers[answer] = self.answers.get(answer, 0) + part
                else:
                    self.further += part

    def _prefer(self, rows: Sequence[Judgment]) -> None:
        """Count what the item's votes agree on, or that they do not."""
        orders = len({row.order for row in rows})
        self.both_orders |= orders > 1
        vote = agreed_vote(rows)
        if vote is None:
            failed = any(row.unscored is not None for row in rows)
            self.lost += failed or all(row.answer != NOT_APPLICABLE for row in rows)
            return
        self.split += vote == "tie" and any(vote_of(row) in ("A", "B") for row in rows)
        counts = self.twice if orders > 1 else self.once
        counts[vote] += 1


class First(Generic[T]):
    """The first of a stream by rank; of two alike the earlier.

    Args:
        most: how many are kept.
    """

    def __init__(self, most: int) -> None:
        self.most = most
        self._offered = 0
        self._heap: list[tuple[tuple[float, ...], T]] = []  # the last of them on top

    def offer(self, rank: Sequence[float], make: Callable[[], T]) -> None:
        """Keep what `make` returns if it is among the first; it is called only then."""
        self._offered += 1
        entry = (*(-part for part in rank), -self._offered)
        if len(self._heap) < self.most:
            heapq.heappush(self._heap, (entry, make()))
        elif self.most and entry > self._heap[0][0]:
            heapq.heapreplace(self._heap, (entry, make()))

    @property
    def values(self) -> list[T]:
        """What is kept, the first first."""
        return [value for _, value in sorted(self._heap, key=lambda entry: entry[0], reverse=True)]


def add_counts(counts: Iterable[Mapping[str, float]]) -> dict[str, float]:
    """Return the sums of counts by name."""
    total: dict[str, float] = {}
    for names in counts:
        for name, count in names.items():
            total[name] = total.get(name, 0) + count
    return total


def _shared_out(row: Judgment) -> list[tuple[str, float]]:
    """The answer as 1, else the distribution, its mass on the answers taken as 1."""
    if row.answer is not None:
        return [(row.answer, 1)]
    distribution = {} if row.distribution is None else row.distribution
    mass = math.fsum(distribution.values())
    return [(answer, p / mass) for answer, p in distribution.items() if p > 0] if mass > 0 else []


def question_of(row: Judgment) -> Question:
    """Return the question of a single judgment that came without one, as far as it tells."""
    return infer_questions([row])[row.question]


def main_question(questions: Iterable[Question]) -> str | None:
    """Return what heads a page: `overall`, else `preference`, else the first with numbers."""
    candidates = list(questions)
    for name in ("overall", "preference"):
        for question in candidates:
            if question.id.casefold() == name:
                return question.id
    numeric = [question for question in candidates if question.kind not in {"nominal", "text"}]
    return next((question.id for question in [*numeric, *candidates]), None)
