"""Spans of Arize Phoenix, with OpenInference's attributes: the REST API's, or the data frame's
as JSON or Parquet. A session, else a trace, is a conversation."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from assize.conversation import Conversation, Turn
from assize.formats.format import Format
from assize.formats.logs.histories import openai_messages, sent_and_answered
from assize.formats.logs.spans import attributes, gather, reader, spans_in
from assize.formats.messages import only
from assize.formats.records import Record
from assize.formats.rows import Sample

_MARKS = ("llm.", "openinference.", "input.value", "output.value")


def recognise(sample: Sample) -> bool:
    """Whether some span of the first rows has an attribute of OpenInference."""
    if sample.container != "json":
        return False
    spans = (span for row in sample.rows for span in spans_in(row))
    return any(_is_openinference(span) for span in spans)


def _is_openinference(span: Mapping[str, Any]) -> bool:
    is_span = any(key in span for key in ("attributes", "context.trace_id", "traceId"))
    return is_span and any(name.startswith(_MARKS) for name in attributes(span))


def write(record: Record) -> Iterable[Any]:
    """One span a conversation: what the model was sent last, and what it answered."""
    record = only(record, Conversation, "phoenix holds conversations: write another format")
    sent, answered = sent_and_answered(record.turns)
    held: dict[str, Any] = {"openinference.span.kind": "LLM", "session.id": record.id}
    if record.system is not None:
        held["llm.model_name"] = record.system
    held["llm.input_messages"] = _messages(sent)
    if answered:
        held["llm.output_messages"] = _messages(answered)
    yield {"name": "chat", "span_kind": "LLM", "attributes": held}


def _messages(turns: Sequence[Turn]) -> list[dict[str, Any]]:
    return [{"message": _nested(one)} for one in openai_messages(turns)]


def _nested(message: Mapping[str, Any]) -> dict[str, Any]:
    calls = message.get("tool_calls")
    found = {key: part for key, part in message.items() if key != "tool_calls" and part is not None}
    if calls:
        found["tool_calls"] = [
            {"tool_call": {"id": call["id"], "function": call.get("function", call.get("custom"))}}
            for call in calls
        ]
    return found


PHOENIX = Format(
    name="phoenix",
    summary="spans of Arize Phoenix (OpenInference), by session or trace",
    recognise=recognise,
    parse=reader(fallback=True),
    gather=gather,
    unparse=write,
)
