"""Tool calls in and out: any shape becomes one record."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from tests.formats.conftest import only_record

from assize.base.conversation import Conversation, ToolCall, Turn
from assize.base.errors import DataError
from assize.base.signature import json_hash
from assize.formats import parse, to_json, write
from assize.formats.tool_calls import (
    arguments_text,
    openai_call,
    parse_arguments,
    read_tool_call,
    split_tool_fields,
)

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
    call = read_tool_call(shape, "x")
    assert (call.id, call.name, call.arguments) == ("t1", "search", {"q": "tea"})


@given(st.text())
@example('{ "q" : "tea" }')
@example('{"q": "caf\\u00e9"}')
@example('{"n": 1.0, "n2": 1e3}')
@example('{"a":1,"a":2}')
@example("{bad")
def test_any_text_as_arguments_means_the_same_when_written(text: str) -> None:
    value = {"id": "t", "type": "function", "function": {"name": "f", "arguments": text}}
    call = read_tool_call(value, "x")
    assert parse_arguments(arguments_text(call)) == call.arguments
    assert parse_arguments(openai_call(call)["function"]["arguments"]) == call.arguments


def test_a_call_without_a_name_says_where_it_stands() -> None:
    with pytest.raises(DataError, match="names no tool") as error:
        split_tool_fields({"tool_calls": [{"id": "t", "args": {}}]}, "messages[3]")
    assert error.value.field == "messages[3].tool_calls[0]"
    with pytest.raises(DataError, match="expected a tool call"):
        read_tool_call("search", "x")


def test_fields_of_other_types_stay_where_they_were() -> None:
    rest = {"name": None, "tool_calls": None, "tool_call_id": 7, "mood": "calm"}
    assert split_tool_fields(rest, "x") == ({}, rest)


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
    write(tmp_path / name, [CALLS], format="turns-csv" if name == "c.csv" else None)
    assert only_record(tmp_path / name) == CALLS


def test_records_without_tool_calls_have_the_hash_they_always_had() -> None:
    turns: list[dict[str, Any]] = [{"role": "user", "text": "Hi", "name": "Bo", "mood": "calm"}]
    turns += [{"role": "assistant", "text": "", "name": None, "tool_calls": None}]
    value = {"id": "c1", "turns": turns, "metadata": {"n": 1}}
    assert json_hash(to_json(parse(value))) == json_hash(value)
