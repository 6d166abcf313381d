"""When items were: times from a metadata field or a mapping, and periods of the calendar."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from assize.base.conversation import Item
from assize.base.errors import ConfigError, DataError, shorten
from assize.base.fields import no_field, values_of

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]

FORMS = (
    "ISO 8601 (2026-03-01, 2026-03-01T09:30, with Z or +01:00 where a zone is known), or seconds"
    " or milliseconds since 1970"
)
_LEAST, _MOST = 1e8, 1e14  # numbers between are seconds, or milliseconds from `_MILLI` on
_MILLI = 1e11
_PERIODS = {"day": "D", "month": "M"}
_DAY = 86_400.0
_THURSDAY = 3  # of 1970 began the count of days
MOST_PERIODS = 500


class ItemTimes(Protocol):
    """A dict from an item's id to its time, in any of `FORMS`, or a `datetime`."""

    def __getitem__(self, id: str, /) -> Any:
        """The time of an item."""
        ...

    def __iter__(self) -> Iterator[str]:
        """The ids."""
        ...


@dataclass(frozen=True, slots=True)
class Times:
    """Times by item.

    Args:
        field: where they come from.
        at: seconds since 1970 in UTC, by id.
        missing: why others have none, by id.
        local: how many were given without a zone; they count as UTC.
    """

    field: str
    at: Mapping[str, float]
    missing: Mapping[str, str]
    local: int = 0


def times_of(items: Iterable[Item] | None, spec: str | ItemTimes) -> Times:
    """The time of each item.

    Args:
        spec: a field, as in `labels_of`; in Python also times by item id.

    Raises:
        DataError: no item has a time that can be read.
    """
    listed = list(items or ())
    if isinstance(spec, str):
        given = {one.id: next(iter(values_of(one, spec)), None) for one in listed}
        name = spec
    else:
        given, name = {one: spec[one] for one in spec}, "what was given"
    at: dict[str, float] = {}
    missing: dict[str, str] = {}
    local = 0
    for item, value in given.items():
        if value is None or value == "":
            missing[item] = "missing"
            continue
        read = read_time(value)
        if read is None:
            missing[item] = f"unreadable: {shorten(value)}"
        else:
            at[item] = read[0]
            local += read[1]
    if not at:
        read_none = next((why for why in missing.values() if why != "missing"), None)
        if read_none is None and isinstance(spec, str) and listed:
            raise no_field(spec, listed)
        problem = "no time is given" if read_none is None else f"no time can be read ({read_none})"
        raise DataError(f"{problem}; times are {FORMS}", source=f"time {name}")
    return Times(name, at, missing, local)


def read_time(value: Any) -> tuple[float, bool] | None:
    """Seconds since 1970 in UTC, and whether the value lacked a zone; None where it is no time.

    >>> read_time("2026-03-01T01:00+01:00"), read_time(1772323200000), read_time("soon")
    ((1772323200.0, False), (1772323200.0, False), None)
    """
    if isinstance(value, datetime):
        return _seconds(value)
    if isinstance(value, date):
        return _seconds(datetime(value.year, value.month, value.day))
    if isinstance(value, bool) or not isinstance(value, str | int | float | np.number):
        return None
    try:
        number = float(value)
    except ValueError:
        return _iso(str(value))
    if _LEAST <= number < _MOST:
        return (number / 1000 if number >= _MILLI else number), False
    return _iso(value) if isinstance(value, str) else None


def _iso(text: str) -> tuple[float, bool] | None:
    try:
        return _seconds(datetime.fromisoformat(text.strip()))
    except ValueError:
        return None


def _seconds(at: datetime) -> tuple[float, bool] | None:
    local = at.tzinfo is None
    try:
        return (at.replace(tzinfo=UTC) if local else at).timestamp(), local
    except (OverflowError, ValueError):
        return None


@dataclass(frozen=True, slots=True)
class Period:
    """A stretch of time: from `start` up to `stop`, seconds since 1970 in UTC.

    Args:
        name: `2026-03-01`, `2026-03`, or the first day of so many conversations.
        n: items in it.
    """

    name: str
    start: float
    stop: float
    n: int


def periods_of(at: FloatArray, every: str) -> tuple[IntArray, list[Period]]:
    """The period of each time (N,), as a place among those in which there is any; none for none.

    Args:
        every: day, week (from Monday), month, or a number of items; where it leaves a rest, the
            first period is the shorter one.

    Raises:
        ConfigError: `every` is none of these, or there would be too many periods.
    """
    counted = every.isdecimal() and int(every) > 0
    if not counted and every not in (*_PERIODS, "week"):
        raise ConfigError(f"every {every}: allowed are day, week, month and a number")
    if not len(at):
        return np.zeros(0, dtype=np.int64), []
    if counted:
        codes, starts = _counted(at, int(every))
    else:
        codes, starts = _of_calendar(at, every)
    if len(starts) > MOST_PERIODS:
        problem = f"every {every} makes {len(starts):,} periods, and {MOST_PERIODS} are the most"
        raise ConfigError(f"{problem}; take longer ones")
    counts = np.bincount(codes, minlength=len(starts)).tolist()
    stops = [*starts[1:], float(at.max(initial=0.0))]
    length = len("2026-03") if every == "month" else len("2026-03-01")
    return codes, [
        Period(day_of(start)[:length], start, stop, n)
        for start, stop, n in zip(starts, stops, counts, strict=True)
    ]


def _counted(at: FloatArray, size: int) -> tuple[IntArray, Sequence[float]]:
    order = np.argsort(at, kind="stable")
    rank = np.empty(len(at), dtype=np.int64)
    rank[order] = np.arange(len(at))
    rest = len(at) % size
    codes = (rank + (size - rest if rest else 0)) // size
    return codes, [float(at[codes == one].min()) for one in range(int(codes.max()) + 1)]


def _of_calendar(at: FloatArray, every: str) -> tuple[IntArray, Sequence[float]]:
    days = np.floor(at / _DAY).astype(np.int64)
    if every == "week":
        first = days - (days + _THURSDAY) % 7
    else:
        unit = days.astype("datetime64[D]").astype(f"datetime64[{_PERIODS[every]}]")
        first = unit.astype("datetime64[D]").astype(np.int64)
    starts, codes = np.unique(first, return_inverse=True)
    return codes.astype(np.int64).reshape(-1), (starts * _DAY).tolist()


def day_of(at: float) -> str:
    """The day of a time in UTC.

    >>> day_of(1772323200.0)
    '2026-03-01'
    """
    return str(np.datetime64(int(np.floor(at / _DAY)), "D"))
