"""One dialogue of many histories; messages wherever an input has them."""

from __future__ import annotations

import pytest

from assize.base.conversation import Turn
from assize.base.errors import DataError
from assize.formats.logs.histories import decoded_text, in_order, joined, said_in, spoken

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
    assert list(joined(histories)) == expected


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
    assert said_in(value, "user", "input") == [Turn("user", "Hi")]


def test_what_is_no_message_is_shown_as_json() -> None:
    assert said_in({"a": 1}, "assistant", "x") == [Turn("assistant", '{"a":1}')]
    assert said_in([1, 2], "assistant", "x") == [Turn("assistant", "[1,2]")]
    assert said_in(None, "user", "x") == []
    assert decoded_text("[no") == "[no"


def test_times_order_numbers_and_texts() -> None:
    assert [one["t"] for one in in_order([{"t": "20"}, {"t": "3"}], "t")] == ["3", "20"]
    days = [{"t": "2026-02-01"}, {"t": "2026-01-01"}]
    assert [one["t"] for one in in_order(days, "t")] == ["2026-01-01", "2026-02-01"]


def test_a_trace_without_messages_says_what_to_do() -> None:
    with pytest.raises(DataError, match="export it with inputs and outputs"):
        spoken([], "t1")
