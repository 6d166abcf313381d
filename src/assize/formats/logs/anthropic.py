"""Anthropic messages: content in blocks, `tool_use` in the assistant's, `tool_result` in the
user's. The system prompt stands beside the messages."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from assize.base.conversation import Conversation
from assize.formats.format import Format, Options
from assize.formats.messages import beside, object_at, record_id
from assize.formats.records import Record
from assize.formats.rows import Row, Sample
from assize.formats.tool_messages import read_messages

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
        *(read_messages(preamble, "system", options.roles) if preamble else ()),
        *read_messages(fields.get("messages"), "messages", options.roles),
    ]
    given = None if name is None else fields[name]
    yield Conversation(record_id(row, given), tuple(turns), model, metadata, extra)


ANTHROPIC = Format(
    name="anthropic",
    summary="Anthropic messages: blocks of text, tool_use and tool_result",
    recognise=recognise,
    parse=read,
)
