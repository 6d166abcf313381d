"""A message as any tool logs it that records assistants at work, with its calls and results.

The shapes differ in names and in nesting, not in what they say: a role, text, calls of tools and
what they returned. A message may hold several results, each of which is a turn of its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from assize.base.conversation import ToolCall, Turn
from assize.base.errors import DataError
from assize.formats.messages import NO_NAMES, RoleNames, list_at, object_at, role, shown, turn
from assize.formats.tool_calls import dumped, tool_call

# Wrappers around a message, a block or a result.
_WRAPPERS = ("message", "data", "kwargs", "message_content")
_TEXTS = ("text", "content")
_TEXT_TYPES = ("text", "input_text", "output_text", "refusal")
_CALLS = ("tool_use", "tool_call", "tool-call", "function_call", "server_tool_use")
_RESULTS = ("tool_result", "tool_call_response", "tool-result", "function_call_output")
_RESULT_IDS = ("tool_use_id", "tool_call_id", "call_id", "toolCallId", "id")
_RESULT_TEXTS = ("content", "response", "result", "output")

# What is read of a message; its other fields stay in the turn's `extra`.
_READ = frozenset({"role", "content", "parts", "contents"})
_READ_OF_RESULT = frozenset({*_RESULT_IDS[:-1], "function", "error", "is_error"})

Message = Mapping[str, Any]


@dataclass
class _Said:
    """What a message holds, found bit by bit."""

    texts: list[str] = field(default_factory=list)
    calls: list[ToolCall] = field(default_factory=list)
    results: list[Turn] = field(default_factory=list)
    parts: list[Any] = field(default_factory=list)  # without calls and results
    only_text: bool = True


def turns_of(value: Any, place: str, names: RoleNames = NO_NAMES) -> list[Turn]:
    """The turns of one message, in any shape; results stand before what is said beside them.

    Raises:
        DataError: it is no message; `place` says where it stands.

    >>> turns_of({"type": "ai", "content": "Hi"}, "messages[0]")[0].role
    'assistant'
    """
    message = unwrapped(object_at(value, place))
    named = _role_name(message)
    known = role(named, f"{place}.role", names)
    further = {key: part for key, part in message.items() if key not in _READ and part is not None}
    if "role" not in message:
        further.pop("type", None)
    said = _Said()
    content = next((message[key] for key in ("content", "parts") if key in message), None)
    if content is None and isinstance(message.get("contents"), list):
        content = message["contents"]
    if known == "tool":
        held = [unwrapped(one) for one in content] if isinstance(content, list) else []
        if not any(_type(one) in _RESULTS for one in held):
            result = _result(message, content)
            further = {key: part for key, part in further.items() if key not in _READ_OF_RESULT}
            answer = turn(named, result.text, further, f"{place}.role", (named,), names)
            extra = {**answer.extra, **result.extra}
            call = result.tool_call_id
            return [replace(answer, extra=extra, tool_call_id=call, name=result.name)]
    _read_content(said, content, f"{place}.content")
    for key in ("tool_calls", "invalid_tool_calls"):
        if isinstance(message.get(key), list):
            for at, call in enumerate(further.pop(key)):
                _add(said, tool_call(call, f"{place}.{key}[{at}]"))
    turns = said.results
    if said.texts or said.calls or not turns:
        if not said.only_text:
            further["content"] = said.parts
        speech = turn(named, "\n".join(said.texts), further, f"{place}.role", (named,), names)
        calls = tuple(said.calls) or speech.tool_calls
        turns = [*turns, replace(speech, tool_calls=calls, name=speech.name or None)]
    return turns


def unwrapped(value: Mapping[str, Any]) -> Mapping[str, Any]:
    """What a message, or a block of one, holds inside what its tool puts around it."""
    for key in _WRAPPERS:
        inner = value.get(key)
        if isinstance(inner, Mapping) and not {"role", "content", "parts"} & set(value):
            kind = value.get("type")
            about = {"type": kind} if key == "data" and isinstance(kind, str) else {}
            return {**about, **inner}
    return value


def _role_name(message: Message) -> Any:
    named = message.get("role")
    if not isinstance(named, str):
        named = message.get("type")
        if isinstance(named, str):  # LangChain: human, ai, AIMessageChunk
            named = named.lower().removesuffix("chunk").removesuffix("message")
    return named


def _type(block: Any) -> Any:
    return block.get("type") if isinstance(block, Mapping) else None


def _read_content(said: _Said, content: Any, place: str) -> None:
    if isinstance(content, str):
        if content:
            said.texts.append(content)
        return
    if content is None:
        return
    if isinstance(content, Mapping):
        content = [content]
    if not isinstance(content, list):
        raise DataError(f"received {shown(content)}; expected text, a list or null", field=place)
    for at, one in enumerate(content):
        if isinstance(one, str):
            said.texts.append(one)
            said.parts.append(one)
        elif isinstance(one, Mapping):
            _read_block(said, one, f"{place}[{at}]")


def _read_block(said: _Said, part: Message, place: str) -> None:
    block = unwrapped(part)
    kind = _type(block)
    if kind in _CALLS:
        _add(said, tool_call(block, place))
        return
    if kind in _RESULTS:
        said.results.append(_result(block, first_of(block, _RESULT_TEXTS)))
        return
    text = None
    if kind in _TEXT_TYPES or kind is None:
        text = next((block[key] for key in _TEXTS if isinstance(block.get(key), str)), None)
    if text is not None:
        said.texts.append(text)
    said.parts.append(part)
    said.only_text = said.only_text and text is not None


def _add(said: _Said, call: ToolCall) -> None:
    """Adds a call, once: some logs hold each among the blocks and in a list besides."""
    if not call.id or all(call.id != one.id for one in said.calls):
        said.calls.append(call)


def first_of(value: Message, keys: Iterable[str]) -> Any:
    """The first of some fields that is there and not null."""
    return next((value[key] for key in keys if value.get(key) is not None), None)


def _result(message: Message, content: Any) -> Turn:
    keys = _RESULT_IDS if _type(message) in _RESULTS else _RESULT_IDS[:-1]
    asked = next((message[key] for key in keys if isinstance(message.get(key), str)), None)
    name = next((message[key] for key in ("name", "function") if _word(message.get(key))), None)
    text = result_text(content)
    error = message.get("error")
    if not text and error:
        text = result_text(error.get("message") if isinstance(error, Mapping) else error)
    failed = bool(message.get("is_error") or error or message.get("status") == "error")
    extra = {"is_error": True} if failed else {}
    return Turn("tool", text, extra=extra, tool_call_id=asked, name=name)


def _word(value: Any) -> bool:
    return isinstance(value, str) and bool(value)


def result_text(content: Any) -> str:
    """What a tool returned, as text: its texts, or JSON where it is something else.

    >>> result_text([{"type": "text", "text": "noon"}]), result_text({"at": 12})
    ('noon', '{"at":12}')
    """
    if content is None:
        return ""
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        texts = [one if isinstance(one, str) else _text(one) for one in content]
        if content and all(text is not None for text in texts):
            return "\n".join(text for text in texts if text is not None)
    return dumped(content)


def _text(block: Any) -> str | None:
    held = unwrapped(block) if isinstance(block, Mapping) else {}
    known = _type(held) in _TEXT_TYPES and isinstance(held.get("text"), str)
    return held["text"] if known else None


def read_messages(values: Any, place: str, names: RoleNames = NO_NAMES) -> Iterator[Turn]:
    """The turns of a list of messages."""
    for at, value in enumerate(list_at(values, place)):
        yield from turns_of(value, f"{place}[{at}]", names)
