"""One dialogue of many histories; messages wherever an input has them."""

from __future__ import annotations

import pytest

from assize.base.conversation import Turn
from assize.base.errors import DataError
from assize.formats.logs.dialogue import (
    group_parts,
    merge_histories,
    read_side,
    sort_by_time,
)
from assize.formats.rows import Row, parse_json_text

S, A, B, C, D = (
    Turn("system", "s"),
    *(Turn("user" if at % 2 == 0 else "assistant", name) for at, name in enumerate("abcd")),
)


@pytest.mark.parametrize(
    ("histories", "expected"),
    [
        ([[A, B], [A, B, C, D]], [A, B, C, D]),  # each call is sent all that was said
        ([[S, A, B], [S, A, B, C, D]], [S, A, B, C, D]),  # instructions stand once
        ([[A, B], [C, D]], [A, B, C, D]),  # each call is sent the last turn only
        ([[A, B, C], [C, D]], [A, B, C, D]),  # or the last few
        ([[A, B, C, D], [A, B]], [A, B, C, D]),  # a call that says nothing new
        ([[], [A]], [A]),
    ],
)
def test_histories_are_one_dialogue(histories: list[list[Turn]], expected: list[Turn]) -> None:
    assert list(merge_histories(histories, "t1")) == expected


@pytest.mark.parametrize(
    "value",
    [
        "Hi",
        {"question": "Hi"},
        {"input": {"text": "Hi"}},
        {"messages": [{"role": "user", "content": "Hi"}]},
        [{"role": "user", "content": "Hi"}],
        '[{"role": "user", "content": "Hi"}]',
        ["Hi"],
        {"choices": [{"message": {"role": "user", "content": "Hi"}}]},
    ],
)
def test_a_message_is_found_wherever_it_stands(value: object) -> None:
    assert read_side(value, "user", "input") == [Turn("user", "Hi")]


def test_what_is_no_message_is_shown_as_json() -> None:
    assert read_side({"a": 1}, "assistant", "x") == [Turn("assistant", '{"a":1}')]
    assert read_side([1, 2], "assistant", "x") == [Turn("assistant", "[1,2]")]
    assert read_side(None, "user", "x") == []
    assert parse_json_text("[no") == "[no"


def test_times_order_numbers_and_texts() -> None:
    assert [one["t"] for one in sort_by_time([{"t": "20"}, {"t": "3"}], "t")] == ["3", "20"]
    days = [{"t": "2026-02-01"}, {"t": "2026-01-01"}]
    assert [one["t"] for one in sort_by_time(days, "t")] == ["2026-01-01", "2026-02-01"]


def test_a_trace_without_messages_says_what_to_do() -> None:
    with pytest.raises(DataError, match="export it with inputs and outputs"):
        merge_histories([], "t1")


def test_parts_of_a_conversation_are_one_row_where_the_first_stands() -> None:
    parts = [("c1", Row({}, "x", 1), {"n": 1}), ("c2", Row({}, "x", 2), {"n": 2})]
    first, second = group_parts([*parts, ("c1", Row({}, "x", 3), {"n": 3})])
    assert (first.value, first.line) == ({"id": "c1", "parts": [{"n": 1}, {"n": 3}]}, 1)
    assert second.value == {"id": "c2", "parts": [{"n": 2}]}
