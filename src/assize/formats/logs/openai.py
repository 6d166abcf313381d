"""OpenAI chat messages: `{"messages": [{"role", "content"}]}`, a bare list of messages a
line, or a file that is one list of messages."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import chain
from typing import Any

from assize.base.conversation import Conversation, Role, Turn
from assize.base.errors import DataError
from assize.formats.format import Format, Options
from assize.formats.logs.anthropic import is_anthropic
from assize.formats.messages import (
    NO_NAMES,
    RoleNames,
    beside,
    list_at,
    message_fields,
    object_at,
    only,
    record_id,
    role_name,
    shown,
    turn,
    with_rest,
)
from assize.formats.records import Record
from assize.formats.rows import Row, Sample
from assize.formats.tool_messages import turns_of

_USUAL: dict[Role, str] = {name: name for name in ("user", "assistant", "system", "tool")}
_IDS = ("id", "conversation_id", "request_id")
# With one of these a message may have no content.
_INSTEAD = frozenset({"tool_calls", "function_call", "refusal", "audio"})


def recognise(sample: Sample) -> bool:
    """Whether the first row is a list of messages, an object with one, or one message."""
    if sample.container != "json" or not sample.rows:
        return False
    first = sample.rows[0]
    if isinstance(first, dict) and "messages" in first:
        first = None if "chosen" in first else first["messages"]
    messages = first if isinstance(first, list) else [first]
    return bool(messages) and _is_message(messages[0])


def _is_message(value: Any) -> bool:
    return (
        isinstance(value, dict)
        and "role" in value
        and ("content" in value or not _INSTEAD.isdisjoint(value))
    )


def gather(rows: Iterator[Row], options: Options) -> Iterator[Row]:
    """One row a conversation; a file of bare messages is one conversation."""
    first = next(rows, None)
    if first is None:
        return
    if not _is_message(first.value) or "messages" in first.value:
        yield from chain([first], rows)
        return
    yield Row([first.value, *(row.value for row in rows)], first.source, first.line)


def without_absent(row: Row) -> Row:
    """The row of a table without its messages' absent fields: in a column of messages each has
    every field that any of them has."""
    if not isinstance(row.value, dict) or not isinstance(row.value.get("messages"), list):
        return row
    said = [_present(one) if isinstance(one, dict) else one for one in row.value["messages"]]
    return replace(row, value=row.value | {"messages": said})


def _present(message: dict[str, Any]) -> dict[str, Any]:
    return {key: part for key, part in message.items() if part is not None or key == "content"}


def read(row: Row, options: Options) -> Iterable[Record]:
    """One conversation a row; the model is the system, what is unknown stays in `extra`."""
    value = {"messages": row.value} if isinstance(row.value, list) else row.value
    fields = object_at(value, "")
    name = next((key for key in _IDS if fields.get(key) is not None), None)
    model = fields.get("model")
    used: set[str | None] = {"messages", "system", name}
    if isinstance(model, str):
        used.add("model")
    metadata, extra = beside(fields, used)
    yield Conversation(
        record_id(row, None if name is None else fields[name]),
        (*_preamble(fields), *messages(fields.get("messages"), "messages", options.roles)),
        system=model if isinstance(model, str) else None,
        metadata=metadata,
        extra=extra,
    )


def _preamble(fields: dict[str, Any]) -> Iterator[Turn]:
    """The system prompt that some requests hold beside their messages."""
    if fields.get("system") is not None:
        text, kept = _content({"content": fields["system"]}, "system")
        yield turn("system", text, kept, "system", _USUAL)


def messages(values: Any, field: str, names: RoleNames = NO_NAMES) -> Iterator[Turn]:
    """The turns of a list of messages; `field` says where it stands, for errors."""
    for index, value in enumerate(list_at(values, field)):
        place = f"{field}[{index}]"
        message = object_at(value, place)
        if is_anthropic(message):
            yield from turns_of(message, place, names)
            continue
        rest = {key: part for key, part in message.items() if key not in ("role", "content")}
        text, kept = _content(message, f"{place}.content")
        yield turn(message.get("role"), text, rest | kept, f"{place}.role", _USUAL, names)


def _content(message: dict[str, Any], field: str) -> tuple[str, dict[str, Any]]:
    """The text of a message, and its content as it stood where that is not plain text."""
    if "content" not in message and _INSTEAD.isdisjoint(message):
        raise DataError("is missing", field=field)
    content = message.get("content")
    if isinstance(content, str):
        # Empty text is written again where a message might as well have none.
        return content, {} if content or _INSTEAD.isdisjoint(message) else {"content": ""}
    if content is None:
        return "", {"content": None} if "content" in message else {}
    if isinstance(content, list):
        return _text_of(content), {"content": content}
    raise DataError(f"received {shown(content)}; expected text, a list or null", field=field)


def _text_of(parts: list[Any]) -> str:
    texts = (part if isinstance(part, str) else _part_text(part) for part in parts)
    return "\n".join(text for text in texts if text is not None)


def _part_text(part: Any) -> str | None:
    text = part.get("text") if isinstance(part, dict) else None
    return text if isinstance(text, str) else None


def write(record: Record) -> Iterable[Any]:
    """One conversation a row."""
    record = only(record, Conversation, "openai holds conversations: write another format")
    row: dict[str, Any] = {"id": record.id}
    if record.system is not None:
        row["model"] = record.system
    row["messages"] = [message(one) for one in record.turns]
    yield with_rest(row, record)


def message(one: Turn) -> dict[str, Any]:
    """A turn as a message, with its content as it once stood unless the text has changed."""
    rest = message_fields(one)
    kept = rest.pop("content", one.text)
    written: dict[str, Any] = {"role": role_name(one, _USUAL)}
    if one.text or "content" in one.extra or _INSTEAD.isdisjoint(rest):
        written["content"] = kept if _said(kept) == one.text else one.text
    return written | rest


def _said(content: Any) -> str:
    if isinstance(content, list):
        return _text_of(content)
    return "" if content is None else str(content)


OPENAI = Format(
    name="openai",
    summary="OpenAI chat messages: role and content, with tool calls and parts",
    recognise=recognise,
    parse=read,
    gather=gather,
    unparse=write,
)
