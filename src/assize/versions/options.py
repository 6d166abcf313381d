"""What a comparison of versions is asked for, beside a version to compare with."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from assize.base.arguments import check_range

if TYPE_CHECKING:
    from assize.criteria._criterion import CriteriaSet
    from assize.formats.times import ItemTimes


@dataclass(frozen=True, slots=True)
class OverTime:
    """Each version against its own past.

    Args:
        field: of the conversations, with their time: ISO 8601 dates or times, or seconds or
            milliseconds since 1970; or the times by id.
        every: day, week (from Monday), month, or a number of conversations.
        criteria: set by which they were scored, or its file, for texts, threshold and window;
            without it all questions that have numbers are looked at.
        least: conversations on each side of a change.
        fail_on_drop: say in `alarm` where the latest period is worse than those before it.

    Raises:
        ConfigError: `least` is below 2.
    """

    field: str | ItemTimes
    every: str | int = "week"
    criteria: str | Path | CriteriaSet | None = None
    least: int = 20
    fail_on_drop: bool = False

    def __post_init__(self) -> None:
        check_range("least", self.least, 2)


@dataclass(frozen=True, slots=True)
class Regressions:
    """Which conversations to read: those that became worse, the worst first.

    Args:
        by: the question by which they are ordered; overall by default.
        keep: how many there are at most.

    Raises:
        ConfigError: `keep` is below 0.
    """

    by: str | None = None
    keep: int = 10

    def __post_init__(self) -> None:
        check_range("keep", self.keep, 0)
