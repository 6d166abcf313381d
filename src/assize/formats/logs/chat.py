"""Chat messages as OpenAI, Anthropic, LangChain and LangGraph log them, and as data sets hold them.

A row is an object with `messages`, a bare list of messages, or the state of a LangGraph thread; a
file of bare messages is one conversation. LMSYS-Chat-1M and WildChat have them in `conversation`.
All are read alike; OpenAI's shape is also written.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from typing import Any

from assize.base.conversation import ROLES, Conversation, Role, Turn
from assize.formats.chat_messages import (
    INSTEAD_OF_CONTENT,
    read_message,
    read_messages,
)
from assize.formats.format import Format, Options
from assize.formats.messages import (
    add_extra,
    message_fields,
    object_at,
    only,
    record_id,
    role_name,
    split_metadata,
)
from assize.formats.records import Record
from assize.formats.rows import Row, Sample

_ID_KEYS = ("id", "conversation_id", "conversation_hash", "thread_id", "request_id", "run_id")
_ANTHROPIC_BLOCKS = ("tool_use", "tool_result", "server_tool_use", "thinking")
_LANGCHAIN_TYPES = ("human", "ai", "system", "tool", "function", "constructor")
_OPENAI_ROLES: dict[Role, str] = {role: role for role in ROLES}


def read(row: Row, options: Options) -> Iterable[Record]:
    """Return the row's conversation; the model is its system, unknown fields stay in `extra`."""
    fields = object_at({"messages": row.value} if isinstance(row.value, list) else row.value, "")
    id_key = next((key for key in _ID_KEYS if fields.get(key) is not None), None)
    model = fields["model"] if isinstance(fields.get("model"), str) else None
    place = next((key for key in ("messages", "conversation") if key in fields), "messages")
    metadata, extra = split_metadata(
        fields, {place, "system", id_key, "model" if model is not None else None}
    )
    messages = fields.get(place)
    if messages is None and isinstance(fields.get("values"), Mapping):  # LangGraph
        messages, place = fields["values"].get("messages"), "values.messages"
        extra["values"] = {k: part for k, part in fields["values"].items() if k != "messages"}
    turns = read_messages(messages, place, options.roles)
    if fields.get("system") is not None:
        turns = read_message({"role": "system", "content": fields["system"]}, "system") + turns
    name = record_id(row, None if id_key is None else fields[id_key])
    yield Conversation(name, tuple(turns), model, metadata, extra)


def gather(rows: Iterator[Row], options: Options) -> Iterator[Row]:
    """Make one row of a file of bare messages."""
    first = next(rows, None)
    if first is None:
        return
    if not _is_openai(first.value) or "messages" in first.value:
        yield from chain([first], rows)
        return
    yield Row([first.value, *(row.value for row in rows)], first.source, first.line)


def write(record: Record) -> Iterable[Any]:
    """Return one row of OpenAI's messages."""
    conversation = only(record, Conversation, "openai holds conversations: write another format")
    row: dict[str, Any] = {"id": conversation.id}
    if conversation.system is not None:
        row["model"] = conversation.system
    row["messages"] = [openai_message(turn) for turn in conversation.turns]
    yield add_extra(row, conversation)


def openai_message(turn: Turn) -> dict[str, Any]:
    """Return the turn as OpenAI's message; its parts are written unless the text has changed."""
    fields = message_fields(turn)
    content = fields.pop("content", turn.text)
    if isinstance(content, list) and _text_of(content) != turn.text:
        content = turn.text
    return {"role": role_name(turn, _OPENAI_ROLES), "content": content, **fields}


def _text_of(parts: list[Any]) -> str:
    texts = [part.get("text") if isinstance(part, Mapping) else part for part in parts]
    return "\n".join(text for text in texts if isinstance(text, str))


def _messages_in(sample: Sample) -> list[Any]:
    """The first row's messages: of an object, of a thread's state, a list, or one message."""
    row = sample.rows[0] if sample.container == "json" and sample.rows else None
    if isinstance(row, Mapping):
        state = row.get("values")
        inner = row.get("messages", state.get("messages") if isinstance(state, Mapping) else None)
        row = [row] if inner is None else inner
    return row if isinstance(row, list) else []


def _is_openai(value: Any) -> bool:
    needed = {"content", *INSTEAD_OF_CONTENT}
    return isinstance(value, dict) and "role" in value and not needed.isdisjoint(value)


def _is_anthropic(value: Any) -> bool:
    blocks = value.get("content") if isinstance(value, Mapping) else None
    return isinstance(blocks, list) and any(
        isinstance(block, Mapping) and block.get("type") in _ANTHROPIC_BLOCKS for block in blocks
    )


def _is_langchain(value: Any) -> bool:
    if not isinstance(value, dict) or "role" in value:
        return False
    kind = str(value.get("type")).removesuffix("MessageChunk").lower()
    inner = value.get("data", value.get("kwargs", value))
    return kind in _LANGCHAIN_TYPES and isinstance(inner, dict) and "content" in inner


def _is_data_set(sample: Sample, id_key: str) -> bool:
    messages = sample.first.get("conversation")
    first = messages[0] if isinstance(messages, list) and messages else {}
    return sample.has(id_key) and isinstance(first, dict) and {"role", "content"} <= set(first)


LMSYS = Format(
    name="lmsys",
    summary="LMSYS-Chat-1M, Parquet or JSONL",
    recognise=lambda sample: _is_data_set(sample, "conversation_id"),
    parse=read,
)
WILDCHAT = Format(
    name="wildchat",
    summary="WildChat, Parquet or JSONL",
    recognise=lambda sample: _is_data_set(sample, "conversation_hash"),
    parse=read,
)
LANGCHAIN = Format(
    name="langchain",
    summary="LangChain and LangGraph messages, dumped as JSON",
    recognise=lambda sample: any(map(_is_langchain, _messages_in(sample)[:1])),
    parse=read,
)
ANTHROPIC = Format(
    name="anthropic",
    summary="Anthropic messages: blocks of text, tool_use and tool_result",
    recognise=lambda sample: any(map(_is_anthropic, _messages_in(sample))),
    parse=read,
)
OPENAI = Format(
    name="openai",
    summary="OpenAI chat messages: role and content, with tool calls and parts",
    recognise=lambda sample: (
        "chosen" not in sample.first and any(map(_is_openai, _messages_in(sample)[:1]))
    ),
    parse=read,
    gather=gather,
    unparse=write,
)
