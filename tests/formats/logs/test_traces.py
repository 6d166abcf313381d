"""Spans however they are exported, by either convention."""

from __future__ import annotations

import json
from typing import Any

from tests.formats.logs import agent_examples

from assize.base.conversation import Conversation, Turn
from assize.formats.format import Options
from assize.formats.logs.traces import (
    OTEL_GENAI,
    PHOENIX,
    attributes,
    gather,
    history,
    nest,
    read_pairs,
    reader,
    spans_in,
    trace_of,
)
from assize.formats.rows import Row, Sample


def chat(trace: str, session: str | None, text: str, start: int) -> dict[str, Any]:
    held = {} if session is None else {"session.id": session}
    asked = [{"role": "user", "parts": [{"type": "text", "content": text}]}]
    held |= {"gen_ai.input.messages": json.dumps(asked)}
    return {"context": {"trace_id": trace}, "start_time": start, "attributes": held}


def test_a_session_of_traces_is_a_conversation_in_order_of_time() -> None:
    spans = [chat("t2", "s", "second", 2), chat("t3", None, "other", 1), chat("t1", "s", "one", 1)]
    rows = list(gather((Row(span, "x", at) for at, span in enumerate(spans, start=1)), Options()))
    found = [one for row in rows for one in reader(False)(row, Options())]
    chats = [one for one in found if isinstance(one, Conversation)]
    said = {one.id: [turn.text for turn in one.turns] for one in chats}
    assert said == {"s": ["one", "second"], "t3": ["other"]}


def test_attributes_are_pairs_columns_or_objects() -> None:
    value = {"stringValue": "x"}
    listed = [
        {"key": "a.b", "value": value},
        {"key": "n", "value": {"intValue": "3"}},
        {"key": "l", "value": {"arrayValue": {"values": [value]}}},
        {"key": "o", "value": {"kvlistValue": {"values": [{"key": "k", "value": value}]}}},
    ]
    assert read_pairs(listed) == {"a.b": "x", "n": 3, "l": ["x"], "o": {"k": "x"}}
    assert attributes({"attributes.a.b": "x", "attributes.c": None}) == {"a.b": "x"}
    assert attributes({"attributes": {"session": {"id": "s"}}})["session.id"] == "s"
    assert trace_of({"traceId": "t"}) == "t"
    assert list(spans_in("no span")) == []


def test_names_with_dots_become_objects_and_lists() -> None:
    assert nest({"a.0.b": 1, "a.10.b": 3, "a.2.b": 2}) == {"a": [{"b": 1}, {"b": 2}, {"b": 3}]}


def test_flat_names_from_before_the_conventions_are_read() -> None:
    held = {
        "gen_ai.prompt.0.role": "user",
        "gen_ai.prompt.0.content": "Hi",
        "gen_ai.completion.0.role": "assistant",
        "gen_ai.completion.0.content": "Hello",
    }
    assert [turn.text for turn in history({"attributes": held})] == ["Hi", "Hello"]


def test_a_session_without_messages_of_models_takes_what_its_root_was_given() -> None:
    held = {"session.id": "s", "input.value": "Hi", "output.value": "Hello"}
    (row,) = gather(iter([Row({"traceId": "t", "attributes": held}, "x", 1)]), Options())
    (found,) = reader(True)(row, Options())
    assert isinstance(found, Conversation)
    assert [turn.text for turn in found.turns] == ["Hi", "Hello"]


def test_spans_are_known_by_attributes_or_events() -> None:
    assert OTEL_GENAI.recognise(Sample("json", (agent_examples.OTEL,), "x"))
    assert OTEL_GENAI.recognise(Sample("json", (agent_examples.OTEL_EVENTS,), "x"))
    assert not OTEL_GENAI.recognise(Sample("json", (agent_examples.PHOENIX,), "x"))


def said(role: str, text: str) -> dict[str, object]:
    return {"role": role, "parts": [{"type": "text", "content": text}]}


def test_instructions_are_a_turn() -> None:
    held = {
        "gen_ai.system_instructions": json.dumps([{"type": "text", "content": "Be brief."}]),
        "gen_ai.input.messages": json.dumps([said("user", "Hi")]),
        "gen_ai.output.messages": json.dumps([said("assistant", "Hello")]),
    }
    turns = [Turn("system", "Be brief."), Turn("user", "Hi"), Turn("assistant", "Hello")]
    assert history({"attributes": held}) == turns


def test_of_several_answers_the_first_counts() -> None:
    held = {
        "gen_ai.input.messages": json.dumps([said("user", "Hi")]),
        "gen_ai.output.messages": json.dumps([said("assistant", "A")] * 2),
        "gen_ai.request.choice.count": 2,
    }
    assert [turn.text for turn in history({"attributes": held})] == ["Hi", "A"]


def test_spans_and_rows_of_the_frame_are_known() -> None:
    assert PHOENIX.recognise(Sample("json", (agent_examples.PHOENIX,), "x"))
    assert PHOENIX.recognise(Sample("json", (agent_examples.PHOENIX_FRAME,), "x"))
    assert not PHOENIX.recognise(Sample("json", (agent_examples.OTEL,), "x"))
    assert not PHOENIX.recognise(Sample("json", ({"llm.input": 1},), "x"))
