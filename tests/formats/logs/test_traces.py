"""Spans however they are exported, by either convention."""

from __future__ import annotations

import json
from typing import Any

import pytest
from tests.formats.conftest import turn_texts
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


def read_spans(*spans: Any, phoenix: bool = False) -> dict[str, list[str]]:
    """The texts of each conversation by its id."""
    rows = gather((Row(span, "x", at) for at, span in enumerate(spans, start=1)), Options())
    found = [one for row in rows for one in reader(phoenix)(row, Options())]
    return {one.id: turn_texts(one) for one in found if isinstance(one, Conversation)}


def sent(*texts: str, name: str = "input", role: str = "user") -> dict[str, str]:
    parts = [{"role": role, "parts": [{"type": "text", "content": text}]} for text in texts]
    return {f"gen_ai.{name}.messages": json.dumps(parts)}


ANSWERED = sent("Hello", "Hm", name="output", role="assistant")


def test_a_session_of_traces_is_a_conversation_in_order_of_time() -> None:
    assert read_spans(
        *(
            {
                "context": {"trace_id": trace},
                "start_time": start,
                "attributes": sent(text) | session,
            }
            for trace, session, text, start in (
                ("t2", {"session.id": "s"}, "second", 2),
                ("t3", {}, "other", 1),
                ("t1", {"session.id": "s"}, "one", 1),
            )
        )
    ) == {"s": ["one", "second"], "t3": ["other"]}


def test_a_session_without_messages_of_models_takes_what_its_root_was_given() -> None:
    held = {"session.id": "s", "input.value": "Hi", "output.value": "Hello"}
    assert read_spans({"traceId": "t", "attributes": held}, phoenix=True) == {"s": ["Hi", "Hello"]}


@pytest.mark.parametrize(
    ("held", "turns"),
    [
        (
            {
                "gen_ai.system_instructions": json.dumps(
                    [{"type": "text", "content": "Be brief."}]
                ),
                **sent("Hi"),
                **sent("Hello", name="output", role="assistant"),
            },
            [Turn("system", "Be brief."), Turn("user", "Hi"), Turn("assistant", "Hello")],
        ),
        # Of several answers the first counts.
        (
            {**sent("Hi"), **ANSWERED, "gen_ai.request.choice.count": 2},
            [Turn("user", "Hi"), Turn("assistant", "Hello")],
        ),
        # Flat names from before the conventions.
        (
            {
                "gen_ai.prompt.0.role": "user",
                "gen_ai.prompt.0.content": "Hi",
                "gen_ai.completion.0.role": "assistant",
                "gen_ai.completion.0.content": "Hello",
            },
            [Turn("user", "Hi"), Turn("assistant", "Hello")],
        ),
    ],
)
def test_the_attributes_of_a_span_are_turns(held: dict[str, Any], turns: list[Turn]) -> None:
    assert history({"attributes": held}) == turns


@pytest.mark.parametrize(
    ("value", "names"),
    [
        (agent_examples.OTEL, ["otel-genai"]),
        (agent_examples.OTEL_EVENTS, ["otel-genai"]),
        (agent_examples.PHOENIX, ["phoenix"]),
        (agent_examples.PHOENIX_FRAME, ["phoenix"]),
        ({"llm.input": 1}, []),
    ],
)
def test_spans_are_known_by_attributes_events_or_rows_of_a_frame(
    value: Any, names: list[str]
) -> None:
    sample = Sample("json", (value,), "x")
    assert [one.name for one in (OTEL_GENAI, PHOENIX) if one.recognise(sample)] == names


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
