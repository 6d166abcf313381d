"""OpenTelemetry spans by the GenAI conventions: a conversation id, else a trace, is a
conversation."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from assize.conversation import Conversation, Turn
from assize.formats.format import Format
from assize.formats.logs.histories import sent_and_answered
from assize.formats.logs.spans import as_text, attributes, gather, reader, spans_in
from assize.formats.messages import only
from assize.formats.records import Record
from assize.formats.rows import Sample
from assize.formats.tool_calls import ARGUMENTS_TEXT, arguments_text


def recognise(sample: Sample) -> bool:
    """Whether some span of the first rows has an attribute or an event of the conventions."""
    if sample.container != "json":
        return False
    spans = (span for row in sample.rows for span in spans_in(row))
    return any(_is_genai(span) for span in spans)


def _is_genai(span: Mapping[str, Any]) -> bool:
    events = span.get("events")
    listed = events if isinstance(events, list) else []
    named = [one.get("name") for one in listed if isinstance(one, Mapping)]
    return any(str(name).startswith("gen_ai.") for name in (*attributes(span), *named))


def write(record: Record) -> Iterable[Any]:
    """One span a conversation: what the model was sent last, and what it answered."""
    record = only(record, Conversation, "otel-genai holds conversations: write another format")
    turns = list(record.turns)
    told = [turns.pop(0)] if turns and turns[0].role == "system" else []
    sent, answered = sent_and_answered(turns)
    held: dict[str, Any] = {
        "gen_ai.operation.name": "chat",
        "gen_ai.conversation.id": record.id,
    }
    if record.system is not None:
        held["gen_ai.request.model"] = record.system
    if told:
        instructions = [{"type": "text", "content": told[0].text}]
        held["gen_ai.system_instructions"] = as_text(instructions)
    held["gen_ai.input.messages"] = as_text([_message(turn) for turn in sent])
    if answered:
        messages = [_message(turn) | {"finish_reason": "stop"} for turn in answered]
        held["gen_ai.output.messages"] = as_text(messages)
    yield {"name": "chat", "attributes": held}


def _message(turn: Turn) -> dict[str, Any]:
    return {"role": turn.role, "parts": list(_parts(turn))} | (
        {} if turn.name is None else {"name": turn.name}
    )


def _parts(turn: Turn) -> Iterable[dict[str, Any]]:
    if turn.role == "tool":
        yield {"type": "tool_call_response", "id": turn.tool_call_id, "response": turn.text}
        return
    if turn.text or not turn.tool_calls:
        yield {"type": "text", "content": turn.text}
    for call in turn.tool_calls:
        kept = ARGUMENTS_TEXT in call.extra
        arguments = arguments_text(call) if kept else call.arguments
        yield {"type": "tool_call", "id": call.id, "name": call.name, "arguments": arguments}


OTEL_GENAI = Format(
    name="otel-genai",
    summary="OpenTelemetry spans by the GenAI conventions, by conversation or trace",
    recognise=recognise,
    parse=reader(fallback=False),
    gather=gather,
    unparse=write,
)
