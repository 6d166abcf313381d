"""Chat messages, in whatever shape a tool logs them, as turns.

OpenAI, Anthropic, LangChain, Inspect and the tracing tools differ in names and nesting, not in
what a message says: a role, text, calls of tools, and results of tools. A message may hold
several results; each is a turn of its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from assize.base.conversation import ROLES, Role, Turn
from assize.base.errors import DataError, shorten
from assize.formats.messages import NO_NAMES, RoleNames, list_at, make_turn, object_at, role
from assize.formats.tool_calls import compact_json

CONTENT_KEYS = ("content", "parts", "contents")
# A message with one of these may have no content.
INSTEAD_OF_CONTENT = frozenset({"tool_calls", "function_call", "refusal", "audio"})
_READ_BY_ROLE, _READ_BY_TYPE = {"role", *CONTENT_KEYS}, {"type", *CONTENT_KEYS}
_CALL_LISTS = frozenset({"tool_calls", "invalid_tool_calls"})
_SAYS_SOMETHING = INSTEAD_OF_CONTENT.union(CONTENT_KEYS)

_ENVELOPES = ("message", "data", "kwargs", "message_content")
_BARE = frozenset({"role", "content", "parts"})  # with one of these there is no envelope
_TEXT_BLOCKS = ("text", "input_text", "output_text", "refusal", None)
_CALL_BLOCKS = ("tool_use", "tool_call", "tool-call", "function_call", "server_tool_use")
_RESULT_BLOCKS = ("tool_result", "tool_call_response", "tool-result", "function_call_output")
_RESULT_IDS = ("tool_use_id", "tool_call_id", "call_id", "toolCallId")
_RESULT_TEXTS = ("content", "response", "result", "output")


@dataclass(slots=True)
class _Content:
    """A message's content, sorted by kind of block."""

    texts: list[str] = field(default_factory=list)
    calls: list[Any] = field(default_factory=list)
    results: list[Turn] = field(default_factory=list)
    parts: list[Any] = field(default_factory=list)  # texts, images and other parts, in order
    has_other_parts: bool = False


def read_messages(values: Any, place: str, names: RoleNames = NO_NAMES) -> list[Turn]:
    """Read a list of messages.

    Args:
        place: where the list stands, for errors: `messages`.
        names: what the log's own names of roles mean.

    Raises:
        DataError: it is no list, or a message has no known role or no content.
    """
    turns = []
    for index, value in enumerate(list_at(values, place)):
        message = open_envelope(object_at(value, f"{place}[{index}]"))
        if _SAYS_SOMETHING.isdisjoint(message):
            raise DataError("is missing", field=f"{place}[{index}].content")
        turns += _read_opened(message, f"{place}[{index}]", names)
    return turns


def read_turns(value: Any, place: str, role: Role, names: RoleNames = NO_NAMES) -> tuple[Turn, ...]:
    """Read a list of messages, or a text that `role` says; raises DataError for anything else."""
    if isinstance(value, str):
        return (Turn(role, value),)
    if not isinstance(value, list):
        problem = f"received {shorten(value)}; expected text or a list of messages"
        raise DataError(problem, field=place)
    return tuple(read_messages(value, place, names))


def read_message(value: Any, place: str, names: RoleNames = NO_NAMES) -> list[Turn]:
    """Return the turns of one message: its results, then what is said beside them.

    Fields and parts that assize does not know stay in the turn's `extra`; null fields do not.

    Raises:
        DataError: it is no message, or its role is not known.

    >>> read_message({"type": "ai", "content": "Hi"}, "messages[0]")[0].role
    'assistant'
    """
    return _read_opened(open_envelope(object_at(value, place)), place, names)


def _read_opened(message: Mapping[str, Any], place: str, names: RoleNames) -> list[Turn]:
    role_name, field = _role_name(message), f"{place}.role"
    known = role(role_name, field, names)
    raw = message.get("content")
    if raw is None:
        raw = first_of(message, CONTENT_KEYS)
    content = _read_content(raw, f"{place}.content")
    fields = _other_fields(message)
    if known == "tool" and not content.results:
        text = _result_text(message, raw)
        fields |= _result_fields(message)
        fields.pop("error", None)
    else:
        text = "\n".join(content.texts)
        if content.has_other_parts:
            fields["content"] = content.parts
    calls = content.calls
    if not _CALL_LISTS.isdisjoint(fields):
        calls = _take_list(fields, "tool_calls") + _take_list(fields, "invalid_tool_calls") + calls
    if calls:
        fields["tool_calls"] = calls
    said = make_turn(known, role_name, text, fields, field, ROLES)
    if len(calls) > 1:
        # Some logs hold a call among the blocks and in a list besides.
        unlike = {call.id or str(index): call for index, call in enumerate(said.tool_calls)}
        said = replace(said, tool_calls=tuple(unlike.values()))
    if content.results and not (text or calls or content.has_other_parts):
        return content.results
    return [*content.results, said]


def open_envelope(value: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return what stands inside the object that a tool puts around a message or a block."""
    if not _BARE.isdisjoint(value):
        return value
    for key in _ENVELOPES:
        inner = value.get(key)
        if isinstance(inner, dict):
            kind = value.get("type")
            if isinstance(value.get("id"), list) and value["id"]:  # LangChain: the class's name
                kind = value["id"][-1]
            return {"type": kind, **inner} if isinstance(kind, str) else inner
    return value


def _role_name(message: Mapping[str, Any]) -> Any:
    """The role as the message says it; LangChain says it by the type: human, AIMessageChunk."""
    kind = message.get("type")
    if "role" in message or not isinstance(kind, str):
        return message.get("role")
    return kind.lower().removesuffix("chunk").removesuffix("message")


def _other_fields(message: Mapping[str, Any]) -> dict[str, Any]:
    """The fields besides role and content."""
    read = _READ_BY_ROLE if "role" in message else _READ_BY_TYPE
    return {key: part for key, part in message.items() if key not in read and part is not None}


def _read_content(content: Any, place: str) -> _Content:
    if isinstance(content, str):
        return _Content([content] if content else [])
    if isinstance(content, dict):
        content = [content]
    if content is not None and not isinstance(content, list):
        raise DataError(f"received {shorten(content)}; expected text, a list or null", field=place)
    sorted_parts = _Content()
    for part in content or ():
        block = open_envelope(part) if isinstance(part, dict) else part
        kind = block.get("type") if isinstance(block, dict) else None
        if kind in _CALL_BLOCKS:
            sorted_parts.calls.append(block)
        elif kind in _RESULT_BLOCKS:
            sorted_parts.results.append(_read_result(block))
        else:
            text = _block_text(block)
            sorted_parts.parts.append(part)
            sorted_parts.texts += [text] if text else []
            sorted_parts.has_other_parts |= text is None
    return sorted_parts


def _block_text(block: Any) -> str | None:
    """The text of a block; None of an image, of thinking, or of anything else."""
    if isinstance(block, str):
        return block
    if not isinstance(block, dict) or block.get("type") not in _TEXT_BLOCKS:
        return None
    return _first_text(block, ("text", "content"))


def _take_list(fields: dict[str, Any], key: str) -> list[Any]:
    """A list out of the fields; anything else stays there."""
    return fields.pop(key) if isinstance(fields.get(key), list) else []


def _read_result(block: Mapping[str, Any]) -> Turn:
    fields = _result_fields(block)
    call_id = fields.pop("tool_call_id", _first_text(block, ("id",)))
    name = fields.pop("name", None)
    text = _result_text(block, first_of(block, _RESULT_TEXTS))
    return Turn("tool", text, extra=fields, tool_call_id=call_id, name=name)


def _result_fields(value: Mapping[str, Any]) -> dict[str, Any]:
    """Which call a result answers, of which tool, and whether the tool failed."""
    failed = value.get("is_error") or value.get("error") or value.get("status") == "error"
    fields = {
        "tool_call_id": _first_text(value, _RESULT_IDS),
        "name": _first_text(value, ("name", "function")) or None,
        "is_error": True if failed else None,
    }
    return {key: part for key, part in fields.items() if part is not None}


def _result_text(value: Mapping[str, Any], content: Any) -> str:
    """The text of a result; of a tool that failed without one, its error."""
    error = value.get("error")
    message = error.get("message") if isinstance(error, dict) else error
    return text_of_result(content) or text_of_result(message)


def text_of_result(content: Any) -> str:
    """Return what a tool answered as text: its texts, or JSON where it is something else.

    >>> text_of_result([{"type": "text", "text": "noon"}]), text_of_result({"at": 12})
    ('noon', '{"at":12}')
    """
    if content is None or isinstance(content, str):
        return content or ""
    if isinstance(content, list):
        blocks = [open_envelope(part) if isinstance(part, dict) else part for part in content]
        texts = [text for text in map(_block_text, blocks) if text is not None]
        if len(texts) == len(content) > 0:
            return "\n".join(texts)
    return compact_json(content)


def first_of(value: Mapping[str, Any], keys: Iterable[str]) -> Any:
    """Return the first of some fields that is there and not null."""
    return next((value[key] for key in keys if value.get(key) is not None), None)


def _first_text(value: Mapping[str, Any], keys: Iterable[str]) -> str | None:
    return next((value[key] for key in keys if isinstance(value.get(key), str)), None)
