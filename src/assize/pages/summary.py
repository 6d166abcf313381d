"""The numbers of the page for scores, as records: the page shows them, `--json` prints them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from assize.conversation import PREFERENCES
from assize.judgment import Judgment, Question, Unscored
from assize.pages.tally import Tally
from assize.results.abridge import abridge
from assize.results.types import NO_INTERVAL, Estimate, Share
from assize.stats import mean, wilson

MOST_JUDGES = 12


class Key(NamedTuple):
    """What is counted together: one judge, one question, whole items or single turns."""

    judge: str
    question: str
    per_turn: bool


@dataclass(frozen=True, slots=True)
class UnscoredRow:
    """One judgment that could not be made."""

    place: str
    judge: str
    question: str
    reason: str
    message: str

    @classmethod
    def of(cls, row: Judgment, why: Unscored) -> UnscoredRow:
        """The row as shown, long texts cut."""
        place = abridge(row.item, 200).head + ("" if row.turn is None else f", turn {row.turn}")
        return cls(place, row.judge, row.question, why.reason, abridge(why.message, 300).head)


@dataclass(slots=True)
class Spent:
    """What the judgments cost: dollars where known, tokens, and calls of unknown price."""

    dollars: float = 0.0
    tokens: int = 0
    calls: int = 0
    unpriced: int = 0


@dataclass(frozen=True, slots=True)
class Spread:
    """Values in short: how many, mean with interval, least, quartiles, greatest; NaN if none."""

    n: int
    mean: Estimate
    least: float
    lower: float
    median: float
    upper: float
    greatest: float

    @classmethod
    def of(cls, values: Sequence[float], scale: tuple[float, float] | None = None) -> Spread:
        """The spread of finite values; the interval is cut at the scale's ends."""
        import numpy as np

        array = np.asarray(values, dtype=float)
        if not len(array):
            return cls(0, mean(array), *(math.nan,) * 5)
        points = np.quantile(array, [0, 0.25, 0.5, 0.75, 1])
        return cls(len(array), mean(array).within(scale), *map(float, points))


def scale_of(question: Question) -> tuple[float, float] | None:
    """The least and the greatest number that an answer can stand for, where that is known."""
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
        """Counts the values; one between the two is middle."""
        at_most = sum(value <= low for value in values)
        at_least = sum(value >= high for value in values)
        return cls(low, high, at_most, at_least, len(values))

    def name(self, value: float) -> str:
        """`low`, `middle` or `high`."""
        return "low" if value <= self.low else "high" if value >= self.high else "middle"


def levels_of(question: Question) -> tuple[float, float] | None:
    """The question's own field `levels`, [low, high]; None where it has none that fits."""
    found = question.extra.get("levels")
    if not isinstance(found, list | tuple) or len(found) != 2:
        return None
    if not all(isinstance(end, int | float) for end in found) or not found[0] < found[1]:
        return None
    return float(found[0]), float(found[1])


@dataclass(frozen=True, slots=True)
class GroupFigures:
    """What one judge answered to one question.

    Args:
        per: `turn` or `item`.
        answers: judgments by answer.
        shares: of a preference, A, tie and B as shares of the items.
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


@dataclass(frozen=True, slots=True)
class PageFigures:
    """The numbers of a page of judgments; see `Summary`."""

    question: str | None
    items: int
    scored: int
    unscored: int
    not_applicable: int
    not_judged: int
    judgments: int
    duplicates: int
    overall: Spread
    levels: Levels | None
    languages: Mapping[str, int]
    shortened: int
    groups: Sequence[GroupFigures]
    reasons: Mapping[str, int]
    signature: str


@dataclass(frozen=True, slots=True)
class Group:
    """One judge on one question."""

    key: Key
    question: Question
    tally: Tally
    spread: Spread
    # A, tie, B as shares of the items the judge was asked about; {} unless the question is a
    # preference. What is missing from 1 is unscored or NA.
    shares: Mapping[str, Share]

    @classmethod
    def of(cls, key: Key, tally: Tally) -> Group:
        """The numbers of what was counted."""
        shares: dict[str, Share] = {
            one: wilson(tally.preferences.get(one, 0), tally.items)
            for one in PREFERENCES
            if tally.question.kind == "preference"
        }
        return cls(
            key, tally.question, tally, Spread.of(tally.values, scale_of(tally.question)), shares
        )

    @property
    def figures(self) -> GroupFigures:
        """The numbers alone."""
        tally = self.tally
        return GroupFigures(
            self.key.judge,
            self.key.question,
            "turn" if self.key.per_turn else "item",
            tally.items,
            tally.rows,
            sum(tally.unscored.values()),
            tally.not_applicable,
            self.spread,
            dict(tally.answers),
            self.shares,
        )


def condensed(groups: Sequence[Group]) -> list[Group]:
    """The groups, those of a question with more than `MOST_JUDGES` judges made into one."""
    by_question: dict[tuple[str, bool], list[Group]] = {}
    for group in groups:
        by_question.setdefault((group.key.question, group.key.per_turn), []).append(group)
    return [
        one
        for found in by_question.values()
        for one in (found if len(found) <= MOST_JUDGES else [_pooled(found)])
    ]


def _pooled(groups: Sequence[Group]) -> Group:
    """All judges of a question as one, without intervals: their values are no independent units."""
    first = groups[0]
    tally = Tally(first.question)
    for group in groups:
        tally.merge(group.tally)
    key = first.key._replace(judge=f"all {len(groups):,} judges")
    pooled = Group.of(key, tally)
    spread = replace(pooled.spread, mean=replace(pooled.spread.mean, interval=NO_INTERVAL))
    shares = {name: replace(one, interval=NO_INTERVAL) for name, one in pooled.shares.items()}
    return replace(pooled, spread=spread, shares=shares)


@dataclass(frozen=True, slots=True)
class Summary:
    """All numbers of the page.

    Args:
        main: id of the question that heads the page; None when nothing was asked.
        noun: what the items are: conversations, pairs, continuations, or items.
        items: of which `scored` have an answer to the main question, `unscored` could not
            be judged, for `not_applicable` it does not apply, and `not_judged` hold no
            judgment on it; the four add up to it.
        overall: the items' values on the main question, over judges; a nominal answer
            has none.
        levels: how many are low and high; None where nothing says what that is.
        languages: items whose judge recognised another language than its own, by language.
        windowed: items with turns that a judge read in several pieces.
        shortened: items that a judge read without their oldest turns.
        groups: in order of appearance, the main question's first.
        reasons: why judgments are unscored, with their counts; `failures` are the first.
        made_by: rows by judge and signature ("" where none was given).
    """

    main: str | None
    noun: str
    items: int
    scored: int
    unscored: int
    not_applicable: int
    not_judged: int
    texts: int
    duplicates: int
    overall: Spread
    levels: Levels | None
    languages: Mapping[str, int]
    windowed: int
    shortened: int
    groups: tuple[Group, ...]
    reasons: Mapping[str, int]
    failures: tuple[UnscoredRow, ...]
    made_by: Mapping[tuple[str, str], int]
    spent: Spent
    signature: str

    @property
    def main_question(self) -> Question | None:
        """The question that heads the page; None where nobody was asked it."""
        found = (group.question for group in self.groups if group.key.question == self.main)
        return next(found, None)

    @property
    def judgments(self) -> int:
        """All rows."""
        return sum(self.made_by.values())

    @property
    def judges(self) -> tuple[str, ...]:
        """Names of the judges, in order of appearance."""
        return tuple(dict.fromkeys(judge for judge, _ in self.made_by))

    @property
    def figures(self) -> PageFigures:
        """The numbers alone, without texts and single judgments."""
        return PageFigures(
            self.main,
            self.items,
            self.scored,
            self.unscored,
            self.not_applicable,
            self.not_judged,
            self.judgments,
            self.duplicates,
            self.overall,
            self.levels,
            self.languages,
            self.shortened,
            [group.figures for group in self.groups],
            self.reasons,
            self.signature,
        )
