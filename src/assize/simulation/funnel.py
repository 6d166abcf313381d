"""What each step of a recipe left, in order: conversations, then pairs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from assize.results import ResultTable, columns


@dataclass(frozen=True, slots=True)
class Stage:
    """One step: its name, what it counts, how many are left, and why others are not.

    Args:
        votes: that made them go, where these are counted in `unit`s.
    """

    step: str
    unit: str
    left: int
    gone: Mapping[str, int] = field(default_factory=dict)
    votes: Mapping[str, int] = field(default_factory=dict)

    @property
    def why(self) -> str:
        """What is not left, by reason; where votes are the reason, these in brackets.

        >>> Stage("consistent", "pairs", 2, {"not consistent": 1}, {"votes changed": 3}).why
        '1 (3 votes changed)'
        """
        gone, votes = (
            ", ".join(f"{n:,} {why}" for why, n in of.items()) for of in (self.gone, self.votes)
        )
        return f"{sum(self.gone.values()):,} ({votes})" if votes else gone


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

    @property
    def lines(self) -> list[str]:
        """A line a step, for where no table can be shown."""
        return [
            f"{one.step}: {one.left:,} {one.unit}" + (f"; left out {one.why}" if one.why else "")
            for one in self.stages
        ]

    def table(self) -> ResultTable:
        """A row a step."""
        named = columns("words", "step", "of") + columns("count", "left")
        named += columns("words", "left out")
        rows = [(one.step, one.unit, one.left, one.why) for one in self.stages]
        return ResultTable("What each step left", named, rows)

    def to_json(self) -> list[dict[str, Any]]:
        """A row a step."""
        return [
            {"step": one.step, "of": one.unit, "left": one.left, "left_out": dict(one.gone)}
            | ({"votes": dict(one.votes)} if one.votes else {})
            for one in self.stages
        ]
