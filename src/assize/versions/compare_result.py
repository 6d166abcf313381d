"""What comparing versions returns: differences, conversations to read, and how they were paired."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Literal

from assize.base.conversation import Item
from assize.results import TEXT, Column, Hidden, Result, Table
from assize.results.numbers import digits_for, interval, number, p_value
from assize.results.types import Estimate, Test
from assize.versions.matching import Matching

Verdict = Literal["better", "worse", ""]
Percent = Annotated[Estimate, Column(kind="percent", digits=0, unit="%", ends="below", spare=True)]
Mean = Annotated[Estimate, Column(ends="page")]
Value = Annotated[float | None, Column(digits=2)]

MOST_NAMED = 5  # of what got worse in the sentence


@dataclass(frozen=True, slots=True)
class Difference:
    """One question by one judge, in one version and the one it is compared with.

    Args:
        group: heading of its rows: the segment, or the versions and the judge.
        segment: None for all conversations.
        n: conversations that are compared; without pairs of both versions.
        unscored: pairs of which one is unscored; without pairs unscored conversations.
        before, after: means, of the conversations that are compared.
        difference: `after - before`, with its interval.
        p_value: of no difference, corrected (Holm) over all rows of the table it stands in.
        verdict: where `p_value` is at most the level; "" where the two cannot be told apart.
        better, equal, worse: shares of pairs; without pairs how often a conversation of the one
            version is above one of the other.
        detectable: the least difference that these conversations show with 80% power.
        needed: conversations a version that the size asked for takes; None where no size was
            asked for, or it cannot be said.
        more: of these, how many the smaller version lacks.
        test: of no difference.
        paired: whether the conversations are pairs.
        higher: what a higher value is.
    """

    group: str
    segment: Hidden[str | None]
    version: Hidden[str]
    judge: Hidden[str]
    question: str
    n: int
    before: Mean
    after: Mean
    difference: Annotated[Estimate, Column(ends="below", signed=True)]
    p_value: Annotated[float, Column("p", "p")]
    verdict: Annotated[Verdict, Column("verdict")]
    unscored: int
    better: Percent
    equal: Percent
    worse: Percent
    detectable: Annotated[float, Column(kind="number", spare=True)]
    needed: int | None
    more: int | None
    test: Annotated[Test, Column("p uncorrected", extra=True)]
    paired: Hidden[bool]
    higher: Hidden[Literal["better", "worse"]]


@dataclass(frozen=True, slots=True)
class Regression:
    """A conversation to read.

    Args:
        item, before_item: ids in the version, and in the one before; the latter is None without
            pairs.
        before, after: values on the main question; `before` is None without pairs.
        change: `after - before`.
        begins: its first words; "" where its text is not known.
        segment: the segment that fell, among whose conversations it fell furthest; "" for all.
    """

    version: str
    segment: str
    item: str
    before: Value
    after: Value
    change: Annotated[float | None, Column(digits=2, signed=True)]
    begins: Annotated[str, Column(cut=True)] = field(metadata=TEXT)
    before_item: Hidden[str | None] = None


@dataclass(frozen=True)
class VersionsCompared(Result):
    """Versions side by side, each against the first.

    Args:
        versions: names, the baseline first, with how many conversations each has.
        pairing: by version how it is paired with the baseline.
        differences: of all conversations.
        segments: the same by segment.
        regressions: conversations to read, worst first.
        by: the field of segments; None for none.
        level: of the verdicts.
        detect: the size that was asked for.
        n, unscored: judgments of the questions, and those that could not be made.
        signature: of what could change the numbers.
        main: judge and question by which regressions are ordered.
        items: what is known of the conversations to read, by version and id.
    """

    versions: Mapping[str, int]
    baseline: str
    pairing: Mapping[str, Matching]
    differences: Annotated[
        Sequence[Difference],
        Table("Better or worse", "Means of both versions, and how they differ.", "group"),
    ]
    segments: Annotated[
        Sequence[Difference],
        Table("By segment", "The same for each segment, largest drop first.", "group"),
    ]
    regressions: Annotated[
        Sequence[Regression],
        Table(
            "Conversations to read",
            "Those that fell furthest, by segment; without pairs, the lowest.",
            "version",
        ),
    ]
    by: str | None
    level: float
    detect: float | None
    n: Hidden[int]
    unscored: Hidden[int]
    signature: str
    main: tuple[str, str] = field(repr=False)
    items: Mapping[tuple[str, str], Item] = field(repr=False)
    notes: Sequence[str] = ()

    @property
    def worse(self) -> Sequence[Difference]:
        """What is worse than the baseline, at the level."""
        return [row for row in self.differences if row.verdict == "worse"]

    @property
    def alarm(self) -> str | None:
        """Name what is worse than the baseline on all conversations; None where nothing is."""
        if not self.worse:
            return None
        names = "; ".join(f"{self.name_row(row)} {self._format_change(row)}" for row in self.worse)
        return f"worse than {self.baseline}: {names}"

    @property
    def sentence(self) -> str:
        """What got worse, how each version does on the main question, how many of several moved."""
        rows = [row for row in self.differences if (row.judge, row.question) == self.main]
        sentence = f"{self._fallen}{'; '.join(map(self._describe, rows))}."
        total = len(self.differences)
        if total == 1:
            return sentence
        better = sum(row.verdict == "better" for row in self.differences)
        return f"{sentence} Better in {better}, worse in {len(self.worse)} of {total} comparisons."

    @property
    def _fallen(self) -> str:
        """What got worse, segments before questions; nothing where nothing did."""
        rows = self.segments or self.differences
        worse = [row for row in rows if row.verdict == "worse"]
        if not worse:
            return ""
        names = list(dict.fromkeys(self.name_row(row) for row in worse))
        words = ", ".join(names[:MOST_NAMED]) + (" and others" if len(names) > MOST_NAMED else "")
        return f"Worse in {len(worse):,} of {len(rows):,}: {words}. "

    def name_row(self, row: Difference) -> str:
        """Return a row's segment, else its question, and more where rows differ in more."""
        names = [row.segment or row.question]
        if row.segment and len({other.question for other in self.differences}) > 1:
            names.append(row.question)
        if len({other.judge for other in self.differences}) > 1:
            names.append(row.judge)
        if len(self.versions) > 2:
            names.append(row.version)
        return names[0] if len(names) == 1 else f"{names[0]} ({', '.join(names[1:])})"

    def _describe(self, row: Difference) -> str:
        verdict = f"is {row.verdict} than" if row.verdict else "cannot be told from"
        return (
            f"{row.version} {verdict} {self.baseline} on {row.question}: {self._format_change(row)}"
        )

    def _format_change(self, row: Difference) -> str:
        digits = digits_for([row.before.estimate, row.after.estimate])
        change = number(row.difference.estimate, digits, signed=True)
        ends = interval(row.difference, digits, signed=True)
        return f"{change} {ends}, p {p_value(row.p_value)}"

    @property
    def table_notes(self) -> Mapping[str, Sequence[str]]:
        """How p-values were corrected, what shares and sizes are, in what order to read."""
        judge, question = self.main
        paired = any(row.before_item for row in self.regressions)
        order = "Those that fell furthest" if paired else "The lowest"
        pairs = [f"{self.baseline} and {name}: {how.why}." for name, how in self.pairing.items()]
        return {
            "differences": [
                *self._undecided,
                *pairs,
                *self._intervals(self.differences),
                *self._legend,
            ],
            "segments": [f"Segments are values of {self.by}.", *self._intervals(self.segments)],
            "regressions": [f"{order}, by {question} ({judge})."],
        }

    @property
    def _undecided(self) -> list[str]:
        """A sentence for each version that cannot be told from the baseline on the main question,
        which no verdict in the table says."""
        rows = [row for row in self.differences if (row.judge, row.question) == self.main]
        return [f"{self._describe(row)}." for row in rows if not row.verdict]

    def _intervals(self, rows: Sequence[Difference]) -> list[str]:
        level = number(100 * (1 - self.level), 0)
        corrected = f"; p-values are corrected for {len(rows):,} comparisons (Holm)"
        return [f"Intervals are {level}%{corrected if len(rows) > 1 else ''}."]

    @property
    def _legend(self) -> list[str]:
        paired = {row.paired for row in self.differences}
        notes = []
        if True in paired:
            notes.append("Of pairs: how many conversations are better than before, equal, worse.")
        if False in paired:
            notes.append(
                "Without pairs: how often a conversation drawn from the one version is above,"
                " equal to, below one drawn from the other."
            )
        notes.append("Detectable: smallest difference this many conversations show 4 times in 5.")
        if self.detect is not None:
            notes.append(
                f"Needed: conversations a version that show a difference of {self.detect:g} as"
                " often; more: how many are lacking."
            )
        return notes
