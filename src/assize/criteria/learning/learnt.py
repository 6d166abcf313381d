"""What learning comes to: the pool and how it came about, or what it would cost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from assize.criteria.criterion import (
    CONDUCTS,
    MAXIMS,
    POLARITIES,
    CriteriaSet,
    Pattern,
    Polarity,
)
from assize.judging.folder import AGAIN
from assize.judging.stepping import Spent, unfinished
from assize.models.estimating import Estimate
from assize.results import Result, ResultTable, columns

NAMED = {"sat": "satisfaction", "dsat": "dissatisfaction"}
FEW = 10  # conversations a class, below which a note says so
_SHOWN = 10  # criteria of each polarity that the result prints


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
    unscored: Mapping[str, int] = field(default_factory=dict)
    without: int = 0
    patterns: int = 0
    batches: int = 0
    failed: Mapping[str, int] = field(default_factory=dict)
    before: int = 0
    after: int = 0
    uncovered: int = 0
    undecided: int = 0
    stopped: bool = False
    unread: int = 0


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

    pool: CriteriaSet
    patterns: tuple[Pattern, ...]
    sides: Mapping[Polarity, Side]
    spent: Spent = field(default_factory=Spent)
    out: Path | None = None
    interrupted: bool = False
    waiting: int = 0
    told: tuple[str, ...] = ()

    @property
    def tables(self) -> Mapping[str, ResultTable]:
        """`learnt`: a row a label; `about` and `maxim`: what criteria speak of; `criteria`."""
        found = {"learnt": self._learnt()}
        if self.pool.criteria:
            found["about"] = self._tagged("Whose conduct they are about", "about", CONDUCTS)
            if any(one.maxim is not None for one in self.pool.criteria):
                found["maxim"] = self._tagged("Maxims they follow or break", "maxim", MAXIMS)
            found["criteria"] = self._criteria()
        return found

    def _learnt(self) -> ResultTable:
        named = columns("words", "")
        named += columns("count", "conversations", "unscored", "patterns", "batches")
        named += columns("count", "criteria", "in pool")
        rows = [
            (
                polarity.upper(),
                one.conversations,
                sum(one.unscored.values()),
                one.patterns,
                one.batches,
                one.before,
                one.after,
            )
            for polarity, one in self.sides.items()
        ]
        title = "From good conversations (SAT) and bad ones (DSAT)"
        return ResultTable(title, named, rows)

    def _tagged(self, title: str, name: str, values: Sequence[str]) -> ResultTable:
        counted = Counter((getattr(one, name), one.polarity) for one in self.pool.criteria)
        rows = [
            (value or "not said", *(counted[value, polarity] for polarity in POLARITIES))
            for value in (*values, None)
            if value is not None or any(counted[None, polarity] for polarity in POLARITIES)
        ]
        named = columns("words", name) + columns("count", *map(str.upper, POLARITIES))
        return ResultTable(title, named, rows)

    def _criteria(self) -> ResultTable:
        """Those that most conversations speak for."""
        named = columns("words", "", "criterion") + columns("count", "conversations")
        rows, cut = [], False
        for polarity in POLARITIES:
            ours = sorted(self.pool.of(polarity), key=lambda one: -len(one.conversations))
            cut = cut or len(ours) > _SHOWN
            rows += [(polarity.upper(), one.text, len(one.conversations)) for one in ours[:_SHOWN]]
        title = "Criteria, and how many conversations they were learnt from"
        return ResultTable(f"{title} (the first {_SHOWN})" if cut else title, named, rows)

    @property
    def notes(self) -> Sequence[str]:
        """What it took, what is left to do, and what to mind."""
        said = [*self.unfinished, str(self.spent)]
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
        said = [*unfinished(interrupted=self.interrupted, waiting=self.waiting)]
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

    def to_json(self) -> dict[str, Any]:
        """Counts, what it took, and the criteria with their provenance."""
        return {
            "name": self.pool.name,
            "signature": self.pool.wording,
            "sides": {polarity: asdict(one) for polarity, one in self.sides.items()},
            "spent": self.spent.to_json(),
            "interrupted": self.interrupted,
            "waiting": self.waiting,
            "criteria": [asdict(one) for one in self.pool.criteria],
            "out": None if self.out is None else str(self.out),
        }


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


@dataclass(frozen=True, slots=True)
class LearningEstimate(Result):
    """What extracting and summarising would take and cost beyond what folder and cache hold."""

    stages: Mapping[str, Estimate]
    conversations: int
    batches: int
    assumed: str

    @property
    def tables(self) -> Mapping[str, ResultTable]:
        """`estimate`: a row a stage, and their sum."""
        named = columns("words", "stage")
        named += columns("count", "calls", "cached", "tokens in", "tokens out")
        named += columns("words", "cost")
        rows = [(name, *_figures(one)) for name, one in (*self.stages.items(), self._sum())]
        return {"estimate": ResultTable("What it would take (estimated)", named, rows)}

    def _sum(self) -> tuple[str, Estimate]:
        each = self.stages.values()
        costs = [one.cost_usd for one in each]
        return "together", Estimate(
            sum(one.calls for one in each),
            sum(one.cached for one in each),
            sum(one.input_tokens for one in each),
            sum(one.output_tokens for one in each),
            None if None in costs else sum(cost or 0.0 for cost in costs),
        )

    @property
    def notes(self) -> Sequence[str]:
        """What was assumed."""
        n = f"{self.conversations} labelled conversations, {self.batches} mini-batches expected"
        said = [n, self.assumed]
        if any(one.cost_usd is None for one in self.stages.values()):
            said.append("no price is known for the model; see --prices")
        return said

    def to_json(self) -> dict[str, Any]:
        """Each stage's estimate."""
        named = {name: asdict(one) for name, one in (*self.stages.items(), self._sum())}
        return named | {"conversations": self.conversations, "mini_batches": self.batches}


def _figures(one: Estimate) -> tuple[int, int, int, int, str]:
    cost = "unknown" if one.cost_usd is None else f"${one.cost_usd:.4f}"
    return one.calls, one.cached, one.input_tokens, one.output_tokens, cost
