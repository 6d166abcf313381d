"""Chat messages as OpenAI, Anthropic and LangChain log them; LMSYS-Chat-1M and WildChat."""

from __future__ import annotations

import datetime
import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from tests.formats.logs import agent_examples
from tests.formats.logs.conftest import IMAGE, ROWS, TOOL_CALL, lines

from assize.base.conversation import Conversation, Pair, Turn
from assize.base.errors import DataError
from assize.formats import write
from assize.formats.format import Options
from assize.formats.logs import chat
from assize.formats.logs.chat import openai_message, read
from assize.formats.reading import iter_records, open_records
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


@pytest.mark.parametrize("name", ["id", "conversation_id", "thread_id", "request_id", "run_id"])
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
    assert chat.OPENAI.recognise(Sample("json", (row,), "x")) is expected


def test_a_table_with_a_role_and_a_content_is_none_of_it() -> None:
    assert not chat.OPENAI.recognise(Sample("csv", (HI,), "x"))


def test_null_fields_of_a_message_count_as_absent() -> None:
    call: dict[str, Any] = {"role": "assistant", "content": None, "name": None, "tool_calls": []}
    (conversation,) = read(Row({"messages": [call, HI]}, "x", 1), Options())
    assert isinstance(conversation, Conversation)
    assert conversation.turns == (Turn("assistant", ""), Turn("user", "hi"))


def test_a_text_that_was_changed_takes_the_place_of_its_parts() -> None:
    parts = [{"type": "text", "text": "old"}]
    assert openai_message(Turn("user", "old", extra={"content": parts}))["content"] == parts
    assert openai_message(Turn("user", "new", extra={"content": parts}))["content"] == "new"


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
    (conversation,) = iter_records(lines(tmp_path / "a.jsonl", row))
    assert isinstance(conversation, Conversation)
    assert openai_message(conversation.turns[1])["content"] == ""


def test_only_messages_with_blocks_of_tools_or_thinking_are_theirs() -> None:
    assert chat.ANTHROPIC.recognise(Sample("json", (agent_examples.ANTHROPIC,), "x"))
    assert not chat.ANTHROPIC.recognise(Sample("json", (agent_examples.OPENAI,), "x"))
    thinking = {"role": "assistant", "content": [{"type": "thinking", "thinking": "hm"}]}
    assert chat.ANTHROPIC.recognise(Sample("json", ({"messages": [thinking]},), "x"))


def test_the_system_prompt_stands_beside_the_messages() -> None:
    system = [{"type": "text", "text": "Be brief.", "cache_control": {"type": "ephemeral"}}]
    (found,) = read(Row({**agent_examples.ANTHROPIC, "system": system}, "a.jsonl", 1), Options())
    assert isinstance(found, Conversation)
    assert (found.turns[0].role, found.turns[0].text) == ("system", "Be brief.")


def test_what_is_neither_text_nor_a_call_stays_beside_the_turn() -> None:
    thinking = {"type": "thinking", "thinking": "hm"}
    said = {"role": "assistant", "stop_reason": "end_turn", "usage": None}
    message = said | {"content": [thinking, {"type": "text", "text": "Yes."}]}
    (found,) = read(Row({"messages": [message]}, "a.jsonl", 1), Options())
    assert isinstance(found, Conversation)
    (turn,) = found.turns
    assert turn.text == "Yes."
    assert turn.extra == {"stop_reason": "end_turn", "content": message["content"]}


def test_messages_are_known_by_their_type() -> None:
    assert chat.LANGCHAIN.recognise(Sample("json", (agent_examples.LANGCHAIN["messages"],), "x"))
    assert not chat.LANGCHAIN.recognise(Sample("json", (agent_examples.OPENAI,), "x"))


def test_objects_dumped_by_their_class_are_read() -> None:
    dumped = {
        "lc": 1,
        "type": "constructor",
        "id": ["langchain", "schema", "messages", "HumanMessage"],
        "kwargs": {"content": "Hi", "type": "human"},
    }
    assert chat.LANGCHAIN.recognise(Sample("json", ([dumped],), "x"))
    (found,) = read(Row([dumped], "a.jsonl", 1), Options())
    assert isinstance(found, Conversation)
    assert [(turn.role, turn.text) for turn in found.turns] == [("user", "Hi")]


def test_calls_with_bad_arguments_are_invalid_ones() -> None:
    bad = {"name": "f", "args": "{bad", "id": "a", "error": None, "type": "invalid_tool_call"}
    message = {"type": "ai", "content": "", "invalid_tool_calls": [bad]}
    (found,) = read(Row([message], "a.jsonl", 1), Options())
    assert isinstance(found, Conversation)
    assert found.turns[0].tool_calls[0].arguments == "{bad"


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


@pytest.mark.parametrize("container", ["jsonl", "parquet"])
@pytest.mark.parametrize(
    ("name", "row", "id"), [("lmsys", LMSYS, "abc"), ("wildchat", WILDCHAT, "f00")]
)
def test_published_chats_are_read_from_both_containers(
    name: str, row: dict[str, Any], id: str, container: str, tmp_path: Path
) -> None:
    path = tmp_path / f"train-00000.{container}"
    if container == "jsonl":
        lines(path, row | {"timestamp": "2023-04-09T00:02:53+00:00"})
    else:
        at = datetime.datetime(2023, 4, 9, 0, 2, 53, tzinfo=datetime.UTC)
        pq.write_table(pa.Table.from_pylist([row | {"timestamp": at}]), path)
    with open_records(path) as opened:
        assert opened.format.name == name
        ((_, conversation),) = opened.records
    assert isinstance(conversation, Conversation)
    assert (conversation.id, conversation.system) == (id, row["model"])
    assert [(turn.role, turn.text) for turn in conversation.turns] == [
        ("user", "Hi"),
        ("assistant", "Hello"),
    ]
    assert conversation.extra["language"] == "English"
    assert conversation.extra["timestamp"] == "2023-04-09T00:02:53+00:00"


@pytest.mark.parametrize("container", ["jsonl", "parquet"])
def test_fields_that_a_table_has_only_for_other_messages_are_left_out(
    container: str, tmp_path: Path
) -> None:
    path = tmp_path / f"x.{container}"
    if container == "jsonl":
        lines(path, WILDCHAT)
    else:
        pq.write_table(pa.Table.from_pylist([WILDCHAT]), path)
    (conversation,) = iter_records(path)
    assert isinstance(conversation, Conversation)
    assert conversation.turns == (
        Turn("user", "Hi", extra={"country": "Spain", "turn_identifier": 7}),
        Turn("assistant", "Hello", extra={"turn_identifier": 7}),
    )


def test_a_message_without_words_is_an_empty_turn(tmp_path: Path) -> None:
    said = [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": None}]
    (conversation,) = iter_records(lines(tmp_path / "x.jsonl", LMSYS | {"conversation": said}))
    assert isinstance(conversation, Conversation)
    assert [turn.text for turn in conversation.turns] == ["Hi", ""]


def test_the_two_are_told_apart_by_the_name_of_the_id() -> None:
    one, other = (Sample("json", (row,), "x") for row in (LMSYS, WILDCHAT))
    assert (chat.LMSYS.recognise(one), chat.WILDCHAT.recognise(one)) == (True, False)
    assert (chat.LMSYS.recognise(other), chat.WILDCHAT.recognise(other)) == (False, True)


def test_a_bad_message_of_a_data_set_is_named_by_its_place(tmp_path: Path) -> None:
    said = [{"role": "user", "content": "Hi"}, {"role": "wizard", "content": "x"}]
    path = lines(tmp_path / "x.jsonl", LMSYS | {"conversation": said})
    with pytest.raises(DataError, match=r"x\.jsonl:1: conversation\[1\]\.role: .* 'wizard'"):
        list(iter_records(path))
