"""One message in any shape."""

from __future__ import annotations

from typing import Any

import pytest

from assize.base.errors import DataError
from assize.formats.chat_messages import open_envelope, read_message, text_of_result

MIXED = {
    "role": "user",
    "content": [
        {"type": "tool_result", "tool_use_id": "a", "content": "1", "is_error": True},
        {"type": "tool_result", "tool_use_id": "b", "content": {"n": 2}},
        {"type": "text", "text": "Go on."},
    ],
}


def test_a_message_with_results_is_several_turns() -> None:
    turns = read_message(MIXED, "messages[0]")
    assert [(turn.role, turn.text, turn.tool_call_id) for turn in turns] == [
        ("tool", "1", "a"),
        ("tool", '{"n":2}', "b"),
        ("user", "Go on.", None),
    ]
    assert turns[0].extra["is_error"] is True


@pytest.mark.parametrize(
    ("message", "field", "words"),
    [
        ({"role": "narrator", "content": "x"}, "messages[4].role", "received 'narrator'"),
        ("x", "messages[4]", "expected an object"),
        ({"role": "user", "content": 5}, "messages[4].content", "text, a list or null"),
    ],
)
def test_what_no_format_knows_says_where_it_stands(message: Any, field: str, words: str) -> None:
    with pytest.raises(DataError, match=words) as error:
        read_message(message, "messages[4]")
    assert error.value.field == field


@pytest.mark.parametrize(
    ("result", "text"),
    [
        (None, ""),
        (["a", {"type": "text", "text": "b"}], "a\nb"),
        ([{"type": "image", "url": "u"}], '[{"type":"image","url":"u"}]'),
    ],
)
def test_results_are_text_whatever_they_were(result: Any, text: str) -> None:
    assert text_of_result(result) == text


def test_an_envelope_is_opened() -> None:
    assert open_envelope({"message": {"role": "user"}}) == {"role": "user"}


def test_a_failed_tool_says_why() -> None:
    failed = {"role": "tool", "content": "", "error": {"type": "timeout", "message": "too slow"}}
    (turn,) = read_message(failed, "x")
    assert (turn.text, turn.extra) == ("too slow", {"is_error": True})
