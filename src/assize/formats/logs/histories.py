"""What traces share: messages in whatever shape a span holds them, and one dialogue from the
histories of several calls of a model."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from assize.base.conversation import Role, Turn
from assize.base.errors import DataError
from assize.formats.chat_messages import first_of, read_message
from assize.formats.messages import NO_NAMES, RoleNames
from assize.formats.tool_calls import compact_json

# Fields of an input or an output that hold messages, and those that hold a text.
_MESSAGES = ("messages", "input_messages", "output_messages")
_TEXTS = (
    "input",
    "query",
    "question",
    "prompt",
    "output",
    "answer",
    "response",
    "text",
    "content",
    "result",
    "completion",
)


def said_in(value: Any, role: Role, place: str, names: RoleNames = NO_NAMES) -> list[Turn]:
    """The turns in the input or the output of a call: messages, one message, or a text.

    >>> [turn.text for turn in said_in({"question": "Why?"}, "user", "input")]
    ['Why?']
    """
    value = decoded_text(value)
    if value is None or value == "":
        return []
    if isinstance(value, str):
        return [Turn(role, value)]
    if isinstance(value, list):
        if all(isinstance(one, Mapping) and _is_message(one) for one in value):
            return [
                turn
                for at, one in enumerate(value)
                for turn in read_message(one, f"{place}[{at}]", names)
            ]
        if value and all(isinstance(one, str) for one in value):
            return [Turn(role, "\n".join(value))]
        return [Turn(role, compact_json(value))]
    if isinstance(value, Mapping):
        return _in_object(value, role, place, names)
    return [Turn(role, str(value))]


def _in_object(value: Mapping[str, Any], role: Role, place: str, names: RoleNames) -> list[Turn]:
    choices = value.get("choices")
    if isinstance(choices, list) and choices and isinstance(choices[0], Mapping):
        return said_in(choices[0].get("message"), role, f"{place}.choices[0].message", names)
    held = first_of(value, _MESSAGES)
    if isinstance(held, list):
        return said_in(held, role, f"{place}.messages", names)
    if _is_message(value):
        return read_message(value, place, names)
    if value.get("tool_calls") or isinstance(value.get("content"), list):
        return read_message({"role": role, **value}, place, names)
    text = first_of(value, _TEXTS)
    if text is not None and not (isinstance(text, Mapping) and len(value) > 1):
        return said_in(text, role, place, names)
    return [Turn(role, compact_json(value))]


def _is_message(value: Mapping[str, Any]) -> bool:
    inner = value.get("message", value.get("kwargs", value.get("data", value)))
    if not isinstance(inner, Mapping):
        return False
    held = {"content", "parts", "contents", "tool_calls"} & set(inner)
    return bool(held) and (isinstance(inner.get("role"), str) or _is_typed(value, inner))


def _is_typed(value: Mapping[str, Any], inner: Mapping[str, Any]) -> bool:
    named = inner.get("type", value.get("type"))
    return named in ("human", "ai", "system", "tool") and "content" in inner


def decoded_text(value: Any) -> Any:
    """The value, or what its text spells out where that is an object or a list in JSON."""
    if not isinstance(value, str) or value.lstrip()[:1] not in ("{", "["):
        return value
    try:
        return json.loads(value)
    except (ValueError, RecursionError):
        return value


def joined(histories: Iterable[Sequence[Turn]]) -> tuple[Turn, ...]:
    """One dialogue of what was sent and answered, call after call.

    A call that was sent all that was said before continues it; of one that was sent its end only,
    the rest is added. The system's instructions are taken from the first call.

    >>> a, b, c = (Turn("user", text) for text in "abc")
    >>> [turn.text for turn in joined([[a, b], [a, b, c], [c, a]])]
    ['a', 'b', 'c', 'a']
    """
    found: list[Turn] = []
    keys: list[Any] = []
    for history in histories:
        new = [turn for turn in history if not (found and turn.role == "system")]
        after = [_key(turn) for turn in new]
        start = _overlap([key for key in keys if key[0] != "system"], after)
        found += new[start:]
        keys += after[start:]
    return tuple(found)


def _overlap(before: list[Any], after: list[Any]) -> int:
    """How many turns at the beginning of `after` were said before."""
    if after[: len(before)] == before:
        return len(before)
    for size in range(min(len(before), len(after)), 0, -1):
        if before[-size:] == after[:size]:
            return size
    for start in range(len(before) - len(after) + 1):
        if before[start : start + len(after)] == after:
            return len(after)
    return 0


def _key(turn: Turn) -> tuple[Any, ...]:
    calls = tuple((call.name, compact_json(call.arguments)) for call in turn.tool_calls)
    return (turn.role, turn.text.strip(), calls)


def in_order(values: Iterable[Mapping[str, Any]], *keys: str) -> list[Mapping[str, Any]]:
    """Objects by their time, those without one as they stand."""

    def when(value: Mapping[str, Any]) -> tuple[int, float, str]:
        given = first_of(value, keys)
        try:
            return (0, float(given), "")
        except (TypeError, ValueError):
            return (1, 0.0, str(given or ""))

    return sorted(values, key=when)


def spoken(turns: Sequence[Turn], name: str) -> tuple[Turn, ...]:
    """The turns, of which there must be one."""
    if not turns:
        raise DataError(
            f"trace {name[:60]!r} holds no messages; export it with inputs and outputs",
        )
    return tuple(turns)
