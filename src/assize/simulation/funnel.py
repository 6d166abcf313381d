"""What each step of a recipe left, in order: conversations, then pairs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from assize.tables import ResultTable, columns


@dataclass(frozen=True, slots=True)
class Stage:
    """One step: its name, what it counts, how many are left, and why others are not."""

    step: str
    unit: str
    left: int
    gone: Mapping[str, int] = field(default_factory=dict)


@dataclass(slots=True)
class Funnel:
    """Steps in the order in which they were taken."""

    stages: list[Stage] = field(default_factory=list)

    def add(self, step: str, unit: str, left: int, gone: Mapping[str, int] | None = None) -> None:
        """A step with what is left after it, and reasons of what is not."""
        some = {reason: count for reason, count in (gone or {}).items() if count}
        self.stages.append(Stage(step, unit, left, some))

    @property
    def lines(self) -> list[str]:
        """A sentence a step, for where no table can be shown."""
        each = [(f"{one.step}: {one.left:,} {one.unit}", one.gone) for one in self.stages]
        return [
            said + (f" ({', '.join(f'{n:,} {why}' for why, n in gone.items())})" if gone else "")
            for said, gone in each
        ]

    def table(self) -> ResultTable:
        """A row a step."""
        named = columns("words", "step", "of") + columns("count", "left")
        named += columns("words", "left out")
        rows = [
            (one.step, one.unit, one.left, ", ".join(f"{n:,} {why}" for why, n in one.gone.items()))
            for one in self.stages
        ]
        return ResultTable("What each step left", named, rows)

    def to_json(self) -> list[dict[str, Any]]:
        """A row a step."""
        return [
            {"step": one.step, "of": one.unit, "left": one.left, "left_out": dict(one.gone)}
            for one in self.stages
        ]
