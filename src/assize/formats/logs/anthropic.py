"""Anthropic messages: content in blocks, `tool_use` in the assistant's, `tool_result` in the
user's. The system prompt stands beside the messages."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from assize.conversation import Conversation, ToolCall, Turn
from assize.formats.format import Format, Options
from assize.formats.messages import beside, object_at, only, record_id, with_rest
from assize.formats.records import Record
from assize.formats.rows import Row, Sample
from assize.formats.tool_calls import arguments_text, call_fields
from assize.formats.tool_messages import SAME, read_messages, write_messages

KEY = "anthropic_message"
_BLOCKS = ("tool_use", "tool_result", "server_tool_use", "thinking")
_IDS = ("id", "conversation_id", "request_id")


def recognise(sample: Sample) -> bool:
    """Whether some message of the first rows holds a block that only Anthropic's have."""
    return sample.container == "json" and any(
        is_anthropic(message)
        for row in sample.rows
        if isinstance(row, Mapping) and isinstance(row.get("messages"), list)
        for message in row["messages"]
    )


def is_anthropic(message: Any) -> bool:
    """Whether a message holds blocks of calls, of results or of thinking."""
    content = message.get("content") if isinstance(message, Mapping) else None
    return isinstance(content, list) and any(
        isinstance(block, Mapping) and block.get("type") in _BLOCKS for block in content
    )


def read(row: Row, options: Options) -> Iterable[Record]:
    """One conversation a row; a result is a turn of the tool."""
    fields = object_at(row.value, "")
    name = next((key for key in _IDS if fields.get(key) is not None), None)
    model = fields.get("model") if isinstance(fields.get("model"), str) else None
    used: set[str | None] = {"messages", "system", name, *(("model",) if model else ())}
    metadata, extra = beside(fields, used)
    system = fields.get("system")
    preamble = [] if system is None else [{"role": "system", "content": system}]
    turns = [
        *(read_messages(preamble, "system", KEY, plain) if preamble else ()),
        *turns_in(fields.get("messages"), "messages"),
    ]
    given = None if name is None else fields[name]
    yield Conversation(record_id(row, given), tuple(turns), model, metadata, extra)


def turns_in(messages: Any, field: str) -> Iterable[Turn]:
    """The turns of a list of messages."""
    return read_messages(messages, field, KEY, plain)


def write(record: Record) -> Iterable[Any]:
    """One conversation a row."""
    record = only(record, Conversation, "anthropic holds conversations: write another format")
    row: dict[str, Any] = {"id": record.id}
    if record.system is not None:
        row["model"] = record.system
    turns = list(record.turns)
    if turns and turns[0].role == "system":
        (first,) = write_messages(turns[:1], KEY, plain)
        row["system"] = first["content"]
        turns = turns[1:]
    row["messages"] = write_messages(_together(turns), KEY, plain, several=True)
    yield with_rest(row, record)


def _together(turns: Sequence[Turn]) -> list[Turn]:
    """The turns with the results of one turn's calls marked as one message, as the API asks."""
    found: list[Turn] = []
    for turn in turns:
        after = bool(found) and turn.role == "tool" and found[-1].role == "tool"
        found.append(replace(turn, extra={**turn.extra, SAME: True}) if after else turn)
    return found


def plain(turns: Sequence[Turn]) -> dict[str, Any]:
    """One message of some turns: results, then what is said."""
    role = "user" if turns[0].role == "tool" else turns[0].role
    if len(turns) == 1 and turns[0].role != "tool" and not turns[0].tool_calls:
        return {"role": role, "content": turns[0].text}
    return {"role": role, "content": [block for turn in turns for block in _blocks(turn)]}


def _blocks(turn: Turn) -> Iterable[dict[str, Any]]:
    if turn.role == "tool":
        asked = "" if turn.tool_call_id is None else turn.tool_call_id
        block = {"type": "tool_result", "tool_use_id": asked, "content": turn.text}
        yield block | ({"is_error": True} if turn.extra.get("is_error") else {})
        return
    if turn.text:
        yield {"type": "text", "text": turn.text}
    for call in turn.tool_calls:
        yield _call(call)


def _call(call: ToolCall) -> dict[str, Any]:
    object_ = dict(call.arguments) if isinstance(call.arguments, Mapping) else None
    input_ = {"text": arguments_text(call)} if object_ is None else object_
    more = {key: part for key, part in call_fields(call).items() if key == "type"}
    return {"type": "tool_use", "id": call.id, "name": call.name, "input": input_} | more


ANTHROPIC = Format(
    name="anthropic",
    summary="Anthropic messages: blocks of text, tool_use and tool_result",
    recognise=recognise,
    parse=read,
    unparse=write,
)
