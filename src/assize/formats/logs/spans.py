"""Spans of OpenTelemetry, however they are exported: OTLP as JSON, the SDK's `to_json`, rows of
Phoenix. The messages stand in attributes (GenAI conventions, OpenInference) or in events."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from assize.base.conversation import Conversation, Role, Turn
from assize.formats.chat_messages import first_of, read_message
from assize.formats.format import Options
from assize.formats.logs.histories import decoded_text, in_order, joined, said_in, spoken
from assize.formats.messages import NO_NAMES, RoleNames, object_at, record_id
from assize.formats.records import Record
from assize.formats.rows import Row

TOGETHER = "spans"  # the rows of one conversation
_COLUMN = "attributes."  # before the name of an attribute, in a table of spans
_CONVERSATION = (
    "gen_ai.conversation.id",
    "session.id",
    "langfuse.session.id",
    "traceloop.session.id",
)
_MODEL = ("gen_ai.response.model", "gen_ai.request.model", "llm.model_name")
_TIMES = ("startTimeUnixNano", "start_time", "startTime", "start_time_unix_nano")
_SIDES: tuple[tuple[str, Role], ...] = (("input", "user"), ("output", "assistant"))
_EVENTS: Mapping[str, Role] = {
    "gen_ai.system.message": "system",
    "gen_ai.user.message": "user",
    "gen_ai.assistant.message": "assistant",
    "gen_ai.tool.message": "tool",
}


def spans_in(value: Any) -> Iterator[dict[str, Any]]:
    """The spans in a row: a batch of OTLP, or one span."""
    if not isinstance(value, Mapping):
        return
    batches = value.get("resourceSpans", value.get("resource_spans"))
    if not isinstance(batches, list):
        yield dict(value)
        return
    for batch in batches:
        for scope in _list(batch, "scopeSpans", "scope_spans"):
            for span in _list(scope, "spans"):
                if isinstance(span, Mapping):
                    yield dict(span)


def _list(value: Any, *keys: str) -> list[Any]:
    found = first_of(value, keys) if isinstance(value, Mapping) else None
    return found if isinstance(found, list) else []


def attributes(span: Mapping[str, Any]) -> dict[str, Any]:
    """A span's attributes by their dotted names; from columns, a list of pairs, or an object."""
    given = span.get("attributes")
    found = {
        key.removeprefix(_COLUMN): part
        for key, part in span.items()
        if key.startswith(_COLUMN) and part is not None
    }
    return found | pairs(given)


def pairs(given: Any) -> dict[str, Any]:
    """Attributes as OTLP writes them, `[{"key", "value": {"stringValue"}}]`, or an object."""
    if isinstance(given, Mapping):
        return dict(_flat(given, ""))
    if not isinstance(given, list):
        return {}
    return {
        one["key"]: _value(one.get("value"))
        for one in given
        if isinstance(one, Mapping) and isinstance(one.get("key"), str)
    }


def _flat(value: Mapping[str, Any], before: str) -> Iterator[tuple[str, Any]]:
    for key, part in value.items():
        if isinstance(part, Mapping) and not before.count("."):
            yield from _flat(part, f"{before}{key}.")
        yield f"{before}{key}", part


def _value(value: Any) -> Any:
    if not isinstance(value, Mapping):
        return value
    if "arrayValue" in value:
        return [_value(one) for one in _list(value["arrayValue"], "values")]
    if "kvlistValue" in value:
        return pairs(_list(value["kvlistValue"], "values"))
    if "intValue" in value:
        return int(value["intValue"])
    return next(iter(value.values()), None)


def nested(value: Any) -> Any:
    """Names with dots as objects in objects, numbers among them as places in a list.

    >>> nested({"0.message.role": "user", "0.message.content": "Hi"})
    [{'message': {'role': 'user', 'content': 'Hi'}}]
    """
    if isinstance(value, list | tuple):
        return [nested(one) for one in value]
    if not isinstance(value, Mapping):
        return value
    found: dict[str, Any] = {}
    for name, part in value.items():
        at = found
        *path, last = str(name).split(".")
        for key in path:
            inner = at.setdefault(key, {})
            at = inner if isinstance(inner, dict) else at
        held, new = at.get(last), nested(part)
        at[last] = {**held, **new} if isinstance(held, dict) and isinstance(new, dict) else new
    return _listed(found)


def _listed(value: dict[str, Any]) -> Any:
    inner = {k: _listed(part) if isinstance(part, dict) else part for k, part in value.items()}
    if inner and all(key.isdecimal() for key in inner):
        return [inner[key] for key in sorted(inner, key=int)]
    return inner


def history(span: Mapping[str, Any], names: RoleNames = NO_NAMES) -> list[Turn]:
    """What a model was sent and answered in a span; empty where it holds no messages."""
    held = attributes(span)
    for told in (_genai, _openinference, _flattened):
        turns = told(held, names)
        if turns:
            return turns
    return _events(span, names)


def _genai(held: Mapping[str, Any], names: RoleNames) -> list[Turn]:
    """`gen_ai.system_instructions`, `gen_ai.input.messages` and `gen_ai.output.messages`."""
    told = decoded_text(held.get("gen_ai.system_instructions"))
    turns = []
    if told:
        parts = told if isinstance(told, list) else [{"type": "text", "content": str(told)}]
        turns += read_message({"role": "system", "parts": parts}, "gen_ai.system_instructions")
    sent, answered = (
        said_in(held.get(f"gen_ai.{name}.messages"), role, f"gen_ai.{name}.messages", names)
        for name, role in _SIDES
    )
    return [*turns, *sent, *answered[: _first_choice(held, answered)]] if sent or answered else []


def _first_choice(held: Mapping[str, Any], answered: Sequence[Turn]) -> int:
    """All that is answered, or one turn of it where the model was asked for several answers."""
    count = held.get("gen_ai.request.choice.count")
    return 1 if isinstance(count, int) and count > 1 else len(answered)


def _openinference(held: Mapping[str, Any], names: RoleNames) -> list[Turn]:
    """`llm.input_messages` and `llm.output_messages`, as lists or with a name for every part."""
    return [
        turn
        for name, role in _SIDES
        for turn in _listed_messages(held, f"llm.{name}_messages", role, names)
    ]


def _listed_messages(
    held: Mapping[str, Any], name: str, role: Role, names: RoleNames
) -> list[Turn]:
    whole = held.get(name)
    if whole is None:
        start = f"{name}."
        whole = {k.removeprefix(start): part for k, part in held.items() if k.startswith(start)}
    return said_in(nested(decoded_text(whole)) or None, role, name, names)


def _flattened(held: Mapping[str, Any], names: RoleNames) -> list[Turn]:
    """`gen_ai.prompt.0.role` and so on, from before there was a convention."""
    sent = _listed_messages(held, "gen_ai.prompt", "user", names)
    return [*sent, *_listed_messages(held, "gen_ai.completion", "assistant", names)]


def _events(span: Mapping[str, Any], names: RoleNames) -> list[Turn]:
    """The messages in events: the conventions' older ones, one event a message."""
    turns: list[Turn] = []
    for event in _list(span, "events"):
        if not isinstance(event, Mapping):
            continue
        name = str(event.get("name"))
        held = pairs(event.get("attributes")) | _body(event)
        if any(key in held for key in ("gen_ai.input.messages", "gen_ai.output.messages")):
            turns += _genai(held, names)
        elif name in _EVENTS:
            message = {"role": _EVENTS[name], **nested(held)}
            if name == "gen_ai.tool.message":
                message.setdefault("tool_call_id", held.get("id"))
            message["tool_calls"] = decoded_text(message.get("tool_calls"))
            turns += read_message(message, name, names)
        elif name == "gen_ai.choice" and held.get("index", 0) in (0, "0"):
            message = decoded_text(held.get("message", nested(held)))
            if isinstance(message, Mapping):
                message = {"role": "assistant", **message}
                message["tool_calls"] = decoded_text(message.get("tool_calls"))
            turns += said_in(message, "assistant", name, names)
        elif name in ("gen_ai.content.prompt", "gen_ai.content.completion"):
            role: Role = "user" if name.endswith("prompt") else "assistant"
            turns += said_in(held.get(name.replace("content.", "")), role, name, names)
    return turns


def _body(event: Mapping[str, Any]) -> dict[str, Any]:
    body = decoded_text(event.get("body"))
    return dict(body) if isinstance(body, Mapping) else {}


def trace_of(span: Mapping[str, Any]) -> str | None:
    """The trace that a span belongs to."""
    context = span.get("context")
    inner = context if isinstance(context, Mapping) else {}
    keys = ("traceId", "trace_id", "context.trace_id")
    found = first_of(span, keys) or first_of(inner, keys)
    return None if found is None else str(found)


def conversation_of(span: Mapping[str, Any]) -> str | None:
    """The conversation or session that a span names."""
    found = first_of(attributes(span), _CONVERSATION)
    return None if found is None else str(found)


def gather(rows: Iterator[Row], options: Options) -> Iterator[Row]:
    """One row a conversation: the spans of a session, or of a trace that names none.

    All spans are held in memory, for those of a conversation may stand anywhere.
    """
    spans = []
    named: dict[str, str] = {}
    for row in rows:
        if row.problem is not None:
            yield row
            continue
        for span in spans_in(row.value):
            trace, name = trace_of(span), conversation_of(span)
            if trace is not None and name is not None:
                named.setdefault(trace, name)
            spans.append((row, span, trace, name))
    groups: dict[str, list[dict[str, Any]]] = {}
    first: dict[str, Row] = {}
    for row, span, trace, name in spans:
        key = name or named.get(trace or "", trace) or record_id(row)
        groups.setdefault(key, []).append(span)
        first.setdefault(key, row)
    for key, some in groups.items():
        yield Row({"id": key, TOGETHER: some}, first[key].source, first[key].line)


def reader(fallback: bool) -> Callable[[Row, Options], Iterable[Record]]:
    """What reads a gathered row; `fallback` takes a span's plain input and output as well."""

    def read(row: Row, options: Options) -> Iterable[Record]:
        fields = object_at(row.value, "")
        spans = in_order(fields.get(TOGETHER, ()), *_TIMES)
        histories = [history(span, options.roles) for span in spans]
        if fallback and not any(histories):
            histories = [_plain(span, options.roles) for span in spans if _is_root(span)]
        held = [attributes(span) for span in spans]
        models = [first_of(one, _MODEL) for one in held]
        model = next((one for one in models if isinstance(one, str)), None)
        name = str(fields.get("id"))
        yield Conversation(name, spoken(joined(histories), name), model, _about(spans, held))

    return read


def _plain(span: Mapping[str, Any], names: RoleNames) -> list[Turn]:
    held = attributes(span)
    sent = said_in(held.get("input.value"), "user", "input.value", names)
    return [*sent, *said_in(held.get("output.value"), "assistant", "output.value", names)]


def _is_root(span: Mapping[str, Any]) -> bool:
    return first_of(span, ("parentSpanId", "parent_id", "parentId")) in (None, "")


def _about(spans: Sequence[Mapping[str, Any]], held: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """When it began, its traces and users, as metadata."""
    found: dict[str, Any] = {}
    when = next((first_of(span, _TIMES) for span in spans if first_of(span, _TIMES)), None)
    if when is not None:
        found["start_time"] = when if isinstance(when, str | int | float) else str(when)
    traces = list(dict.fromkeys(trace for span in spans if (trace := trace_of(span))))
    if traces:
        found["trace_ids"] = traces
    for name in ("user.id", "gen_ai.agent.name", "service.version"):
        value = next((one[name] for one in held if isinstance(one.get(name), str)), None)
        if value is not None:
            found[name] = value
    return found
