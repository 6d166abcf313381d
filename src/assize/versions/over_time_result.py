"""What watching quality over time comes to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, ClassVar

from assize.criteria._criterion import Labelling
from assize.formats.times import Period, day_of
from assize.results import Column, Estimate, Hidden, PValue, Result, Share, Table
from assize.results.numbers import counted
from assize.stats._change_points import ChangePoint, ChangePoints

Mean = Annotated[Estimate, Column(digits=2, ends="page")]
Change = Annotated[Estimate, Column(digits=2, ends="below", signed=True)]
Label = Annotated[Share | None, Column(kind="percent", digits=0, ends="page", unit="%")]


@dataclass(frozen=True, slots=True)
class LatestFigures:
    """The latest period against all before it, on one question.

    Args:
        group: of conversations; None where all are taken together.
        polarity: `sat` or `dsat`; None for what is no criterion.
        change: mean of the latest period less that of those before.
        p: of no difference, corrected over questions.
        verdict: `worse`, `better` or "" where the two cannot be told apart.
        n, unscored: of the latest period.
    """

    group: str | None
    id: Hidden[str]
    question: str
    polarity: str | None
    before: Mean
    now: Mean
    change: Change
    p: PValue
    verdict: Annotated[str, Column("verdict")]
    n: Hidden[int]
    unscored: Hidden[int]


@dataclass(frozen=True, slots=True)
class DatedChange:
    """A change of a question's mean.

    Args:
        since: the day of the first conversation after it.
        earliest, latest: ends of its interval, `days` from `since`.
        before, after: the means up to the neighbouring changes.
        p: of no change, corrected over questions and dates.
        verdict: `worse` or `better`.
        n, unscored: between the neighbouring changes.
    """

    group: str | None
    id: Hidden[str]
    question: str
    since: str
    earliest: Hidden[str]
    latest: Hidden[str]
    days: Annotated[str, Column("± days")]
    before: Annotated[Estimate, Column("from", digits=2, ends="page")]
    after: Annotated[Estimate, Column("to", digits=2, ends="page")]
    change: Change
    p: PValue
    verdict: Hidden[str]
    n: Hidden[int]
    unscored: Hidden[int]


@dataclass(frozen=True, slots=True)
class PeriodFigures:
    """One question in one period.

    Args:
        period: its first day, or its name.
        mean: with its interval; whole clusters are the independent units.
        holds: share of conversations for which a criterion holds; None of other questions.
        good, open, bad: share of all conversations that get the label; None without a window.
    """

    group: str | None
    id: Hidden[str]
    question: str
    period: str
    n: int
    unscored: int
    mean: Annotated[Estimate, Column(digits=2)]
    holds: Annotated[Share | None, Column(kind="percent", digits=0, unit="%")] = None
    good: Label = None
    open: Annotated[
        Share | None, Column("left open", "percent", digits=0, ends="page", unit="%")
    ] = None
    bad: Label = None


@dataclass(frozen=True, slots=True)
class Series:
    """One question over time.

    Args:
        id: of the question.
        text: what it asks, or asserts.
        kind: `SAT` or `DSAT`; "" for what is no criterion.
        group: of conversations; "" where all are taken together.
        higher: what a higher value is.
        periods: one for each of the result's periods, None where there is no conversation.
        found: changes of the mean.
    """

    id: str
    text: str
    kind: str
    group: str
    higher: str
    periods: Sequence[PeriodFigures | None]
    found: ChangePoints

    @property
    def changes(self) -> Sequence[ChangePoint]:
        """In the order of time."""
        return self.found.changes

    def verdict(self, difference: float) -> str:
        """Say whether a difference is for the better or the worse."""
        return "better" if (difference > 0) == (self.higher == "better") else "worse"


@dataclass(frozen=True, slots=True, kw_only=True)
class DriftResult(Result):
    """Quality over time.

    Args:
        questions: that were watched, in each group by itself.
        changed: of these, those whose mean changed at some date.
        dropped: of these, those on which the latest period is worse than those before it.
        periods: that hold any conversation.
        every: what a period is.
        by: what groups conversations, the version; None for nothing.
        level: chance of a false change in any question; intervals are at 1 less this.
        without_time: conversations that were judged and have no time; they are left out.
        signature: of what could change the numbers.
        series: the questions over time, in each group NetSAT first.
        labelling: threshold and window of NetSAT; None where none was learnt.
    """

    heading: ClassVar[str] = "Quality over time"

    questions: int
    changed: Annotated[int, Column("that changed")]
    dropped: Annotated[int, Column("worse than before")]
    latest: Annotated[
        Sequence[LatestFigures],
        Table("The latest period", "How it differs from all before it."),
    ]
    changes: Annotated[
        Sequence[DatedChange],
        Table("Changes", "When the mean of a question changed, and by how much."),
    ]
    by_period: Annotated[
        Sequence[PeriodFigures],
        Table(
            "By period", "Means with their intervals, question by question.", "question", most=60
        ),
    ]
    periods: Sequence[Period]
    every: str
    by: str | None
    level: float
    without_time: Hidden[int]
    notes: Sequence[str] = ()
    signature: str = ""
    settings: Mapping[str, object] = field(default_factory=dict, repr=False)
    series: Sequence[Series] = field(repr=False)
    labelling: Labelling | None = field(repr=False)

    @property
    def groups(self) -> Sequence[str]:
        """Of conversations, in the order of their names; one that is "" for all together."""
        return list(dict.fromkeys(series.group for series in self.series))

    @property
    def sentence(self) -> str:
        """How long was watched, what changed, and what is worse now."""
        total, last = sum(period.n for period in self.periods), self.periods[-1]
        days = f"{self.periods[0].name} to {day_of(last.stop)}"
        return (
            f"{counted(total, 'conversation')}, {days}: {self.changed:,} of"
            f" {counted(self.questions, 'question')} changed, {self.dropped:,} got worse in the"
            f" latest {self.period} (from {last.name}, {counted(last.n, 'conversation')})."
        )

    @property
    def confidence(self) -> str:
        """The confidence level of the intervals in percent, as a sentence names it."""
        return f"{100 * (1 - self.level):.6g}%"

    @property
    def table_notes(self) -> Mapping[str, Sequence[str]]:
        """Which conversations are compared, and the level of the intervals."""
        intervals = f"Intervals are {self.confidence}."
        total, last = sum(period.n for period in self.periods), self.periods[-1]
        return {
            "latest": [
                f"Now: {counted(last.n, 'conversation')} from {last.name}; before: all"
                f" {total - last.n:,} before that.",
                intervals,
            ],
            "by_period": [intervals],
        }

    @property
    def missing(self) -> tuple[int, int]:
        """How many conversations are unscored on a question, and of how many, over all of them."""
        return sum(row.unscored for row in self.by_period), sum(row.n for row in self.by_period)

    @property
    def alarm(self) -> str | None:
        """Name the questions on which the latest period is worse; None where there is none."""
        worse = [row for row in self.latest if row.verdict == "worse"]
        if not worse:
            return None
        names = ", ".join(f"{row.group or ''} {row.question}".strip() for row in worse)
        return f"worse than before, latest {self.period} (from {self.periods[-1].name}): {names}"

    @property
    def period(self) -> str:
        """What a period is, as a sentence names one."""
        return self.every if not self.every.isdecimal() else f"{self.every} conversations"
