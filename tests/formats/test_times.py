"""Times of items, and periods."""

from __future__ import annotations

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
        Conversation("a", (), metadata={"started": "2026-03-01"}),
        Conversation("b", (), metadata={}),
        Conversation("c", (), metadata={"started": "soon"}),
    ]
    found = times_of(chats, "started")
    assert found.at == {"a": MARCH}
    assert found.missing == {"b": "missing", "c": "unreadable: 'soon'"}
    assert found.local == 1


def test_times_may_be_a_dict() -> None:
    assert times_of(None, {"a": MARCH}).at == {"a": MARCH}


@pytest.mark.parametrize(
    ("spec", "problem"),
    [("when", "no item has the field 'when'"), ({"a": "soon"}, "no time can be read")],
)
def test_no_time_at_all_is_refused(spec: Any, problem: str) -> None:
    with pytest.raises(DataError, match=problem):
        times_of([Conversation("a", ())], spec)


def test_weeks_begin_on_monday_and_months_on_the_first() -> None:
    # A Sunday, the Monday after it, 1 April.
    at = np.array([MARCH + 86_400 * day for day in (0, 1, 31)])
    codes, weeks = periods_of(at, "week")
    assert codes.tolist() == [0, 1, 2]
    assert [one.name for one in weeks] == ["2026-02-23", "2026-03-02", "2026-03-30"]
    codes, months = periods_of(at, "month")
    assert (codes.tolist(), [one.name for one in months]) == ([0, 0, 1], ["2026-03", "2026-04"])
    assert [one.n for one in months] == [2, 1]


def test_what_a_number_leaves_over_is_the_first_period() -> None:
    codes, periods = periods_of(MARCH + np.arange(7.0), "3")
    assert codes.tolist() == [0, 1, 1, 1, 2, 2, 2]
    assert [one.n for one in periods] == [1, 3, 3]
    assert [one.n for one in periods_of(MARCH + np.arange(6.0), "3")[1]] == [3, 3]
    assert len(periods_of(MARCH + np.arange(2.0), "3")[1]) == 1


@pytest.mark.parametrize("every", ["day", "week", "month", "20"])
def test_no_times_have_no_periods(every: str) -> None:
    codes, periods = periods_of(np.zeros(0), every)
    assert (len(codes), periods) == (0, [])


@pytest.mark.parametrize("every", ["hour", "0", "-3", "1.5", ""])
def test_other_periods_are_refused(every: str) -> None:
    with pytest.raises(ConfigError, match="allowed are day, week, month and a number"):
        periods_of(np.array([MARCH]), every)


def test_too_many_periods_are_refused() -> None:
    with pytest.raises(ConfigError, match="501 periods"):
        periods_of(MARCH + 86_400.0 * np.arange(501.0), "day")


def test_a_day_before_1970_is_one_too() -> None:
    assert day_of(-1.0) == "1969-12-31"
