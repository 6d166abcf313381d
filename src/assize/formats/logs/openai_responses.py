"""OpenAI responses: a list of items, which are messages, `function_call`, `function_call_output`,
`reasoning` and others; `input` is what was sent, `output` what came back."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

from assize.base.conversation import Conversation, ToolCall, Turn
from assize.base.errors import DataError
from assize.formats.format import Format, Options
from assize.formats.messages import RoleNames, beside, list_at, object_at, record_id, shown
from assize.formats.records import Record
from assize.formats.rows import Row, Sample
from assize.formats.tool_calls import tool_call
from assize.formats.tool_messages import result_text, turns_of

_RESULTS = ("function_call_output", "custom_tool_call_output")
_CALLS = ("function_call", "custom_tool_call", "mcp_call")
_ITEMS = frozenset({*_RESULTS, *_CALLS, "message", "reasoning"})
_OF_CALL = ("id", "call_id", "type", "status")


def recognise(sample: Sample) -> bool:
    """Whether the first row has items in `output`, or calls among those of `input`."""
    if sample.container != "json":
        return False
    given, output = sample.first.get("input"), sample.first.get("output")
    return _items(output, _ITEMS) or _items(given, {*_RESULTS, *_CALLS, "reasoning"})


def _items(values: Any, known: Collection[str]) -> bool:
    return isinstance(values, list) and any(
        isinstance(one, Mapping) and str(one.get("type")) in known for one in values
    )


def read(row: Row, options: Options) -> Iterable[Record]:
    """One conversation a row; what the assistant said and called between two results is a turn."""
    fields = object_at(row.value, "")
    model = fields.get("model") if isinstance(fields.get("model"), str) else None
    told = isinstance(fields.get("instructions"), str) and bool(fields["instructions"])
    used: set[str | None] = {"input", "output", "id", *(("model",) if model else ())}
    metadata, extra = beside(fields, used | ({"instructions"} if told else set()))
    given = fields.get("input")
    items: list[Any] = [] if given is None else [{"role": "user", "content": given}]
    if isinstance(given, list):
        items = list(given)
    if fields.get("output"):
        items += list_at(fields["output"], "output")
    preamble = [Turn("system", fields["instructions"])] if told else []
    turns = list(turns_in(items, "items", options.roles))
    if not preamble and not turns:
        raise DataError("holds no items", field="input")
    name = record_id(row, fields.get("id"))
    yield Conversation(name, (*preamble, *turns), model, metadata, extra)


def turns_in(items: Sequence[Any], field: str, names: RoleNames) -> Iterator[Turn]:
    """The turns of a list of items."""
    for some in _together(items):
        yield _turn(some, field, names)


def _together(items: Sequence[Any]) -> Iterator[list[Any]]:
    """Items by turn: reasoning, then a message of the assistant, then its calls."""
    some: list[Any] = []
    stage = 0
    for item in items:
        now = _stage(item)
        if some and (now == 0 or now < stage or (now == stage == 2)):
            yield some
            some = []
        some.append(item)
        stage = now
        if now == 0:
            yield some
            some, stage = [], 0
    if some:
        yield some


def _stage(item: Any) -> int:
    """0: a turn of its own; 1: reasoning; 2: the assistant's message; 3: its call."""
    kind = item.get("type", "message") if isinstance(item, Mapping) else None
    if kind == "reasoning":
        return 1
    if kind == "message":
        return 2 if item.get("role") == "assistant" else 0
    return 0 if kind in _RESULTS or kind is None else 3


def _turn(items: Sequence[Any], field: str, names: RoleNames) -> Turn:
    text, calls = "", []
    for item in items:
        value = object_at(item, field)
        kind = value.get("type", "message")
        if kind == "message":
            (said, *_) = turns_of(value, field, names)
            if value.get("role") != "assistant":
                return said
            text = said.text
        elif kind in _RESULTS:
            return _result(value)
        elif kind != "reasoning":
            calls.append(_call(value, field))
    return Turn("assistant", text, tool_calls=tuple(calls))


def _result(item: Mapping[str, Any]) -> Turn:
    call = item.get("call_id")
    asked = call if isinstance(call, str) else None
    return Turn("tool", result_text(item.get("output")), tool_call_id=asked)


def _call(item: Mapping[str, Any], field: str) -> ToolCall:
    """A call; of a tool that the server runs, its kind is the name and its fields are arguments."""
    kind = item.get("type")
    if kind in _CALLS:
        fields = {key: item[key] for key in ("name", "arguments", "input") if key in item}
        name = item.get("call_id", item.get("id"))
        return tool_call({"id": name, **fields}, field)
    if not isinstance(kind, str):
        raise DataError(f"received {shown(kind)}; expected the kind of an item", field="type")
    fields = {key: part for key, part in item.items() if key not in _OF_CALL}
    named = str(item.get("call_id", item.get("id", "")))
    return ToolCall(named, kind.removesuffix("_call"), fields)


OPENAI_RESPONSES = Format(
    name="openai-responses",
    summary="OpenAI responses: items of input and output",
    recognise=recognise,
    parse=read,
)
