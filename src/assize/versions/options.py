"""What a comparison of versions is asked for, beside a version to compare with."""

from __future__ import annotations

from dataclasses import dataclass

from assize.base.arguments import check_range


@dataclass(frozen=True, slots=True)
class OverTime:
    """Each version against its own past.

    Args:
        field: of the conversations, with their time.
        every: day, week (from Monday), month, or a number of conversations.
    """

    field: str
    every: str | int = "week"


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
