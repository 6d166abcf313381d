"""OpenAI chat messages."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.formats.logs.conftest import IMAGE, ROWS, TOOL_CALL, lines

from assize.base.conversation import Conversation, Pair, Turn
from assize.base.errors import DataError
from assize.formats import write
from assize.formats.logs.openai import message, recognise, without_absent
from assize.formats.reading import iter_records
from assize.formats.rows import Row, Sample

HI = {"role": "user", "content": "hi"}


def test_openai_parts_null_and_roles(tmp_path: Path) -> None:
    (conversation,) = iter_records(lines(tmp_path / "x.jsonl", ROWS["openai"]))
    assert isinstance(conversation, Conversation)
    assert [(turn.role, turn.text) for turn in conversation.turns] == [
        ("system", "Answer briefly."),
        ("user", "What is\nthis?"),
        ("assistant", ""),
        ("tool", "noon"),
        ("tool", "noon"),
        ("assistant", ""),
        ("assistant", "It is noon."),
    ]
    assert conversation.system == "gpt-4o"
    assert conversation.turns[1].extra["content"][1] == IMAGE
    (call,) = conversation.turns[2].tool_calls
    assert (call.id, call.name) == ("call_1", "now")


def test_a_file_that_is_one_list_of_messages_is_one_conversation(tmp_path: Path) -> None:
    said = [{"role": "user", "content": "hi"}, {"role": "assistant", "content": "ho"}]
    (tmp_path / "a.json").write_text(json.dumps(said, indent=1))
    lines(tmp_path / "b.jsonl", *said)
    for name in ("a.json", "b.jsonl"):
        (conversation,) = iter_records(tmp_path / name)
        assert isinstance(conversation, Conversation)
        assert [turn.text for turn in conversation.turns] == ["hi", "ho"]


def test_a_system_prompt_beside_the_messages_is_the_first_turn(tmp_path: Path) -> None:
    row = {"messages": [HI], "system": [{"type": "text", "text": "S"}]}
    (conversation,) = iter_records(lines(tmp_path / "x.jsonl", row))
    assert isinstance(conversation, Conversation)
    assert [(turn.role, turn.text) for turn in conversation.turns] == [
        ("system", "S"),
        ("user", "hi"),
    ]


@pytest.mark.parametrize("name", ["id", "conversation_id", "request_id"])
def test_an_id_goes_by_several_names(name: str, tmp_path: Path) -> None:
    (conversation,) = iter_records(lines(tmp_path / "x.jsonl", {name: 7, "messages": [HI]}))
    assert isinstance(conversation, Conversation)
    assert conversation.id == "7"
    assert name not in conversation.extra


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        ({"messages": [HI]}, True),
        ([HI], True),
        (HI, True),
        ({"role": "assistant", "tool_calls": [TOOL_CALL]}, True),
        ({"messages": [HI], "chosen": "x"}, False),  # a preference record
        ({"messages": []}, False),
        ({"role": "user"}, False),
    ],
)
def test_it_is_recognised_by_its_first_message(row: Any, expected: bool) -> None:
    assert recognise(Sample("json", (row,), "x")) is expected


def test_a_table_with_a_role_and_a_content_is_none_of_it() -> None:
    assert not recognise(Sample("csv", (HI,), "x"))


def test_a_row_of_a_table_loses_the_fields_that_its_messages_have_not() -> None:
    call: dict[str, Any] = {"role": "assistant", "content": None, "name": None, "tool_calls": []}
    row = without_absent(Row({"messages": [call, HI, "x"], "model": None}, "x", 1))
    kept: dict[str, Any] = {"role": "assistant", "content": None, "tool_calls": []}
    assert row.value == {"messages": [kept, HI, "x"], "model": None}
    assert without_absent(Row([HI], "x", 1)).value == [HI]


def test_a_text_that_was_changed_takes_the_place_of_its_parts() -> None:
    parts = [{"type": "text", "text": "old"}]
    assert message(Turn("user", "old", extra={"content": parts}))["content"] == parts
    assert message(Turn("user", "new", extra={"content": parts}))["content"] == "new"


def test_a_pair_is_refused(tmp_path: Path) -> None:
    pair = Pair("p", (), (Turn("user", "a"),), (Turn("user", "b"),))
    with pytest.raises(DataError, match="received a pair; openai holds conversations"):
        write(tmp_path / "x", [pair], format="openai")


@pytest.mark.parametrize(
    ("messages", "problem"),
    [
        ([{"role": "wizard", "content": "x"}], r"messages\[0\]\.role: received 'wizard'"),
        ([{"role": "user", "content": 3}], r"messages\[0\]\.content: received 3"),
        ([HI, {"role": "user"}], r"messages\[1\]\.content: is missing"),
        ([HI, 7], r"messages\[1\]: received 7"),
    ],
)
def test_a_bad_message_is_named_by_its_place(
    messages: list[Any], problem: str, tmp_path: Path
) -> None:
    with pytest.raises(DataError, match=rf"x\.jsonl:1: {problem}"):
        list(iter_records(lines(tmp_path / "x.jsonl", {"messages": messages})))


def test_empty_content_beside_calls_is_written_again(tmp_path: Path) -> None:
    said = {"role": "assistant", "content": "", "tool_calls": [TOOL_CALL]}
    row = {"messages": [{"role": "user", "content": "Hi"}, said]}
    (chat,) = iter_records(lines(tmp_path / "a.jsonl", row))
    assert isinstance(chat, Conversation)
    assert message(chat.turns[1])["content"] == ""
