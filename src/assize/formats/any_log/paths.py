"""Dotted paths into a record: `author.role`, `messages.0.text`, `threads.*.messages`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from assize.base.errors import shorten
from assize.formats.rows import parse_json_text

ABSENT: Final = object()  # what `find` returns where there is nothing, for null is something
_NAMED = 12  # fields that a message names


def find(value: Any, path: str) -> Any:
    """What stands at a path; `ABSENT` where nothing does.

    A part is the key of an object, the place in a list (from 0, -1 the last), or `*` for all of
    a list's elements, whose lists are put together. Keys that hold dots themselves are found as
    they are. Text that is JSON (a cell of a table) is looked into. `a|b` is `a`, or else `b`.

    >>> log = {"who": {"role": "bot"}, "said": [{"t": "Hi"}, {"t": "Bye"}], "chat.id": 7}
    >>> find(log, "who.role"), find(log, "said.-1.t"), find(log, "chat.id"), find(log, "said.*.t")
    ('bot', 'Bye', 7, ['Hi', 'Bye'])
    """
    if isinstance(value, dict) and path in value:  # as in most logs
        return value[path]
    for way in path.split("|"):
        part = _find(value, way.strip())
        if part is not ABSENT:
            return part
    return ABSENT


def _find(value: Any, path: str) -> Any:
    if not path:
        return value
    value = parse_json_text(value)
    if isinstance(value, Mapping):
        step = _split_path(value, path)
        return ABSENT if step is None else _find(value[step[0]], step[1])
    if not isinstance(value, list):
        return ABSENT
    head, _, rest = path.partition(".")
    parts = [
        part
        for index, element in enumerate(value)
        if _is_named(head, index, len(value)) and (part := _find(element, rest)) is not ABSENT
    ]
    if head != "*" or not parts:
        return parts[0] if parts else ABSENT
    together: list[Any] = []
    for part in parts:
        together += part if isinstance(part, list) else [part]
    return together


def _split_path(value: Mapping[str, Any], path: str) -> tuple[str, str] | None:
    """The longest beginning of a path that is a key, and the rest of the path."""
    end = len(path)
    while end > 0:
        if path[:end] in value:
            return path[:end], path[end + 1 :]
        end = path.rfind(".", 0, end)
    return None


def _is_named(head: str, index: int, size: int) -> bool:
    return head in ("*", str(index), str(index - size))


def without(value: Mapping[str, Any], path: str) -> dict[str, Any]:
    """A record without what stands at a path, and without what it leaves empty.

    >>> without({"who": {"role": "bot", "id": 3}, "said": [{"t": "Hi"}, {"t": "Bye"}]}, "who.role")
    {'who': {'id': 3}, 'said': [{'t': 'Hi'}, {'t': 'Bye'}]}
    >>> without({"who": {"role": "bot"}, "said": [{"t": "Hi", "n": 1}, {"t": "Bye"}]}, "said.*.t")
    {'who': {'role': 'bot'}, 'said': [{'n': 1}, {}]}
    """
    left: Any = value
    for way in path.split("|"):
        left = _without(left, way.strip())
    return {} if left is ABSENT else {str(name): part for name, part in left.items()}


def _without(value: Any, path: str) -> Any:
    """What is left of a value; `ABSENT` where that is nothing."""
    if not path:
        return ABSENT
    inner = parse_json_text(value)
    if isinstance(inner, Mapping):
        step = _split_path(inner, path)
        if step is None:
            return value
        fields = {**inner, step[0]: _without(inner[step[0]], step[1])}
        return {name: part for name, part in fields.items() if part is not ABSENT} or ABSENT
    if not isinstance(inner, list):
        return value
    head, _, rest = path.partition(".")
    parts = [
        _without(part, rest) if _is_named(head, index, len(inner)) else part
        for index, part in enumerate(inner)
    ]
    if all(part is ABSENT for part in parts):
        return ABSENT
    return [{} if part is ABSENT else part for part in parts if rest or part is not ABSENT]


def describe_missing(value: Any, path: str) -> str:
    """Why nothing stands at a path, in words: as far as it goes, and what is there.

    >>> describe_missing({"who": {"role": "bot"}}, "who.name")
    'is not there: who has the fields role'
    """
    value, reached, rest = parse_json_text(value), "", path.split("|")[0].strip()
    while isinstance(value, Mapping):
        step = _split_path(value, rest)
        if step is None or not step[1]:
            break
        reached = f"{reached}.{step[0]}" if reached else step[0]
        value, rest = parse_json_text(value[step[0]]), step[1]
    held = f"has the fields {fields(value)}" if isinstance(value, Mapping) else ""
    return f"is not there: {reached or 'the record'} {held or f'is {shorten(value)}'}"


def fields(value: Mapping[Any, Any]) -> str:
    """The names of an object's fields, cut short."""
    names = ", ".join(ascii(str(name))[1:-1][:40] for name in list(value)[:_NAMED])
    more = f" and {len(value) - _NAMED} more" if len(value) > _NAMED else ""
    return (names or "none") + more
