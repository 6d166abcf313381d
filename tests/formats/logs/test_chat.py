"""Chat messages as OpenAI, Anthropic and LangChain log them; LMSYS-Chat-1M and WildChat."""

from __future__ import annotations

import datetime
import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from tests.formats.conftest import lines, only_record, records_as, turn_texts
from tests.formats.logs import agent_examples
from tests.formats.logs.conftest import IMAGE, ROWS, TOOL_CALL

from assize.base.conversation import ToolCall, Turn
from assize.base.errors import DataError
from assize.formats.format import Format, Options
from assize.formats.logs import chat
from assize.formats.logs.chat import openai_message, read
from assize.formats.rows import Row, Sample


def only(value: Any) -> Any:
    """Return the conversation of a row."""
    (conversation,) = read(Row(value, "x", 1), Options())
    return conversation


HI = {"role": "user", "content": "hi"}
LMSYS = {
    "conversation_id": "abc",
    "model": "vicuna-13b",
    "conversation": [{"content": "Hi", "role": "user"}, {"content": "Hello", "role": "assistant"}],
    "turn": 1,
    "language": "English",
    "openai_moderation": [{"flagged": False}],
    "redacted": False,
}
WILDCHAT = {
    "conversation_hash": "f00",
    "model": "gpt-4",
    "conversation": [
        {"content": "Hi", "role": "user", "country": "Spain", "turn_identifier": 7, "toxic": None},
        {"content": "Hello", "role": "assistant", "country": None, "turn_identifier": 7},
    ],
    "turn": 1,
    "language": "English",
    "toxic": False,
}


def test_openai_parts_null_and_roles(tmp_path: Path) -> None:
    conversation = only_record(lines(tmp_path / "x.jsonl", ROWS["openai"]))
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
    said = [HI, {"role": "assistant", "content": "ho"}]
    (tmp_path / "a.json").write_text(json.dumps(said, indent=1))
    for path in (tmp_path / "a.json", lines(tmp_path / "b.jsonl", *said)):
        assert turn_texts(only_record(path)) == ["hi", "ho"]


@pytest.mark.parametrize("name", ["id", "conversation_id", "thread_id", "request_id", "run_id"])
def test_an_id_goes_by_several_names(name: str) -> None:
    conversation = only({name: 7, "messages": [HI]})
    assert (conversation.id, conversation.extra) == ("7", {})


BRIEF = [{"type": "text", "text": "S", "cache_control": {"type": "ephemeral"}}]


DUMPED = {
    "lc": 1,
    "type": "constructor",
    "id": ["langchain", "schema", "messages", "HumanMessage"],
    "kwargs": {"content": "hi", "type": "human"},
}


BAD_CALL = {"name": "f", "args": "{bad", "id": "a", "error": None, "type": "invalid_tool_call"}


BAD_CALL_REST = {"error": None, "type": "invalid_tool_call"}
EMPTY: dict[str, Any] = {"role": "assistant", "content": None, "name": None, "tool_calls": []}


@pytest.mark.parametrize(
    ("row", "turns"),
    [
        # A system prompt beside the messages is the first turn.
        ({"messages": [HI], "system": BRIEF}, [Turn("system", "S"), Turn("user", "hi")]),
        # Null fields count as absent.
        ({"messages": [EMPTY, HI]}, [Turn("assistant", ""), Turn("user", "hi")]),
        ([DUMPED], [Turn("user", "hi", extra={"role_name": "human"})]),
        (
            [{"type": "ai", "content": "", "invalid_tool_calls": [BAD_CALL]}],
            [
                Turn(
                    "assistant",
                    "",
                    extra={"role_name": "ai"},
                    tool_calls=(ToolCall("a", "f", "{bad", BAD_CALL_REST),),
                )
            ],
        ),
    ],
)
def test_messages_of_other_shapes_are_turns(row: Any, turns: list[Turn]) -> None:
    assert list(only(row).turns) == turns


THINKING = {"role": "assistant", "content": [{"type": "thinking", "thinking": "hm"}]}


@pytest.mark.parametrize(
    ("format", "row", "expected"),
    [
        (chat.OPENAI, {"messages": [HI]}, True),
        (chat.OPENAI, [HI], True),
        (chat.OPENAI, HI, True),
        (chat.OPENAI, {"role": "assistant", "tool_calls": [TOOL_CALL]}, True),
        (chat.OPENAI, {"messages": [HI], "chosen": "x"}, False),  # a preference record
        (chat.OPENAI, {"messages": []}, False),
        (chat.OPENAI, {"role": "user"}, False),
        (chat.ANTHROPIC, agent_examples.ANTHROPIC, True),
        (chat.ANTHROPIC, {"messages": [THINKING]}, True),
        (chat.ANTHROPIC, agent_examples.OPENAI, False),
        (chat.LANGCHAIN, agent_examples.LANGCHAIN["messages"], True),
        (chat.LANGCHAIN, [DUMPED], True),
        (chat.LANGCHAIN, agent_examples.OPENAI, False),
        (chat.LMSYS, LMSYS, True),
        (chat.LMSYS, WILDCHAT, False),
        (chat.WILDCHAT, WILDCHAT, True),
        (chat.WILDCHAT, LMSYS, False),
    ],
)
def test_each_is_recognised_by_its_messages_or_the_name_of_its_id(
    format: Format, row: Any, expected: bool
) -> None:
    assert format.recognise(Sample("json", (row,), "x")) is expected


def test_a_table_with_a_role_and_a_content_is_none_of_it() -> None:
    assert not chat.OPENAI.recognise(Sample("csv", (HI,), "x"))


@pytest.mark.parametrize(
    ("row", "problem"),
    [
        *(
            ({"messages": messages}, problem)
            for messages, problem in (
                ([{"role": "wizard", "content": "x"}], r"messages\[0\]\.role: received 'wizard'"),
                ([{"role": "user", "content": 3}], r"messages\[0\]\.content: received 3"),
                ([HI, {"role": "user"}], r"messages\[1\]\.content: is missing"),
                ([HI, 7], r"messages\[1\]: received 7"),
            )
        ),
        (
            LMSYS | {"conversation": [HI, {"role": "wizard", "content": "x"}]},
            r"conversation\[1\]\.role: .* 'wizard'",
        ),
    ],
)
def test_a_bad_message_is_named_by_its_place(row: Any, problem: str, tmp_path: Path) -> None:
    with pytest.raises(DataError, match=rf"x\.jsonl:1: {problem}"):
        only_record(lines(tmp_path / "x.jsonl", row))


def test_a_text_that_was_changed_takes_the_place_of_its_parts() -> None:
    parts = [{"type": "text", "text": "old"}]
    assert openai_message(Turn("user", "old", extra={"content": parts}))["content"] == parts
    assert openai_message(Turn("user", "new", extra={"content": parts}))["content"] == "new"


def test_empty_content_beside_calls_is_written_again() -> None:
    said = {"role": "assistant", "content": "", "tool_calls": [TOOL_CALL]}
    assert openai_message(only({"messages": [HI, said]}).turns[1])["content"] == ""


def test_what_is_neither_text_nor_a_call_stays_beside_the_turn() -> None:
    content = [*THINKING["content"], {"type": "text", "text": "Yes."}]
    message = {"role": "assistant", "stop_reason": "end_turn", "usage": None, "content": content}
    (turn,) = only({"messages": [message]}).turns
    assert turn.text == "Yes."
    assert turn.extra == {"stop_reason": "end_turn", "content": content}


@pytest.mark.parametrize("container", ["jsonl", "parquet"])
@pytest.mark.parametrize(
    ("name", "row", "id", "extra"),
    [
        ("lmsys", LMSYS, "abc", [{}, {}]),
        # Fields that a table has only for other messages are left out.
        (
            "wildchat",
            WILDCHAT,
            "f00",
            [{"country": "Spain", "turn_identifier": 7}, {"turn_identifier": 7}],
        ),
    ],
)
def test_published_chats_are_read_from_both_containers(
    name: str, row: dict[str, Any], id: str, extra: list[Any], container: str, tmp_path: Path
) -> None:
    path = tmp_path / f"train-00000.{container}"
    if container == "jsonl":
        lines(path, row | {"timestamp": "2023-04-09T00:02:53+00:00"})
    else:
        at = datetime.datetime(2023, 4, 9, 0, 2, 53, tzinfo=datetime.UTC)
        pq.write_table(pa.Table.from_pylist([row | {"timestamp": at}]), path)
    (conversation,) = records_as(name, path)
    assert (conversation.id, conversation.system) == (id, row["model"])
    assert conversation.turns == (
        Turn("user", "Hi", extra=extra[0]),
        Turn("assistant", "Hello", extra=extra[1]),
    )
    assert conversation.extra["language"] == "English"
    assert conversation.extra["timestamp"] == "2023-04-09T00:02:53+00:00"


def test_a_message_without_words_is_an_empty_turn(tmp_path: Path) -> None:
    row = LMSYS | {"conversation": [HI, {"role": "assistant", "content": None}]}
    assert turn_texts(only_record(lines(tmp_path / "x.jsonl", row))) == ["hi", ""]
