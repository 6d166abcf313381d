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
        field: field with the time of conversations: follow quality over time, by version, instead.
            Dates or times of ISO 8601, or seconds or milliseconds since 1970; in Python also times
            by id.
        every: over time, length of a period: day, week (from Monday), month, or a number of
            conversations.
        criteria: over time, file of the criteria that conversations were scored by. It gives texts,
            threshold and window; without it all questions that have numbers are looked at.
        least: over time, minimum number of conversations on each side of a change.

    Raises:
        ConfigError: `least` is below 2.
    """

    field: str | ItemTimes
    every: str | int = "week"
    criteria: str | Path | CriteriaSet | None = None
    least: int = 20

    def __post_init__(self) -> None:
        check_range("least", self.least, 2)


@dataclass(frozen=True, slots=True)
class Regressions:
    """Which conversations to read: those that became worse, the worst first.

    Args:
        main: question that orders the regressions. Default: overall.
        keep: number of conversations to list for reading.

    Raises:
        ConfigError: `keep` is below 0.
    """

    main: str | None = None
    keep: int = 10

    def __post_init__(self) -> None:
        check_range("keep", self.keep, 0)
