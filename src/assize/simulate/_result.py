"""What every function that makes data returns: the records, and what making them took."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, TypeVar

from assize.judging.session import RunFacts
from assize.judging.usage_total import UsageTotal
from assize.results import Column, Hidden, Records, derive

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Simulated(Records[T]):
    """Records that were made. Iterating gives them.

    Args:
        records: in their order; working data, which no table shows.
        count: how many there are.
        notes: what a reader should know.
        scrubbed: placeholders by kind; None where nothing was scrubbed.
        spent: what asking models took; None where none was asked.
        outputs: what was written, with how many records.
        out: the run's folder, or the file; None where nothing was written.
        interrupted: it was stopped before the end; the same call continues.
        waiting: answers that wait for a batch.
    """

    records: Sequence[T] = field(repr=False)
    count: Annotated[int, Column("records")] = field(init=False)
    notes: Sequence[str] = ()
    scrubbed: Mapping[str, int] | None = None
    spent: UsageTotal | None = None
    outputs: Mapping[str, int] = field(default_factory=dict)
    out: Path | None = None
    interrupted: bool = False
    waiting: Hidden[int] = 0
    signature: str = ""

    def __post_init__(self) -> None:
        derive(self, count=len(self.records))


def facts_of(run: RunFacts, out: Path) -> dict[str, Any]:
    """Return the fields of a result that say how its run in a folder went."""
    return {
        "spent": run.spent,
        "out": out,
        "interrupted": run.interrupted,
        "waiting": run.waiting,
    }
