"""The numbers of a page of judgments by judge and question, as records."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from assize.base.conversation import PREFERENCES
from assize.base.judgment import Judgment, Question
from assize.judgments.tally import Tally
from assize.results import Column, ResultTable
from assize.results.abridge import abridge
from assize.results.types import NO_INTERVAL, Share
from assize.stats import wilson
from assize.stats._spread import Spread

MOST_JUDGES = 12
UNSCORED_SHOWN = 200


class Failures:
    """Why judgments could not be made, counted by reason, and the first of them.

    Args:
        most: of the first.
    """

    def __init__(self, most: int = UNSCORED_SHOWN) -> None:
        self.most = most
        self.reasons: Counter[str] = Counter()
        self.rows: list[tuple[str, ...]] = []

    def add(self, row: Judgment) -> None:
        """Count a judgment where it is unscored; long texts are cut."""
        if row.unscored is None:
            return
        self.reasons[row.unscored.reason] += 1
        if len(self.rows) < self.most:
            turn = "" if row.turn is None else f", turn {row.turn}"
            message = abridge(row.unscored.message, 300).head
            place = abridge(row.item, 200).head + turn
            self.rows.append((place, row.judge, row.question, row.unscored.reason, message))

    def tables(self, judgments: int) -> dict[str, ResultTable]:
        """Return the reasons as shares of all judgments, and the first failures; or nothing."""
        total = self.reasons.total()
        if not total:
            return {}
        reasons = [(name, count, count / judgments) for name, count in self.reasons.most_common()]
        share = Column("Of all", "percent", 1, unit="%")
        named = (Column("Reason"), Column("Judgments", "count"), share)
        names = ("Item", "Judge", "Question", "Reason", "Message")
        left = total > len(self.rows)
        notes = [f"The first {len(self.rows):,} of {total:,}."] if left else []
        failed = "Judgments that could not be made"
        return {
            "reasons": ResultTable("Not scored", named, reasons),
            "failures": ResultTable(failed, [*map(Column, names)], self.rows, notes),
        }


def scale_of(question: Question) -> tuple[float, float] | None:
    """Return the least and the greatest number that an answer can stand for, where known."""
    if question.range is not None:
        return question.range
    if question.kind == "preference":
        return (-1.0, 1.0)
    return (min(question.values), max(question.values)) if question.values else None


@dataclass(frozen=True, slots=True)
class Levels:
    """How many values are low (at most `low`) and high (at least `high`), of how many."""

    low: float
    high: float
    low_count: int
    high_count: int
    n: int

    @classmethod
    def of(cls, low: float, high: float, values: Sequence[float]) -> Levels:
        """Count the values; one between the two is middle."""
        at_most = sum(value <= low for value in values)
        at_least = sum(value >= high for value in values)
        return cls(low, high, at_most, at_least, len(values))

    def name(self, value: float) -> str:
        """`low`, `middle` or `high`."""
        return "low" if value <= self.low else "high" if value >= self.high else "middle"


def levels_of(question: Question) -> tuple[float, float] | None:
    """Return the question's own field `levels`, [low, high]; None where it has none that fits."""
    levels = question.extra.get("levels")
    if not isinstance(levels, list | tuple) or len(levels) != 2:
        return None
    if not all(isinstance(end, int | float) for end in levels) or not levels[0] < levels[1]:
        return None
    return float(levels[0]), float(levels[1])


@dataclass(frozen=True, slots=True)
class Group:
    """What one judge answered to one question.

    Args:
        per: `turn` or `item`.
        answers: judgments by answer.
        shares: A, tie and B as shares of the items that the judge was asked about; empty unless
            the question is a preference. What is missing from 1 is unscored or NA.
    """

    judge: str
    question: str
    per: str
    items: int
    judgments: int
    unscored: int
    not_applicable: int
    spread: Spread
    answers: Mapping[str, float]
    shares: Mapping[str, Share]
    tally: Tally = field(repr=False)

    @classmethod
    def of(cls, judge: str, per: str, tally: Tally) -> Group:
        """Return the numbers of what was counted."""
        shares: dict[str, Share] = {
            side: wilson(tally.preferences[side], tally.items)
            for side in PREFERENCES
            if tally.question.kind == "preference"
        }
        return cls(
            judge,
            tally.question.id,
            per,
            tally.items,
            tally.rows,
            tally.unscored,
            tally.not_applicable,
            Spread.of(tally.values, scale_of(tally.question)),
            dict(tally.answers),
            shares,
            tally,
        )

    @property
    def asked(self) -> Question:
        """The question itself."""
        return self.tally.question

    @property
    def name(self) -> str:
        """The question, and whether single turns were judged."""
        return f"{self.question}, per turn" if self.per == "turn" else self.question


def condensed(groups: Sequence[Group]) -> list[Group]:
    """Return the groups, those of a question with more than `MOST_JUDGES` judges as one."""
    by_question: dict[str, list[Group]] = {}
    for group in groups:
        by_question.setdefault(group.name, []).append(group)
    return [
        group
        for same in by_question.values()
        for group in (same if len(same) <= MOST_JUDGES else [_pooled(same)])
    ]


def _pooled(groups: Sequence[Group]) -> Group:
    """All judges of a question as one, without intervals: their values are no independent units."""
    tally = Tally.pooled([group.tally for group in groups])
    pooled = Group.of(f"all {len(groups):,} judges", groups[0].per, tally)
    mean = replace(pooled.spread.mean, interval=NO_INTERVAL)
    shares = {name: replace(share, interval=NO_INTERVAL) for name, share in pooled.shares.items()}
    return replace(pooled, spread=replace(pooled.spread, mean=mean), shares=shares)
