"""OpenAI responses: items of `input` (what was sent) and `output` (what came back)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from assize.base.conversation import Conversation, ToolCall, Turn
from assize.base.errors import DataError, shorten
from assize.formats.chat_messages import read_message, text_of_result
from assize.formats.format import Format, Options
from assize.formats.messages import (
    NO_NAMES,
    RoleNames,
    list_at,
    object_at,
    record_id,
    split_metadata,
)
from assize.formats.records import Record
from assize.formats.rows import Row, Sample
from assize.formats.tool_calls import read_tool_call

_RESULTS = ("function_call_output", "custom_tool_call_output")
_CALLS = ("function_call", "custom_tool_call", "mcp_call")
_STEPS = (*_RESULTS, *_CALLS, "reasoning")


def recognise(sample: Sample) -> bool:
    """Whether the first row has items in `output`, or calls among those of `input`."""
    if sample.container != "json":
        return False
    given, output = sample.first.get("input"), sample.first.get("output")
    return _has_items(output, (*_STEPS, "message")) or _has_items(given, _STEPS)


def _has_items(values: Any, types: Sequence[str]) -> bool:
    return isinstance(values, list) and any(
        isinstance(item, Mapping) and item.get("type") in types for item in values
    )


def read(row: Row, options: Options) -> Iterable[Record]:
    """Return the row's conversation; what the assistant says and then calls is one turn."""
    fields = object_at(row.value, "")
    model = fields["model"] if isinstance(fields.get("model"), str) else None
    used = {"input", "output", "id", "instructions", "model" if model is not None else None}
    metadata, extra = split_metadata(fields, used)
    items: list[Any] = []
    if fields.get("instructions"):
        items.append({"role": "system", "content": fields["instructions"]})
    given = fields.get("input")
    items += [{"role": "user", "content": given}] if isinstance(given, str) else given or []
    items += list_at(fields["output"], "output") if fields.get("output") else []
    turns = tuple(read_items(items, "items", options.roles))
    if not turns:
        raise DataError("holds no items", field="input")
    yield Conversation(record_id(row, fields.get("id")), turns, model, metadata, extra)


def read_items(items: Sequence[Any], place: str, names: RoleNames = NO_NAMES) -> Iterator[Turn]:
    """Return the turns of a list of items; reasoning is not said, and left out."""
    text = ""
    calls: list[ToolCall] = []
    for item in items:
        value = object_at(item, place)
        kind = value.get("type", "message")
        says = kind == "message" and value.get("role") == "assistant"
        if (text or calls) and (says or kind in (*_RESULTS, "message")):
            yield Turn("assistant", text, tool_calls=tuple(calls))
            text, calls = "", []
        if says:
            text = read_message(value, place, names)[-1].text
        elif kind == "message":
            yield from read_message(value, place, names)
        elif kind in _RESULTS:
            yield Turn(
                "tool", text_of_result(value.get("output")), tool_call_id=value.get("call_id")
            )
        elif kind != "reasoning":
            calls.append(_read_call(value, place))
    if text or calls:
        yield Turn("assistant", text, tool_calls=tuple(calls))


def _read_call(item: Mapping[str, Any], place: str) -> ToolCall:
    """A call; of a tool that the server runs, its kind is the name and its fields the arguments."""
    kind = item.get("type")
    call_id = str(item.get("call_id", item.get("id", "")))
    if kind in _CALLS:
        fields = {key: item[key] for key in ("name", "arguments", "input") if key in item}
        return read_tool_call({"id": call_id, **fields}, place)
    if not isinstance(kind, str):
        raise DataError(f"received {shorten(kind)}; expected the kind of an item", field="type")
    known = ("id", "call_id", "type", "status")
    arguments = {key: part for key, part in item.items() if key not in known}
    return ToolCall(call_id, kind.removesuffix("_call"), arguments)


OPENAI_RESPONSES = Format(
    name="openai-responses",
    summary="OpenAI responses: items of input and output",
    recognise=recognise,
    parse=read,
)
