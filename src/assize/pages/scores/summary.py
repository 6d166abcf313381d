"""What judgments amount to: headline numbers, tables by question, what could not be scored."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from assize.base.judgment import Question
from assize.pages.excerpt import Excerpt
from assize.pages.scores.groups import MOST_JUDGES, Failures, Group, Levels, condensed
from assize.results import Column, Result, ResultTable, Scaled
from assize.results.numbers import NONE, counted, digits_for, interval, number, percent, percents
from assize.stats import wilson
from assize.stats._spread import Spread

ROWS_SHOWN = 100
SIDES = ("A", "tie", "B")


@dataclass(frozen=True)
class ScoreSummary(Result):
    """All numbers of judgments, and the items to look at first.

    Args:
        question: id of the question that heads the page; None when nothing was asked.
        items: of which `scored` have an answer to the main question, `unscored` could not
            be judged, for `not_applicable` it does not apply, and `not_judged` hold no
            judgment on it; the four add up to it.
        duplicates: judgments that repeat another's key.
        overall: the items' values on the main question, over judges; a nominal answer
            has none.
        levels: how many are low and high; None where nothing says what that is.
        languages: items whose judge recognised another language than its own, by language.
        windowed: items with turns that a judge read in several pieces.
        shortened: items that a judge read without their oldest turns.
        groups: in order of appearance, the main question's first.
        reasons: why judgments are unscored, with their counts; `failures` are the first.
        noun: what the items are: conversations, pairs, continuations, or items.
        texts: items whose text is known.
        values: of the items on the main question.
        made_by: rows by judge and signature ("" where none was given).
        spent: what the calls cost, in words.
        listed: the items that the page shows, in the order that `listing` names.
    """

    heading: ClassVar[str] = "Scores"

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
    windowed: int
    shortened: int
    groups: Sequence[Group]
    reasons: Mapping[str, int]
    signature: str
    noun: str = field(repr=False)
    texts: int = field(repr=False)
    values: Sequence[float] = field(repr=False)
    failures: Failures = field(repr=False)
    made_by: Mapping[tuple[str, str], int] = field(repr=False)
    spent: str = field(repr=False)
    listed: Sequence[Excerpt] = field(repr=False)
    listing: str = field(repr=False)
    notes: Sequence[str] = field(default=(), repr=False)

    @property
    def sentence(self) -> str:
        """How many items were scored, on what, by whom."""
        judges = counted(len({judge for judge, _ in self.made_by}), "judge")
        of = f"{self.scored:,} of {self.items:,} {self.noun}"
        return f"{of} scored on {self.question}, by {judges}." if self.made_by else "No judgments."

    @property
    def main(self) -> Question | None:
        """The question that heads the page; None where nobody was asked it."""
        asked = (group.asked for group in self.groups if group.question == self.question)
        return next(asked, None)

    @property
    def prefers(self) -> bool:
        """Whether the main question is which side is better."""
        return self.main is not None and self.main.kind == "preference"

    @property
    def several(self) -> bool:
        """Whether there are several judges."""
        return len({judge for judge, _ in self.made_by}) > 1

    @property
    def digits(self) -> int:
        """Decimals of values on the main question."""
        return digits_for([self.overall.least, self.overall.greatest])

    @property
    def headline(self) -> Mapping[str, tuple[str, str]]:
        """How many were scored, and the mean, or which side is better."""
        why = {
            "unscored": self.unscored,
            "not judged": self.not_judged,
            "does not apply": self.not_applicable,
        }
        reasons = ", ".join(f"{count:,} {reason}" for reason, count in why.items() if count)
        tiles = {
            self.noun.capitalize(): (f"{self.items:,}", f"{self.judgments:,} judgments"),
            "Scored": (f"{self.scored:,}", _percent_of(self.scored, self.items)),
            "Not scored": (f"{self.items - self.scored:,}", reasons),
        }
        if self.prefers:
            tiles |= self._preferred()
        elif self.overall.n:
            mean, digits = self.overall.mean, self.digits
            ends = f"95% interval {interval(mean, digits) or NONE}" if self.overall.n > 1 else ""
            half = (number(end, digits) for end in (self.overall.q25, self.overall.q75))
            middle = f"middle half {' to '.join(half)}"
            tiles[f"Mean of {self.question}"] = number(mean.estimate, digits), ends
            tiles["Median"] = number(self.overall.q50, digits), middle
        if (levels := self.levels) is not None and levels.n:
            for words, count in (
                (f"Low, at most {levels.low:.3g}", levels.low_count),
                (f"High, at least {levels.high:.3g}", levels.high_count),
            ):
                tiles[words] = f"{count:,}", _percent_of(count, levels.n)
        return tiles

    def _preferred(self) -> dict[str, tuple[str, str]]:
        """A, tie, B of the only judge; of several each stands in the table."""
        groups = [group for group in self.groups if group.question == self.question]
        if len(groups) != 1:
            return {"Judges": (f"{len(groups):,}", "each in the table below")}
        names = {"A": "A is better", "tie": "Tie", "B": "B is better"}
        shares = groups[0].shares
        return {
            names[side]: (percent(shares[side].estimate), percents(shares[side])) for side in SIDES
        }

    def paper_tables(self) -> Mapping[str, ResultTable]:
        """What each judge answered to each question, what could not be scored, and who judged."""
        tables = {
            "scores": by_question(self),
            "named": named(self),
            "preferences": preferences(self),
            **self.failures.tables(self.judgments),
            "judges": judges(self),
        }
        return {name: table for name, table in tables.items() if table.rows}


def _percent_of(count: int, n: int) -> str:
    return f"{100 * count / n:.1f}%" if n else ""


def by_question(summary: ScoreSummary) -> ResultTable:
    """Return the scores of every question by every judge."""
    groups = condensed(summary.groups)
    rows = []
    for group in groups:
        if group.asked.kind in {"preference", "nominal"}:
            continue
        spread = group.spread
        digits = digits_for([spread.least, spread.greatest])
        values = (spread.mean, spread.mean, spread.q25, spread.q50, spread.q75)
        counts = (spread.n, group.unscored, group.not_applicable)
        rows.append((*_names(summary, group), *counts, *(Scaled(each, digits) for each in values)))
    columns = (
        *_named(summary),
        *(Column(name, "count") for name in ("n", "Unscored", "NA")),
        Column("Mean", "number", ends="none"),
        Column("95% interval", "number", ends="alone"),
        *(Column(name, "number") for name in ("25%", "50%", "75%")),
    )
    note = (
        "n counts items with a value; the interval takes items as the units. "
        "Unscored and NA count judgments."
    )
    if len(groups) < len(summary.groups):
        note += (
            f" Where more than {MOST_JUDGES} judges answered a question they are taken together, "
            "n counts items and judges, and there is no interval; --json has each of them."
        )
    return ResultTable("Scores by question", columns, rows, [note], most=ROWS_SHOWN)


def _named(summary: ScoreSummary) -> Sequence[Column]:
    """The columns that name a row: the question, and the judge where there are several."""
    return [Column("Question"), *([Column("Judge")] if summary.several else [])]


def _names(summary: ScoreSummary, group: Group) -> Sequence[str]:
    return [group.name, *([group.judge] if summary.several else [])]


def named(summary: ScoreSummary) -> ResultTable:
    """Return how often each name was answered to questions whose answers have no order."""
    rows = []
    for group in condensed(summary.groups):
        answers, labels = group.tally.answers, group.asked.labels
        if group.asked.kind == "nominal":
            total = round(sum(answers.values()) + group.tally.further)
            for name, count in sorted(answers.items(), key=lambda answer: -answer[1]):
                share = wilson(round(count), total)
                rows.append((*_names(summary, group), labels.get(name, name), share))
    judgments = Column("Judgments", "share", 1, ends="below", unit="%")
    columns = (*_named(summary), Column("Answer"), judgments)
    note = "Shares of the judgments that have an answer, with Wilson's 95% interval."
    return ResultTable("Answers without an order", columns, rows, [note], most=ROWS_SHOWN)


def preferences(summary: ScoreSummary) -> ResultTable:
    """Return A, tie and B by judge."""
    groups = [group for group in condensed(summary.groups) if group.shares]
    several = len({group.name for group in groups}) > 1
    rows = [
        (
            *(group.judge, *([group.name] if several else []), group.items),
            *(group.shares[side] for side in SIDES),
            *(group.tally.items_unscored, group.tally.split),
        )
        for group in groups
    ]
    columns = (
        *(Column("Judge"), *([Column("Question")] if several else [])),
        Column(summary.noun.capitalize(), "count"),
        *(Column(name, "share", 1, ends="below", unit="%") for name in ("A", "Tie", "B")),
        *(Column("Unscored", "count"), Column("Split", "count")),
    )
    note = (
        "Shares of all items that the judge was asked about, with Wilson's 95% interval. "
        "An item's preference is the strict majority of its votes; votes that cancel out are a "
        "tie, and split."
    )
    return ResultTable("Preferences by judge", columns, rows, [note], most=ROWS_SHOWN)


def judges(summary: ScoreSummary) -> ResultTable:
    """Return the judgments by judge and signature, and what they cost."""
    rows = [
        (judge, signature or "none given", count)
        for (judge, signature), count in summary.made_by.items()
    ]
    columns = (Column("Judge"), Column("Signature"), Column("Judgments", "count"))
    notes = ["Numbers are comparable where the signatures are the same."]
    if summary.duplicates:
        repeated = f"{summary.duplicates:,}"
        notes.append(f"Judgments that repeat another's key, and are counted: {repeated}.")
    notes += filter(None, [summary.spent])
    return ResultTable("Who judged", columns, rows, notes, most=ROWS_SHOWN)
