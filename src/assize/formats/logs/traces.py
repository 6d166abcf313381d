"""Spans of OpenTelemetry, however they are exported: OTLP as JSON, the SDK's `to_json`, and those
of Arize Phoenix from its REST API or its data frame.

The messages stand in attributes (GenAI conventions, OpenInference) or in events. A conversation
or session that a span names, else its trace, is a conversation.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from assize.base.conversation import Conversation, Role, Turn
from assize.formats.chat_messages import first_of, read_message
from assize.formats.format import Format, Options
from assize.formats.logs.dialogue import (
    PARTS,
    group_parts,
    merge_histories,
    read_side,
    sort_by_time,
)
from assize.formats.messages import NO_NAMES, RoleNames, object_at, record_id
from assize.formats.records import Record
from assize.formats.rows import Row, Sample, parse_json_text

_COLUMN = "attributes."  # before the name of an attribute, in a table of spans
_CONVERSATION = (
    "gen_ai.conversation.id",
    "session.id",
    "langfuse.session.id",
    "traceloop.session.id",
)
_TRACE = ("traceId", "trace_id", "context.trace_id")
_PARENT = ("parentSpanId", "parent_id", "parentId")
_MODEL = ("gen_ai.response.model", "gen_ai.request.model", "llm.model_name")
_TIMES = ("startTimeUnixNano", "start_time", "startTime", "start_time_unix_nano")
_FACTS = ("user.id", "gen_ai.agent.name", "service.version")
_OPENINFERENCE = ("llm.", "openinference.", "input.value", "output.value")
# Attributes with a name for every part of a message: of OpenInference, and from before there was
# a convention.
_NUMBERED: tuple[tuple[str, str], ...] = (
    ("llm.input_messages", "llm.output_messages"),
    ("gen_ai.prompt", "gen_ai.completion"),
)
_EVENTS: Mapping[str, Role] = {
    "gen_ai.system.message": "system",
    "gen_ai.user.message": "user",
    "gen_ai.assistant.message": "assistant",
    "gen_ai.tool.message": "tool",
}
_CONTENT_EVENTS: Mapping[str, Role] = {
    "gen_ai.content.prompt": "user",
    "gen_ai.content.completion": "assistant",
}


def spans_in(value: Any) -> Iterator[dict[str, Any]]:
    """Yield the spans in a row: those of a batch of OTLP, or the one that it is."""
    if not isinstance(value, Mapping):
        return
    batches = value.get("resourceSpans", value.get("resource_spans"))
    if not isinstance(batches, list):
        yield dict(value)
        return
    for batch in batches:
        for scope in _list(batch, "scopeSpans", "scope_spans"):
            yield from (dict(span) for span in _list(scope, "spans") if isinstance(span, Mapping))


def _list(value: Any, *keys: str) -> list[Any]:
    part = first_of(value, keys) if isinstance(value, Mapping) else None
    return part if isinstance(part, list) else []


def attributes(span: Mapping[str, Any]) -> dict[str, Any]:
    """Return a span's attributes by their dotted names, from columns, pairs, or an object."""
    columns = {
        key.removeprefix(_COLUMN): part
        for key, part in span.items()
        if key.startswith(_COLUMN) and part is not None
    }
    return columns | read_pairs(span.get("attributes"))


def read_pairs(pairs: Any) -> dict[str, Any]:
    """Read attributes as OTLP writes them, `[{"key", "value": {"stringValue"}}]`, or an object."""
    if isinstance(pairs, Mapping):
        return dict(_flatten(pairs, ""))
    return {
        pair["key"]: _read_value(pair.get("value"))
        for pair in (pairs if isinstance(pairs, list) else ())
        if isinstance(pair, Mapping) and isinstance(pair.get("key"), str)
    }


def _flatten(value: Mapping[str, Any], prefix: str) -> Iterator[tuple[str, Any]]:
    for key, part in value.items():
        if isinstance(part, Mapping) and not prefix.count("."):
            yield from _flatten(part, f"{prefix}{key}.")
        yield f"{prefix}{key}", part


def _read_value(value: Any) -> Any:
    if not isinstance(value, Mapping):
        return value
    if "arrayValue" in value:
        return [_read_value(part) for part in _list(value["arrayValue"], "values")]
    if "kvlistValue" in value:
        return read_pairs(_list(value["kvlistValue"], "values"))
    if "intValue" in value:
        return int(value["intValue"])
    return next(iter(value.values()), None)


def nest(value: Any) -> Any:
    """Return names with dots as objects in objects, numbers among them as places in a list.

    >>> nest({"0.message.role": "user", "0.message.content": "Hi"})
    [{'message': {'role': 'user', 'content': 'Hi'}}]
    """
    if isinstance(value, list | tuple):
        return [nest(part) for part in value]
    if not isinstance(value, Mapping):
        return value
    root: dict[str, Any] = {}
    for name, part in value.items():
        parent = root
        *path, last = str(name).split(".")
        for key in path:
            inner = parent.setdefault(key, {})
            parent = inner if isinstance(inner, dict) else parent
        old, new = parent.get(last), nest(part)
        both = isinstance(old, dict) and isinstance(new, dict)
        parent[last] = {**old, **new} if both else new  # type: ignore[dict-item]
    return _as_lists(root)


def _as_lists(value: Any) -> Any:
    if not isinstance(value, dict):
        return value
    inner = {key: _as_lists(part) for key, part in value.items()}
    if inner and all(key.isdecimal() for key in inner):
        return [inner[key] for key in sorted(inner, key=int)]
    return inner


def history(span: Mapping[str, Any], names: RoleNames = NO_NAMES) -> list[Turn]:
    """Return what a model was sent and answered in a span; empty where it holds no messages."""
    facts = attributes(span)
    if turns := _read_genai(facts, names):
        return turns
    for sent, answered in _NUMBERED:
        turns = [
            *_read_numbered(facts, sent, "user", names),
            *_read_numbered(facts, answered, "assistant", names),
        ]
        if turns:
            return turns
    return [
        turn
        for event in _list(span, "events")
        if isinstance(event, Mapping)
        for turn in _read_event(event, names)
    ]


def _read_genai(facts: Mapping[str, Any], names: RoleNames) -> list[Turn]:
    """`gen_ai.system_instructions`, `gen_ai.input.messages` and `gen_ai.output.messages`."""
    instructions, turns = parse_json_text(facts.get("gen_ai.system_instructions")), []
    if instructions:
        parts = instructions
        if not isinstance(parts, list):
            parts = [{"type": "text", "content": str(instructions)}]
        turns = read_message({"role": "system", "parts": parts}, "gen_ai.system_instructions")
    sent = _read_side(facts, "gen_ai.input.messages", "user", names)
    answered = _read_side(facts, "gen_ai.output.messages", "assistant", names)
    choices = facts.get("gen_ai.request.choice.count")
    if isinstance(choices, int) and choices > 1:  # the model was asked for several answers
        answered = answered[:1]
    return [*turns, *sent, *answered] if sent or answered else []


def _read_side(facts: Mapping[str, Any], name: str, role: Role, names: RoleNames) -> list[Turn]:
    return read_side(facts.get(name), role, name, names)


def _read_numbered(facts: Mapping[str, Any], name: str, role: Role, names: RoleNames) -> list[Turn]:
    whole, start = facts.get(name), f"{name}."
    if whole is None:
        whole = {k.removeprefix(start): part for k, part in facts.items() if k.startswith(start)}
    return read_side(nest(parse_json_text(whole)) or None, role, name, names)


def _read_event(event: Mapping[str, Any], names: RoleNames) -> list[Turn]:
    """The messages in an event: the conventions' older ones, one event a message."""
    name, body = str(event.get("name")), parse_json_text(event.get("body"))
    facts = read_pairs(event.get("attributes")) | (body if isinstance(body, dict) else {})
    if "gen_ai.input.messages" in facts or "gen_ai.output.messages" in facts:
        return _read_genai(facts, names)
    if name in _EVENTS:
        message = {"role": _EVENTS[name], **nest(facts)}
        if name == "gen_ai.tool.message":
            message.setdefault("tool_call_id", facts.get("id"))
        return read_message(_with_calls(message), name, names)
    if name == "gen_ai.choice" and facts.get("index", 0) in (0, "0"):
        choice = parse_json_text(facts.get("message", nest(facts)))
        if isinstance(choice, Mapping):
            choice = _with_calls({"role": "assistant", **choice})
        return read_side(choice, "assistant", name, names)
    if name in _CONTENT_EVENTS:
        return _read_side(facts, name.replace("content.", ""), _CONTENT_EVENTS[name], names)
    return []


def _with_calls(message: dict[str, Any]) -> dict[str, Any]:
    return message | {"tool_calls": parse_json_text(message.get("tool_calls"))}


def trace_of(span: Mapping[str, Any]) -> str | None:
    """Return the trace that a span belongs to."""
    context = span.get("context")
    inner = first_of(context, _TRACE) if isinstance(context, Mapping) else None
    trace = first_of(span, _TRACE) or inner
    return None if trace is None else str(trace)


def gather(rows: Iterator[Row], options: Options) -> Iterator[Row]:
    """Make one row of the spans of a session, or of a trace that names none.

    All spans are held in memory, for those of a conversation may stand anywhere.
    """
    spans = []
    sessions: dict[str, str] = {}  # by trace
    for row in rows:
        for span in spans_in(row.value):
            trace, session = trace_of(span), first_of(attributes(span), _CONVERSATION)
            if trace is not None and session is not None:
                sessions.setdefault(trace, str(session))
            spans.append((row, span, trace, session))
    yield from group_parts(
        (str(session or sessions.get(trace or "", trace) or record_id(row)), row, span)
        for row, span, trace, session in spans
    )


def reader(fallback: bool) -> Callable[[Row, Options], Iterable[Record]]:
    """Return what reads a gathered row.

    Args:
        fallback: take the plain input and output of the outermost spans where no span holds
            messages.
    """

    def read(row: Row, options: Options) -> Iterable[Record]:
        fields = object_at(row.value, "")
        spans = sort_by_time(fields.get(PARTS, ()), *_TIMES)
        facts = [attributes(span) for span in spans]
        histories = [history(span, options.roles) for span in spans]
        if fallback and not any(histories):
            histories = [
                [
                    *_read_side(held, "input.value", "user", options.roles),
                    *_read_side(held, "output.value", "assistant", options.roles),
                ]
                for span, held in zip(spans, facts, strict=True)
                if first_of(span, _PARENT) in (None, "")
            ]
        models = [first_of(held, _MODEL) for held in facts]
        model = next((name for name in models if isinstance(name, str)), None)
        name = str(fields.get("id"))
        turns = merge_histories(histories, name)
        yield Conversation(name, turns, model, _metadata(spans, facts))

    return read


def _metadata(
    spans: Sequence[Mapping[str, Any]], facts: Sequence[Mapping[str, Any]]
) -> dict[str, Any]:
    """When the conversation began, its traces and users."""
    metadata: dict[str, Any] = {}
    start = next((first_of(span, _TIMES) for span in spans if first_of(span, _TIMES)), None)
    if start is not None:
        metadata["start_time"] = start if isinstance(start, str | int | float) else str(start)
    if traces := list(dict.fromkeys(trace for span in spans if (trace := trace_of(span)))):
        metadata["trace_ids"] = traces
    for name in _FACTS:
        value = next((held[name] for held in facts if isinstance(held.get(name), str)), None)
        if value is not None:
            metadata[name] = value
    return metadata


def _is_genai(span: Mapping[str, Any]) -> bool:
    events = [event.get("name") for event in _list(span, "events") if isinstance(event, Mapping)]
    return any(str(name).startswith("gen_ai.") for name in (*attributes(span), *events))


def _is_openinference(span: Mapping[str, Any]) -> bool:
    is_span = any(key in span for key in ("attributes", "context.trace_id", "traceId"))
    return is_span and any(name.startswith(_OPENINFERENCE) for name in attributes(span))


def _holds(sample: Sample, is_known: Callable[[Mapping[str, Any]], bool]) -> bool:
    """Whether some span of the first rows is of a convention."""
    spans = (span for row in sample.rows for span in spans_in(row))
    return sample.container == "json" and any(map(is_known, spans))


OTEL_GENAI = Format(
    name="otel-genai",
    summary="OpenTelemetry spans by the GenAI conventions, by conversation or trace",
    recognise=lambda sample: _holds(sample, _is_genai),
    parse=reader(fallback=False),
    gather=gather,
)
PHOENIX = Format(
    name="phoenix",
    summary="spans of Arize Phoenix (OpenInference), by session or trace",
    recognise=lambda sample: _holds(sample, _is_openinference),
    parse=reader(fallback=True),
    gather=gather,
)
