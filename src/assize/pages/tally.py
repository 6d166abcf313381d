"""What one judge answered to one question, counted while the judgments stream by."""

from __future__ import annotations

import math
from array import array
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from assize.conversation import PREFERENCES
from assize.judgment import NOT_APPLICABLE, Judgment, Question, infer_questions

MOST_ANSWERS = 100
Number = TypeVar("Number", int, float)
_MARGIN = {"A": 1.0, "tie": 0.0, "B": -1.0}


@dataclass(slots=True)
class Tally:
    """Counts and values of one judge, one question, and one level (whole items or turns).

    Args:
        question: what is asked; its answers give the order.
        items: items that the judge was asked about.
        rows: all judgments, of which `unscored` (by reason) could not be made and
            `not_applicable` said that the question does not apply.
        values: one number an item: the mean over its votes, repeats or turns.
        answers: judgments by answer; one that holds only a distribution is shared out by it.
        further: judgments with answers beyond the first `MOST_ANSWERS` different ones.
        preferences: items by the strict majority of their votes; none is a tie.
        split: items among the ties whose votes differed.
        items_unscored: items with judgments, none of which could be made.
    """

    question: Question
    items: int = 0
    rows: int = 0
    values: array[float] = field(default_factory=lambda: array("d"))
    answers: dict[str, float] = field(default_factory=dict)
    further: float = 0
    preferences: dict[str, int] = field(default_factory=dict)
    split: int = 0
    not_applicable: int = 0
    unscored: dict[str, int] = field(default_factory=dict)
    items_unscored: int = 0

    def add(self, rows: Sequence[Judgment]) -> float | None:
        """Counts one item's judgments, at least one; returns its value, None where it has none."""
        self.items += 1
        self.rows += len(rows)
        for row in rows:
            self._count(row)
        values = [value for row in rows if (value := value_of(row, self.question)) is not None]
        if self.question.kind == "preference":
            self._prefer([vote for row in rows if (vote := answer_of(row, self.question))])
        if values:
            self.values.append(math.fsum(values) / len(values))
            return self.values[-1]
        if all(row.unscored is not None for row in rows):
            self.items_unscored += 1
        return None

    def merge(self, other: Tally) -> None:
        """Adds what another judge was counted for on the same question."""
        self.items += other.items
        self.rows += other.rows
        self.values.extend(other.values)
        self.further += other.further
        self.split += other.split
        self.not_applicable += other.not_applicable
        self.items_unscored += other.items_unscored
        _add(self.answers, other.answers)
        _add(self.preferences, other.preferences)
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

    def _prefer(self, votes: Sequence[str]) -> None:
        counted = [vote for vote in votes if vote in PREFERENCES]
        if not counted:
            return
        first = max(counted, key=counted.count)
        decided = 2 * counted.count(first) > len(counted)
        if not decided:
            self.split += 1
        winner = first if decided else "tie"
        self.preferences[winner] = self.preferences.get(winner, 0) + 1


def _add(counts: dict[str, Number], more: Mapping[str, Number]) -> None:
    for name, count in more.items():
        counts[name] = counts[name] + count if name in counts else count


def value_of(row: Judgment, question: Question) -> float | None:
    """The number that a judgment stands for; None for NA, unscored, and words without value.

    The score; else the answer's value; else the mean of the distribution, its mass on
    the answers taken as 1. An ordinal answer without value counts as the number it spells.
    """
    if row.unscored is not None or row.answer == NOT_APPLICABLE:
        return None
    if row.score is not None:
        return row.score if math.isfinite(row.score) else None
    if row.answer is not None:
        return _answer_value(row.answer, question)
    return None if row.distribution is None else _expected(row.distribution, question)


def _answer_value(answer: str, question: Question) -> float | None:
    if question.values is not None and answer in question.answers:
        return question.values[question.answers.index(answer)]
    if question.kind == "preference":
        return _MARGIN.get(answer)
    if question.kind in {"nominal", "text"}:
        return None
    try:
        number = float(answer)
    except ValueError:
        return None
    return number if math.isfinite(number) else None


def _expected(distribution: Mapping[str, float], question: Question) -> float | None:
    worth = {answer: _answer_value(answer, question) for answer in distribution}
    mass = math.fsum(p for answer, p in distribution.items() if worth[answer] is not None)
    if mass <= 0:
        return None
    total = math.fsum(
        p * v for answer, p in distribution.items() if (v := worth[answer]) is not None
    )
    return total / mass


def _shared_out(row: Judgment) -> list[tuple[str, float]]:
    """The answer as 1, else the distribution, its mass on the answers taken as 1."""
    if row.answer is not None:
        return [(row.answer, 1)]
    distribution = {} if row.distribution is None else row.distribution
    mass = math.fsum(distribution.values())
    return [(answer, p / mass) for answer, p in distribution.items() if p > 0] if mass > 0 else []


def answer_of(row: Judgment, question: Question) -> str | None:
    """The answer, or the likeliest one of a distribution (the earlier of two alike)."""
    if row.unscored is not None:
        return None
    if row.answer is not None or not row.distribution:
        return row.answer
    distribution = row.distribution
    order = [answer for answer in question.answers if answer in distribution]
    order += [answer for answer in distribution if answer not in order]
    best = max(order, key=lambda answer: distribution[answer])
    return best if distribution[best] > 0 else None


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
