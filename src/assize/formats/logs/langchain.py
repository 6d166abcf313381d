"""LangChain and LangGraph messages as they are dumped: `{"type": "ai", "content": ...}`, the same
inside `data` (messages_to_dict) or `kwargs` (dumpd), in a list or in a graph's state."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from assize.base.conversation import Conversation
from assize.formats.format import Format, Options
from assize.formats.messages import beside, object_at, record_id
from assize.formats.records import Record
from assize.formats.rows import Row, Sample
from assize.formats.tool_messages import read_messages

_KNOWN = frozenset(
    {"human", "ai", "system", "tool", "function", "AIMessageChunk", "HumanMessageChunk"}
)
_IDS = ("id", "thread_id", "conversation_id", "run_id")


def recognise(sample: Sample) -> bool:
    """Whether the first row holds messages with a LangChain type."""
    found = _messages(sample.rows[0]) if sample.container == "json" and sample.rows else None
    return isinstance(found, list) and bool(found) and _is_message(found[0])


def _messages(row: Any) -> Any:
    if isinstance(row, list):
        return row
    values = row.get("values") if isinstance(row, Mapping) else None
    if isinstance(values, Mapping):  # the state of a thread
        return values.get("messages")
    return row.get("messages") if isinstance(row, Mapping) else None


def _is_message(value: Any) -> bool:
    if not isinstance(value, Mapping) or "role" in value:
        return False
    if value.get("lc") is not None and isinstance(value.get("kwargs"), Mapping):
        return "content" in value["kwargs"]
    inner = value["data"] if isinstance(value.get("data"), Mapping) else value
    return value.get("type") in _KNOWN and "content" in inner


def read(row: Row, options: Options) -> Iterable[Record]:
    """One conversation a row."""
    value = {"messages": row.value} if isinstance(row.value, list) else row.value
    fields = object_at(value, "")
    name = next((key for key in _IDS if fields.get(key) is not None), None)
    state = isinstance(fields.get("values"), Mapping)
    metadata, extra = beside(fields, {"messages", name})
    if state:
        rest = {key: part for key, part in fields["values"].items() if key != "messages"}
        extra = {**extra, "values": rest}
    place = "values.messages" if state else "messages"
    turns = read_messages([_named(one) for one in _messages(fields) or ()], place, options.roles)
    yield Conversation(
        record_id(row, None if name is None else fields[name]),
        tuple(turns),
        metadata=metadata,
        extra=extra,
    )


def _named(message: Any) -> Any:
    """A message with the type that the name of its class says, where it is dumped by its class."""
    if not isinstance(message, Mapping) or not isinstance(message.get("kwargs"), Mapping):
        return message
    names = message.get("id")
    if "type" in message["kwargs"] or not isinstance(names, list) or not names:
        return message
    return {**message, "kwargs": {**message["kwargs"], "type": str(names[-1])}}


LANGCHAIN = Format(
    name="langchain",
    summary="LangChain and LangGraph messages, dumped as JSON",
    recognise=recognise,
    parse=read,
)
