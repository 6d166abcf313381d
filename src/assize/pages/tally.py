"""What one judge answered to one question, counted while the judgments stream by."""

from __future__ import annotations

import math
from array import array
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from assize.judgment import NOT_APPLICABLE, Judgment, Question, infer_questions
from assize.judgments.combine import agreed_value, agreed_vote
from assize.judgments.values import SIGN, vote_of

MOST_ANSWERS = 100
Number = TypeVar("Number", int, float)


@dataclass(slots=True)
class Tally:
    """Counts and values of one judge, one question, and one level (whole items or turns)."""

    question: Question  # what is asked; its answers give the order
    items: int = 0  # items that the judge was asked about
    # all judgments, of which `unscored` (by reason) could not be made and `not_applicable` said
    # that the question does not apply
    rows: int = 0
    # one an item: the mean over its orders, repeats or turns
    numbers: array[float] = field(default_factory=lambda: array("d"))
    # judgments by answer; one that holds only a distribution is shared out by it
    answers: dict[str, float] = field(default_factory=dict)
    further: float = 0  # judgments with answers beyond the first `MOST_ANSWERS` different ones
    # once, twice: of a preference, items by what their votes agree on, shown in one order and in
    # both; see `assize.judgments.combine`
    once: dict[str, int] = field(default_factory=dict)
    twice: dict[str, int] = field(default_factory=dict)
    both_orders: bool = False  # whether any item was shown in both
    split: int = 0  # items among the ties whose votes differed
    not_applicable: int = 0
    unscored: dict[str, int] = field(default_factory=dict)
    lost: int = 0  # items with judgments and without a value

    @property
    def preferences(self) -> dict[str, int]:
        """Items by their vote; one order is not enough where the judge was shown any in both."""
        return self.twice if self.both_orders else self.once

    @property
    def values(self) -> array[float]:
        """One number an item that has one; of a preference 1 for A, 0 for a tie, -1 for B."""
        if self.question.kind != "preference":
            return self.numbers
        return array("d", [SIGN[vote] for vote, n in self.preferences.items() for _ in range(n)])

    @property
    def items_unscored(self) -> int:
        """Items with judgments and without a value, or without one of two votes."""
        return self.lost + (sum(self.once.values()) if self.both_orders else 0)

    def add(self, rows: Sequence[Judgment]) -> float | None:
        """Counts one item's judgments, at least one; returns its value, None where it has none."""
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

    def merge(self, other: Tally) -> None:
        """Adds what another judge was counted for on the same question."""
        self.items += other.items
        self.rows += other.rows
        self.numbers.extend(other.numbers)
        self.both_orders |= other.both_orders
        self.further += other.further
        self.split += other.split
        self.not_applicable += other.not_applicable
        self.lost += other.items_unscored
        _add(self.answers, other.answers)
        _add(self.once, other.preferences)
        _add(self.twice, other.preferences)
        _add(self.unscored, other.unscored)

    def _count(self, row: Judgment) -> None:
        if row.unscored is not None:
            reason = row.unscored.reason
            self.unscored[reason] = self.unscored.get(reason, 0) + 1
        elif row.answer == NOT_APPLICABLE:
            self.not_applicable += 1
        elif self.question.kind != "text":
            for answer, part in _shared_out(row):
                if answer in self.answers or len(self.answers) < MOST_ANSWERS:
                    self.answers[answer] = self.answers.get(answer, 0) + part
                else:
                    self.further += part

    def _prefer(self, rows: Sequence[Judgment]) -> None:
        """Counts what the item's votes agree on, or that they do not."""
        shown = len({row.order for row in rows})
        self.both_orders |= shown > 1
        vote = agreed_vote(rows)
        if vote is None:
            failed = any(row.unscored is not None for row in rows)
            self.lost += failed or all(row.answer != NOT_APPLICABLE for row in rows)
            return
        self.split += vote == "tie" and any(vote_of(row) in ("A", "B") for row in rows)
        counts = self.twice if shown > 1 else self.once
        counts[vote] = counts.get(vote, 0) + 1


def _add(counts: dict[str, Number], more: Mapping[str, Number]) -> None:
    for name, count in more.items():
        counts[name] = counts[name] + count if name in counts else count


def _shared_out(row: Judgment) -> list[tuple[str, float]]:
    """The answer as 1, else the distribution, its mass on the answers taken as 1."""
    if row.answer is not None:
        return [(row.answer, 1)]
    distribution = {} if row.distribution is None else row.distribution
    mass = math.fsum(distribution.values())
    return [(answer, p / mass) for answer, p in distribution.items() if p > 0] if mass > 0 else []


def question_of(row: Judgment) -> Question:
    """The question of a single judgment that came without one, as far as it tells."""
    return infer_questions([row])[row.question]


def main_question(questions: Iterable[Question]) -> str | None:
    """What heads the page: `overall`, else `preference`, else the first with numbers."""
    known = list(questions)
    for wanted in ("overall", "preference"):
        for question in known:
            if question.id.casefold() == wanted:
                return question.id
    numeric = [question for question in known if question.kind not in {"nominal", "text"}]
    return next((question.id for question in [*numeric, *known]), None)
