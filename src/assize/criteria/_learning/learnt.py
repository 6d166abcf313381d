"""What learning comes to: the pool and how it came about, or what it would cost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, ClassVar

from assize.criteria._criterion import CONDUCTS, MAXIMS, CriteriaSet, Criterion, Pattern, Polarity
from assize.judging.records import AGAIN
from assize.judging.usage_total import UsageTotal
from assize.results import Column, Hidden, Result, Table, derive
from assize.results.numbers import counted

NAMED = {"sat": "satisfaction", "dsat": "dissatisfaction"}
FEW = 10  # conversations a class, below which a note says so
TOGETHER = "together"
_MOST = 20  # criteria that are shown


@dataclass(frozen=True, slots=True)
class Side:
    """What came of the conversations of one label.

    Args:
        conversations: that have the label.
        unscored: by reason, how many no pattern could be had of.
        without: how many show no pattern, as the model says.
        patterns: of the others together.
        batches: mini-batches of them.
        failed: by reason, mini-batches without an answer.
        before: criteria before deduplication.
        after: criteria in the pool.
        uncovered: patterns that no criterion covers.
        undecided: groups of look-alikes that nobody decided about.
        stopped: the rest waits for what failed for a reason that passes.
        unread: criteria that the encoder cannot read, which are compared with none.
    """

    conversations: int = 0
    unscored: Hidden[Mapping[str, int]] = field(default_factory=dict)
    without: Annotated[int, Column("without pattern")] = 0
    patterns: int = 0
    batches: int = 0
    failed: Hidden[Mapping[str, int]] = field(default_factory=dict)
    before: Annotated[int, Column("criteria")] = 0
    after: Annotated[int, Column("in pool")] = 0
    uncovered: Hidden[int] = 0
    undecided: Hidden[int] = 0
    stopped: Hidden[bool] = False
    unread: Hidden[int] = 0


@dataclass(frozen=True, slots=True)
class UnscoredCalls:
    """How many calls had no answer, for one reason."""

    criteria_of: str
    what: str
    reason: str
    unscored: int


@dataclass(frozen=True, slots=True)
class TagCount:
    """How many criteria of each polarity have a tag."""

    value: str
    sat: Annotated[int, Column("SAT")]
    dsat: Annotated[int, Column("DSAT")]


@dataclass(frozen=True, slots=True)
class LearntCriterion:
    """A criterion of the pool; where it comes from stands in the pool's own file.

    Args:
        polarity: `sat` or `dsat`.
        conversations: that it was learnt from.
        about, maxim: None where nobody said.
        patterns: that it covers.
        merged: texts of the same meaning that were merged into it.
    """

    id: Hidden[str]
    polarity: str
    criterion: str
    conversations: int
    about: Hidden[str | None]
    maxim: Hidden[str | None]
    patterns: Hidden[Sequence[str]]
    merged: Hidden[Sequence[str]]

    @classmethod
    def of(cls, criterion: Criterion) -> LearntCriterion:
        """Return the row of a criterion."""
        return cls(
            criterion.id,
            criterion.polarity,
            criterion.text,
            len(criterion.conversations),
            criterion.about,
            criterion.maxim,
            criterion.patterns,
            [merged.text for merged in criterion.merged],
        )


@dataclass(frozen=True, slots=True)
class Learnt(Result):
    """The criteria that were learnt, and how.

    Args:
        pool: all of them, deduplicated; what selection chooses from.
        patterns: that they were learnt from.
        sides: what came of good conversations (`sat`) and of bad ones (`dsat`).
        spent: what it took.
        out: the run's folder; None for what was learnt in memory.
        interrupted: it was stopped before the end; the same command continues.
        waiting: answers that wait for a batch.
        told: what else a reader should know.
    """

    heading: ClassVar[str] = "Criteria learnt"

    pool: CriteriaSet = field(repr=False)
    patterns: tuple[Pattern, ...] = field(repr=False)
    sides: Annotated[
        Mapping[Polarity, Side],
        Table(
            "From good conversations (sat) and bad ones (dsat)",
            "How many patterns and criteria came of the conversations of each label.",
            key="polarity",
        ),
    ]
    spent: UsageTotal | None = None
    out: Path | None = None
    interrupted: bool = False
    waiting: Hidden[int] = 0
    told: tuple[str, ...] = field(default=(), repr=False)
    criteria: Annotated[
        Sequence[LearntCriterion],
        Table(
            "Criteria",
            "Those that most conversations speak for come first.",
            most=_MOST,
        ),
    ] = field(init=False)
    about: Annotated[
        Sequence[TagCount], Table("About", "Whose conduct the criteria are about.")
    ] = field(init=False)
    maxim: Annotated[
        Sequence[TagCount],
        Table("Maxim", "Which of Grice's maxims they follow (SAT) or break (DSAT)."),
    ] = field(init=False)
    unscored: Annotated[
        Sequence[UnscoredCalls],
        Table("Calls without an answer", "Why no pattern or criterion could be had."),
    ] = field(init=False)
    name: str = field(init=False)
    signature: str = field(init=False)

    def __post_init__(self) -> None:
        rows = [LearntCriterion.of(criterion) for criterion in self.pool.criteria]
        derive(
            self,
            criteria=sorted(rows, key=lambda row: -row.conversations),
            about=_tagged(rows, "about", CONDUCTS),
            maxim=_tagged(rows, "maxim", MAXIMS),
            unscored=[
                UnscoredCalls(NAMED[polarity], what, reason, count)
                for polarity, side in self.sides.items()
                for what, reasons in (
                    ("conversations", side.unscored),
                    ("mini-batches", side.failed),
                )
                for reason, count in reasons.items()
            ],
            name=self.pool.name,
            signature=self.pool.wording,
        )

    @property
    def sentence(self) -> str:
        """How many criteria of what, from how many conversations."""
        total = sum(side.conversations for side in self.sides.values())
        return (
            f"{self.pool.name}: {len(self.pool.of('sat')):,} criteria of satisfaction and"
            f" {len(self.pool.of('dsat')):,} of dissatisfaction"
            + (f", learnt from {counted(total, 'conversation')}" if total else "")
            + ("." if self.pool.domain is None else f"; {self.pool.domain.task}.")
        )

    @property
    def notes(self) -> Sequence[str]:
        """What it took, what is left to do, and what to mind."""
        said = []
        for polarity, one in self.sides.items():
            said += _about(NAMED[polarity], one)
        few = [one for one in self.sides.values() if one.conversations < FEW]
        if few:
            counts = " and ".join(
                f"{one.conversations} {'good' if polarity == 'sat' else 'bad'}"
                for polarity, one in self.sides.items()
            )
            said.append(
                f"learnt from {counts} conversations: what tells so few apart may be chance;"
                f" label at least {FEW} of each, better 50"
            )
        said += self.told
        if self.out is not None and self.pool.criteria and not self.interrupted:
            n = len(self.pool.criteria)
            said.append(f"{n} criteria and where they come from: {self.out / 'criteria.yaml'}")
        return said

    @property
    def unfinished(self) -> Sequence[str]:
        """Why it is not at its end, if it is not."""
        said = [*super(Learnt, self).unfinished]
        for polarity, one in self.sides.items():
            if one.stopped and not self.interrupted:
                said.append(
                    f"criteria of {NAMED[polarity]} are not complete: a call failed; the same"
                    " command goes on there"
                )
        return said

    @property
    def missing(self) -> tuple[int, int]:
        """Calls without an answer, and all: conversations, mini-batches, groups undecided."""
        unscored = sum(
            sum(one.unscored.values()) + sum(one.failed.values()) + one.undecided
            for one in self.sides.values()
        )
        total = sum(one.conversations + one.batches for one in self.sides.values())
        return unscored, max(1, total)


def _tagged(rows: Sequence[LearntCriterion], tag: str, values: Sequence[str]) -> Sequence[TagCount]:
    """Return how many criteria have each value of a tag; none where none has any."""
    counts = Counter((getattr(row, tag), row.polarity) for row in rows)
    if not any(value for value, _ in counts):
        return ()
    known: list[str | None] = [*values]
    if any(value is None for value, _ in counts):
        known.append(None)
    return [
        TagCount(value or "not said", counts[value, "sat"], counts[value, "dsat"])
        for value in known
    ]


def _about(name: str, one: Side) -> list[str]:
    said = []
    for what, reasons in (("conversations", one.unscored), ("mini-batches", one.failed)):
        for reason, count in reasons.items():
            again = "the same command" if reason in AGAIN else "--retry"
            said.append(f"{name}: {count} {what} unscored: {reason} ({again} asks again)")
    if one.without:
        said.append(f"{name}: {one.without} conversations show no pattern, as the model says")
    if one.uncovered:
        said.append(f"{name}: {one.uncovered} of {one.patterns} patterns are in no criterion")
    if one.undecided:
        said.append(f"{name}: {one.undecided} groups of look-alikes were left as they are")
    if one.unread:
        said.append(
            f"{name}: {one.unread} criteria were compared with none: most of their tokens are"
            " unknown to the encoder"
        )
    if not one.before and not one.stopped:
        said.append(f"{name}: no criterion could be learnt")
    return said
