"""Tool calls in and out: any shape becomes one record, and arguments keep every byte."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assize.conversation import Conversation, ToolCall, Turn
from assize.errors import DataError
from assize.formats import parse, read, to_json, write
from assize.formats.tool_calls import (
    arguments_text,
    call_fields,
    dumped,
    openai_call,
    read_arguments,
    tool_call,
    tool_fields,
    written_call,
)
from assize.signature import json_hash

SHAPES: tuple[dict[str, Any], ...] = (
    {"id": "t1", "name": "search", "arguments": {"q": "tea"}},
    {"id": "t1", "type": "function", "function": {"name": "search", "arguments": '{"q":"tea"}'}},
    {"type": "function_call", "call_id": "t1", "name": "search", "arguments": '{"q":"tea"}'},
    {"type": "tool_use", "id": "t1", "name": "search", "input": {"q": "tea"}},
    {"type": "tool_call", "id": "t1", "name": "search", "args": {"q": "tea"}},
    {"id": "t1", "function": "search", "arguments": {"q": "tea"}},
    {"type": "tool-call", "toolCallId": "t1", "toolName": "search", "input": {"q": "tea"}},
    {"tool_call": {"function": {"name": "search", "arguments": '{"q":"tea"}'}, "id": "t1"}},
)


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: "-".join(shape))
def test_every_shape_is_the_same_call(shape: dict[str, Any]) -> None:
    call = tool_call(shape, "x")
    assert (call.id, call.name, call.arguments) == ("t1", "search", {"q": "tea"})


TEXTS = (
    '{ "q" : "tea" }',
    '{"q": "caf\\u00e9"}',
    '{"n": 1.0, "n2": 1e3}',
    '{"a":1,"a":2}',
    "",
    "{bad",
)


@pytest.mark.parametrize("text", TEXTS)
def test_arguments_in_a_string_keep_every_byte(text: str) -> None:
    value = {"id": "t", "type": "function", "function": {"name": "f", "arguments": text}}
    assert arguments_text(tool_call(value, "x")) == text
    assert openai_call(tool_call(value, "x")) == value


@given(st.text())
def test_any_text_as_arguments_comes_back(text: str) -> None:
    arguments, extra = read_arguments(text)
    assert arguments_text(ToolCall("", "f", arguments, extra)) == text


def test_changed_arguments_are_written_and_not_the_old_text() -> None:
    call = tool_call({"id": "t", "name": "f", "arguments": '{ "a": 1 }'}, "x")
    assert arguments_text(call) == '{ "a": 1 }'
    assert arguments_text(replace(call, arguments={"a": 2})) == '{"a":2}'
    assert dumped({"a": "é"}) == '{"a":"é"}'


def test_a_call_in_a_strange_shape_is_written_as_it_was_until_it_changes() -> None:
    odd = {"id": None, "name": "f", "args": {"a": 1}, "index": 0}
    call = tool_call(odd, "x", openai_call)
    assert written_call(call, openai_call) == odd
    assert call_fields(call) == {"index": 0}
    changed = written_call(replace(call, name="g"), openai_call)
    assert changed["function"]["name"] == "g"


def test_a_call_without_a_name_says_where_it_stands() -> None:
    with pytest.raises(DataError, match="names no tool") as error:
        tool_fields({"tool_calls": [{"id": "t", "args": {}}]}, "messages[3]")
    assert error.value.field == "messages[3].tool_calls[0]"
    with pytest.raises(DataError, match="expected a tool call"):
        tool_call("search", "x")


def test_fields_of_other_types_stay_where_they_were() -> None:
    rest = {"name": None, "tool_calls": None, "tool_call_id": 7, "mood": "calm"}
    assert tool_fields(rest, "x") == ({}, rest)


CALLS = Conversation(
    "c1",
    (
        Turn("user", "Where is my order?"),
        Turn("assistant", "", tool_calls=(ToolCall("t1", "order", {"id": 7, "deep": {"x": [1]}}),)),
        Turn("tool", '{"at": "depot"}', tool_call_id="t1", name="order"),
        Turn("assistant", "At the depot.", tool_calls=(ToolCall("", "log", "not JSON"),)),
    ),
)


@pytest.mark.parametrize("name", ["c.jsonl", "c.parquet", "c.csv"])
def test_own_formats_keep_tool_calls(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    write(path, [CALLS], format="turns-csv" if name == "c.csv" else None)
    assert list(read(path)) == [CALLS]


def test_a_record_with_tool_calls_is_a_plain_object() -> None:
    value = to_json(CALLS)
    assert value["turns"][1] == {
        "role": "assistant",
        "text": "",
        "tool_calls": [{"id": "t1", "name": "order", "arguments": {"id": 7, "deep": {"x": [1]}}}],
    }
    assert parse(json.loads(json.dumps(value))) == CALLS


def test_records_without_tool_calls_have_the_hash_they_always_had() -> None:
    turns: list[dict[str, Any]] = [{"role": "user", "text": "Hi", "name": "Bo", "mood": "calm"}]
    turns += [{"role": "assistant", "text": "", "name": None, "tool_calls": None}]
    value = {"id": "c1", "turns": turns, "metadata": {"n": 1}}
    assert to_json(parse(value)) == value
    assert json_hash(to_json(parse(value))) == json_hash(value)
