"""What learning comes to: the pool and how it came about."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, ClassVar

from assize.criteria._criterion import CriteriaSet, Pattern, Polarity
from assize.judging.usage_total import UsageTotal
from assize.results import Column, Hidden, Result, Table, derive
from assize.results.numbers import counted

NAMED = {"sat": "satisfaction", "dsat": "dissatisfaction"}
FEW = 10  # conversations a class, below which a note says so
_MOST = 20  # criteria that are shown


@dataclass(frozen=True, slots=True)
class LearnCounts:
    """What came of the conversations of one label.

    Args:
        unscored: how many no pattern could be had of.
        without: how many show no pattern, as the model says.
        patterns: of the others together.
        criteria: before deduplication; `pool` are those left after it.
    """

    conversations: int = 0
    unscored: int = 0
    without: Annotated[int, Column("without pattern")] = 0
    patterns: int = 0
    criteria: int = 0
    pool: Annotated[int, Column("in pool")] = 0


@dataclass(frozen=True, slots=True)
class UnscoredCalls:
    """How many calls of a stage had no answer, for one reason."""

    stage: str
    reason: str
    unscored: int


@dataclass(frozen=True, slots=True)
class LearntCriterion:
    """A criterion of the pool; where it comes from stands in the pool's own file.

    Args:
        polarity: `sat` or `dsat`.
        conversations: that it was learnt from.
    """

    id: Hidden[str]
    polarity: str
    criterion: str
    conversations: int


@dataclass(frozen=True, slots=True)
class LearnResult(Result):
    """The criteria that were learnt, and how.

    Args:
        pool: all of them, deduplicated; what selection chooses from.
        patterns: that they were learnt from.
        counts: what came of good conversations (`sat`) and of bad ones (`dsat`).
        unscored: calls without an answer, by stage and reason.
        calls: that were made.
        stopped: polarities whose rest waits for what failed for a reason that passes.
        told: what a reader should mind.
        spent: what it took.
        out: folder of the run; None for what was learnt in memory.
        interrupted: it was stopped before the end; the same command continues.
        waiting: answers that wait for a batch.
    """

    heading: ClassVar[str] = "Criteria learnt"

    pool: CriteriaSet = field(repr=False)
    patterns: tuple[Pattern, ...] = field(repr=False)
    counts: Annotated[
        Mapping[Polarity, LearnCounts],
        Table(
            "From good conversations (sat) and bad ones (dsat)",
            "How many patterns and criteria came of the conversations of each label.",
            key="polarity",
        ),
    ] = field(default_factory=dict)
    unscored: Annotated[
        Sequence[UnscoredCalls],
        Table("Calls without an answer", "Why no pattern or criterion could be had."),
    ] = ()
    calls: Hidden[int] = 0
    stopped: Hidden[Sequence[Polarity]] = ()
    told: Sequence[str] = field(default=(), repr=False)
    spent: UsageTotal | None = None
    out: Path | None = None
    interrupted: bool = False
    waiting: Hidden[int] = 0
    criteria: Annotated[
        Sequence[LearntCriterion],
        Table("Criteria", "Those that come from most conversations first.", most=_MOST),
    ] = field(init=False)
    name: str = field(init=False)
    signature: str = field(init=False)

    def __post_init__(self) -> None:
        rows = [
            LearntCriterion(one.id, one.polarity, one.text, len(one.conversations))
            for one in self.pool.criteria
        ]
        derive(
            self,
            criteria=sorted(rows, key=lambda row: -row.conversations),
            name=self.pool.name,
            signature=self.pool.wording,
        )

    @property
    def sentence(self) -> str:
        """How many criteria of what, from how many conversations."""
        total = sum(row.conversations for row in self.counts.values())
        return (
            f"{self.pool.name}: {len(self.pool.of('sat')):,} criteria of satisfaction and"
            f" {len(self.pool.of('dsat')):,} of dissatisfaction"
            + (f", learnt from {counted(total, 'conversation')}" if total else "")
            + ("." if self.pool.domain is None else f"; {self.pool.domain.task}.")
        )

    @property
    def notes(self) -> Sequence[str]:
        """What is missing, what to mind, and where the pool is."""
        notes = [*self.told]
        if self.unscored:
            notes.append(
                f"{self.missing[0]} calls have no answer; the same command asks again where the"
                " reason may have passed, and --retry where it has not"
            )
        for polarity, row in self.counts.items():
            if not row.criteria and polarity not in self.stopped:
                notes.append(f"{NAMED[polarity]}: no criterion could be learnt")
        if any(row.conversations < FEW for row in self.counts.values()):
            counts = " and ".join(
                f"{row.conversations} {'good' if polarity == 'sat' else 'bad'}"
                for polarity, row in self.counts.items()
            )
            notes.append(
                f"learnt from {counts} conversations: what tells so few apart may be chance;"
                f" label at least {FEW} of each, better 50"
            )
        if self.out is not None and self.pool.criteria and not self.interrupted:
            n = len(self.pool.criteria)
            notes.append(f"{n} criteria and where they come from: {self.out / 'criteria.yaml'}")
        return notes

    @property
    def unfinished(self) -> Sequence[str]:
        """Why it is not at its end, if it is not."""
        stopped = () if self.interrupted else self.stopped
        return [
            *super(LearnResult, self).unfinished,
            *(
                f"criteria of {NAMED[polarity]} are not complete: a call failed; the same"
                " command goes on there"
                for polarity in stopped
            ),
        ]

    @property
    def missing(self) -> tuple[int, int]:
        """Calls without an answer, and all."""
        return sum(row.unscored for row in self.unscored), max(1, self.calls)
