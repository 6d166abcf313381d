"""What each step of a recipe left, in order: conversations, then pairs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Annotated, TypeVar

from assize.results import Column, Hidden, derive

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Stage:
    """One step: its name, what it counts, how many are left, and why others are not.

    Args:
        gone: how many are not left, by reason.
        votes: that made them go, where these are counted in `unit`s.
        why: what is not left, by reason; where votes are the reason, these in brackets.

    >>> Stage("consistent", "pairs", 2, {"not consistent": 1}, {"votes changed": 3}).why
    '1 (3 votes changed)'
    """

    step: str
    unit: Annotated[str, Column("of")]
    left: int
    gone: Hidden[Mapping[str, int]] = field(default_factory=dict)
    votes: Hidden[Mapping[str, int]] = field(default_factory=dict)
    why: Annotated[str, Column("left out")] = field(init=False)

    def __post_init__(self) -> None:
        gone, votes = (
            ", ".join(f"{n:,} {reason}" for reason, n in counts.items())
            for counts in (self.gone, self.votes)
        )
        why = f"{sum(self.gone.values()):,} ({votes})" if votes else gone
        derive(self, why=why)


@dataclass(slots=True)
class Funnel:
    """Steps in the order in which they were taken."""

    stages: list[Stage] = field(default_factory=list)

    def add(
        self,
        step: str,
        unit: str,
        left: int,
        gone: Mapping[str, int] | None = None,
        votes: Mapping[str, int] | None = None,
    ) -> None:
        """A step with what is left after it, reasons of what is not, and votes that were them."""
        some, cast = (
            {reason: count for reason, count in (of or {}).items() if count} for of in (gone, votes)
        )
        self.stages.append(Stage(step, unit, left, some, cast))

    def keep(
        self, step: str, unit: str, records: Iterable[T], fits: Callable[[T], bool]
    ) -> list[T]:
        """Return the records that fit, and add the step."""
        left = [record for record in records if fits(record)]
        self.add(step, unit, len(left))
        return left

    def __str__(self) -> str:
        """All steps in one line, for where no table can be shown."""
        return "; ".join(
            f"{stage.step}: {stage.left:,} {stage.unit}"
            + (f", left out {stage.why}" if stage.why else "")
            for stage in self.stages
        )
