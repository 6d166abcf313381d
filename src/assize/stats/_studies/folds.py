"""How a study holds data out, as a caller says it: in folds, or one group at a time."""

from __future__ import annotations

from dataclasses import dataclass

from assize.base.arguments import check_range


@dataclass(frozen=True, slots=True)
class KFold:
    """Parts of which each is held out once.

    Args:
        folds: number of folds of items.
        folds_by: keep items of one group in the same fold: system, metadata.NAME (of the items), or
            group 1 of a regular expression on ids.
        seeds: repetitions, with new folds and starts.

    Raises:
        ConfigError: a number is outside its range.
    """

    folds: int = 5
    folds_by: str | None = None
    seeds: int = 3

    def __post_init__(self) -> None:
        check_range("folds", self.folds, 2)
        check_range("seeds", self.seeds, 1)


@dataclass(frozen=True, slots=True)
class LeaveOut:
    """Groups of which each is held out once.

    Args:
        leave_out: hold out one group at a time: system, metadata.NAME (of the items), or group 1 of
            a regular expression on ids.
        seeds: repetitions, with new folds and starts.

    Raises:
        ConfigError: a number is outside its range.
    """

    leave_out: str
    seeds: int = 3

    def __post_init__(self) -> None:
        check_range("seeds", self.seeds, 1)
