"""OpenTelemetry spans: how they are told, and several answers."""

from __future__ import annotations

import json

from tests.formats.logs.agent_examples import OTEL, OTEL_EVENTS, PHOENIX

from assize.base.conversation import Turn
from assize.formats.logs.otel import recognise
from assize.formats.logs.spans import history
from assize.formats.rows import Sample


def test_spans_are_known_by_attributes_or_events() -> None:
    assert recognise(Sample("json", (OTEL,), "x"))
    assert recognise(Sample("json", (OTEL_EVENTS,), "x"))
    assert not recognise(Sample("json", (PHOENIX,), "x"))


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
