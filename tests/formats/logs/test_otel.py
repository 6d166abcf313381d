"""OpenTelemetry spans: how they are told, and several answers."""

from __future__ import annotations

import json

from tests.formats.logs.agent_examples import OTEL, OTEL_EVENTS, PHOENIX

from assize.conversation import Conversation, Turn
from assize.formats.logs.otel import recognise, write
from assize.formats.logs.spans import history
from assize.formats.rows import Sample


def test_spans_are_known_by_attributes_or_events() -> None:
    assert recognise(Sample("json", (OTEL,), "x"))
    assert recognise(Sample("json", (OTEL_EVENTS,), "x"))
    assert not recognise(Sample("json", (PHOENIX,), "x"))


def test_instructions_are_a_turn_and_go_back() -> None:
    turns = (Turn("system", "Be brief."), Turn("user", "Hi"), Turn("assistant", "Hello"))
    (span,) = write(Conversation("c", turns, "m"))
    assert tuple(history(span)) == turns
    assert json.loads(span["attributes"]["gen_ai.system_instructions"])[0]["content"] == "Be brief."


def test_of_several_answers_the_first_counts() -> None:
    (span,) = write(Conversation("c", (Turn("user", "Hi"), Turn("assistant", "A"))))
    held = span["attributes"]
    held["gen_ai.output.messages"] = json.dumps(json.loads(held["gen_ai.output.messages"]) * 2)
    held["gen_ai.request.choice.count"] = 2
    assert [turn.text for turn in history(span)] == ["Hi", "A"]
