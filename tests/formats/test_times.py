"""Times of items, and periods."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, date, datetime
from typing import Any

import numpy as np
import pytest

from assize.base.conversation import Conversation
from assize.base.errors import ConfigError, DataError
from assize.formats.times import day_of, periods_of, read_time, times_of

MARCH = 1772323200.0  # 2026-03-01 in UTC


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("2026-03-01", (MARCH, True)),
        ("2026-03-01T00:00:00Z", (MARCH, False)),
        ("2026-03-01 02:00+02:00", (MARCH, False)),
        (1772323200, (MARCH, False)),
        (1772323200000.0, (MARCH, False)),
        ("1772323200", (MARCH, False)),
        (datetime(2026, 3, 1, tzinfo=UTC), (MARCH, False)),
        (date(2026, 3, 1), (MARCH, True)),
        ("20260301", (MARCH, True)),
        ("yesterday", None),
        ("2026-13-01", None),
        (2026, None),
        (float("nan"), None),
        (True, None),
        ([1772323200], None),
    ],
)
def test_times_are_read_or_said_to_be_none(value: Any, expected: Any) -> None:
    assert read_time(value) == expected


def test_missing_and_unreadable_times_are_named() -> None:
    chats = [
        Conversation(name, (), metadata=metadata)
        for name, metadata in (
            ("a", {"started": "2026-03-01"}),
            ("b", {}),
            ("c", {"started": "soon"}),
        )
    ]
    found = times_of(chats, "started")
    assert found.at == {"a": MARCH} == times_of(None, {"a": MARCH}).at
    assert found.missing == {"b": "missing", "c": "unreadable: 'soon'"}
    assert found.local == 1


DAY = 86_400
OTHER_PERIODS = ("hour", "0", "-3", "1.5", "")


@pytest.mark.parametrize(
    ("at", "every", "codes", "names"),
    [
        # A Sunday, the Monday after it, 1 April.
        ([0, DAY, 31 * DAY], "week", [0, 1, 2], ["2026-02-23", "2026-03-02", "2026-03-30"]),
        ([0, DAY, 31 * DAY], "month", [0, 0, 1], ["2026-03", "2026-04"]),
        # What a number leaves over is the first period.
        (range(7), "3", [0, 1, 1, 1, 2, 2, 2], ["2026-03-01"] * 3),
        (range(6), "3", [0, 0, 0, 1, 1, 1], ["2026-03-01"] * 2),
        (range(2), "3", [0, 0], ["2026-03-01"]),
        ([], "day", [], []),
        ([], "week", [], []),
        ([], "month", [], []),
        ([], "20", [], []),
    ],
)
def test_times_fall_into_periods(
    at: Sequence[float], every: str, codes: list[int], names: list[str]
) -> None:
    found, periods = periods_of(MARCH + np.array(at, float), every)
    assert (found.tolist(), [one.name for one in periods]) == (codes, names)
    assert [one.n for one in periods] == [codes.count(place) for place in range(len(names))]


@pytest.mark.parametrize(
    ("days", "every", "words"),
    [
        *((1, every, "allowed are day, week, month and a number") for every in OTHER_PERIODS),
        (501, "day", "501 periods"),
    ],
)
def test_other_and_too_many_periods_are_refused(days: int, every: str, words: str) -> None:
    with pytest.raises(ConfigError, match=words):
        periods_of(MARCH + DAY * np.arange(float(days)), every)


@pytest.mark.parametrize(
    ("spec", "problem"),
    [("when", "no item has the field 'when'"), ({"a": "soon"}, "no time can be read")],
)
def test_no_time_at_all_is_refused(spec: Any, problem: str) -> None:
    with pytest.raises(DataError, match=problem):
        times_of([Conversation("a", ())], spec)


def test_a_day_before_1970_is_one_too() -> None:
    assert day_of(-1.0) == "1969-12-31"
