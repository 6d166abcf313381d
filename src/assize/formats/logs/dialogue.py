"""What traces share: messages in whatever shape a call holds them, and one dialogue from the
histories of several calls of a model."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from assize.base.conversation import Role, Turn
from assize.base.errors import DataError
from assize.formats.chat_messages import first_of, open_envelope, read_message
from assize.formats.messages import NO_NAMES, RoleNames
from assize.formats.rows import Row, parse_json_text
from assize.formats.tool_calls import compact_json

PARTS = "parts"  # of a gathered row: the spans or traces of its conversation

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


def read_side(value: Any, role: Role, place: str, names: RoleNames = NO_NAMES) -> list[Turn]:
    """Return the turns in the input or the output of a call: messages, one message, or a text.

    >>> [turn.text for turn in read_side({"question": "Why?"}, "user", "input")]
    ['Why?']
    """
    value = parse_json_text(value)
    if value is None or value == "":
        return []
    if isinstance(value, Mapping):
        return _read_object(value, role, place, names)
    if isinstance(value, list) and all(isinstance(m, Mapping) and _is_message(m) for m in value):
        return [
            turn
            for index, message in enumerate(value)
            for turn in read_message(message, f"{place}[{index}]", names)
        ]
    if isinstance(value, list) and all(isinstance(text, str) for text in value):
        return [Turn(role, "\n".join(value))]
    return [Turn(role, compact_json(value) if isinstance(value, list) else str(value))]


def _read_object(value: Mapping[str, Any], role: Role, place: str, names: RoleNames) -> list[Turn]:
    choices = value.get("choices")
    if isinstance(choices, list) and choices and isinstance(choices[0], Mapping):
        return read_side(choices[0].get("message"), role, f"{place}.choices[0].message", names)
    messages = first_of(value, _MESSAGES)
    if isinstance(messages, list):
        return read_side(messages, role, f"{place}.messages", names)
    if _is_message(value):
        return read_message(value, place, names)
    if value.get("tool_calls") or isinstance(value.get("content"), list):
        return read_message({"role": role, **value}, place, names)
    text = first_of(value, _TEXTS)
    if text is not None and not (isinstance(text, Mapping) and len(value) > 1):
        return read_side(text, role, place, names)
    return [Turn(role, compact_json(value))]


def _is_message(value: Mapping[str, Any]) -> bool:
    inner = open_envelope(value)
    if {"content", "parts", "contents", "tool_calls"}.isdisjoint(inner):
        return False
    langchain = inner.get("type") in ("human", "ai", "system", "tool") and "content" in inner
    return langchain or isinstance(inner.get("role"), str)


def merge_histories(histories: Iterable[Sequence[Turn]], name: str) -> tuple[Turn, ...]:
    """Return one dialogue of what was sent and answered, call after call.

    A call that was sent all that was said before continues it; of one that was sent its end only,
    the rest is added. The system's instructions are taken from the first call.

    Raises:
        DataError: there is no message in the trace, whose `name` it says.

    >>> a, b, c = (Turn("user", text) for text in "abc")
    >>> [turn.text for turn in merge_histories([[a, b], [a, b, c], [c, a]], "t1")]
    ['a', 'b', 'c', 'a']
    """
    turns: list[Turn] = []
    keys: list[Any] = []
    for history in histories:
        new = [turn for turn in history if not (turns and turn.role == "system")]
        after = [_key(turn) for turn in new]
        start = _overlap([key for key in keys if key[0] != "system"], after)
        turns += new[start:]
        keys += after[start:]
    if not turns:
        raise DataError(f"trace {name[:60]!r} holds no messages; export it with inputs and outputs")
    return tuple(turns)


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


def sort_by_time(values: Iterable[Mapping[str, Any]], *keys: str) -> list[Mapping[str, Any]]:
    """Return objects by their time, those without one as they stand."""

    def time_of(value: Mapping[str, Any]) -> tuple[int, float, str]:
        time = first_of(value, keys)
        try:
            return (0, float(time), "")
        except (TypeError, ValueError):
            return (1, 0.0, str(time or ""))

    return sorted(values, key=time_of)


def group_parts(parts: Iterable[tuple[str, Row, Mapping[str, Any]]]) -> Iterator[Row]:
    """Make one row of the spans or traces of each conversation, in the order of their first.

    Args:
        parts: the conversation's id, the row that the part stands in, and the part.
    """
    groups: dict[str, tuple[Row, list[Mapping[str, Any]]]] = {}
    for name, row, part in parts:
        groups.setdefault(name, (row, []))[1].append(part)
    for name, (row, members) in groups.items():
        yield Row({"id": name, PARTS: members}, row.source, row.line)
