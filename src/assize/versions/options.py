"""What a comparison of versions is asked for, beside a version to compare with."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from assize.base.arguments import check_range
from assize.criteria._criterion import CriteriaSet
from assize.formats.times import ItemTimes


@dataclass(frozen=True, slots=True)
class OverTime:
    """Each version against its own past.

    Args:
        field: field with the time of conversations: quality over time instead, by version. Dates
            or times of ISO 8601, or seconds or milliseconds since 1970; in Python also times by id.
        every: period over time: day, week (from Monday), month, or a number of conversations.
        criteria: over time, file of criteria by which conversations were scored. It gives texts,
            threshold and window; without it all questions that have numbers are looked at.
        least: conversations on each side of a change over time.
        fail_on_drop: over time, end with 1 where the latest period is worse than those before it on
            any question. The result says so in `alarm`.

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
        main: the question by which regressions are ordered, overall by default.
        keep: how many conversations to read.

    Raises:
        ConfigError: `keep` is below 0.
    """

    main: str | None = None
    keep: int = 10

    def __post_init__(self) -> None:
        check_range("keep", self.keep, 0)
