"""Dotted paths into a record: `author.role`, `messages.0.text`, `threads.*.messages`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from assize.base.errors import shorten
from assize.formats.rows import decoded


class Absent:
    """What `find` returns where there is nothing, for null is something."""

    def __bool__(self) -> bool:
        return False


ABSENT: Final = Absent()
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
    for one in path.split("|"):
        found = _find(value, one.strip())
        if found is not ABSENT:
            return found
    return ABSENT


def _find(value: Any, path: str) -> Any:
    value = opened(value)
    if isinstance(value, Mapping):
        for head, rest in _cuts(path):
            if head in value:
                return value[head] if rest is None else _find(value[head], rest)
        return ABSENT
    head, _, tail = path.partition(".")
    if not isinstance(value, list):
        return ABSENT
    if head == "*":
        return _all(value, tail)
    try:
        found = value[int(head)]
    except (ValueError, IndexError):
        return ABSENT
    return _find(found, tail) if tail else found


def _cuts(path: str) -> Iterator[tuple[str, str | None]]:
    """The ways to part a path into a key and the rest, the longest key first."""
    yield path, None
    at = path.rfind(".")
    while at > 0:
        yield path[:at], path[at + 1 :]
        at = path.rfind(".", 0, at)


def _all(values: list[Any], tail: str) -> Any:
    found = [_find(one, tail) if tail else one for one in values]
    kept = [one for one in found if one is not ABSENT]
    if not kept:
        return ABSENT
    together: list[Any] = []
    for one in kept:
        together += one if isinstance(one, list) else [one]
    return together


def opened(value: Any) -> Any:
    """Text that is a JSON object or list as that; anything else as it is.

    >>> opened('[1]'), opened("[see below]")
    ([1], '[see below]')
    """
    if not isinstance(value, str) or value.lstrip()[:1] not in ("{", "["):
        return value
    try:
        return decoded(value)
    except ValueError:
        return value


def without(value: Mapping[str, Any], path: str) -> dict[str, Any]:
    """A record without what stands at a path, and without what it leaves empty.

    >>> without({"who": {"role": "bot", "id": 3}, "said": [{"t": "Hi"}, {"t": "Bye"}]}, "who.role")
    {'who': {'id': 3}, 'said': [{'t': 'Hi'}, {'t': 'Bye'}]}
    >>> without({"who": {"role": "bot"}, "said": [{"t": "Hi", "n": 1}, {"t": "Bye"}]}, "said.*.t")
    {'who': {'role': 'bot'}, 'said': [{'n': 1}, {}]}
    """
    left: Any = value
    for one in path.split("|"):
        left = _without(left, one.strip())
    return {} if left is ABSENT else {str(name): one for name, one in left.items()}


def _without(value: Any, path: str) -> Any:
    """What is left of a value; `ABSENT` where that is nothing."""
    inner = opened(value)
    if isinstance(inner, Mapping):
        for head, rest in _cuts(path):
            if head in inner:
                left = ABSENT if rest is None else _without(inner[head], rest)
                kept = {name: left if name == head else one for name, one in inner.items()}
                return {name: one for name, one in kept.items() if one is not ABSENT} or ABSENT
        return value
    if not isinstance(inner, list):
        return value
    head, _, tail = path.partition(".")
    try:
        at = range(len(inner)) if head == "*" else [range(len(inner))[int(head)]]
    except (ValueError, IndexError):
        return value
    parts = {place: _without(inner[place], tail) if tail else ABSENT for place in at}
    rest_of = [parts.get(place, one) for place, one in enumerate(inner)]
    if all(one is ABSENT for one in rest_of):
        return ABSENT
    return [{} if one is ABSENT else one for one in rest_of if tail or one is not ABSENT]


def describe_missing(value: Any, path: str) -> str:
    """Why nothing stands at a path, in words: as far as it goes, and what is there.

    >>> describe_missing({"who": {"role": "bot"}}, "who.name")
    'is not there: who has the fields role'
    """
    value, reached, rest = opened(value), "", path.split("|")[0].strip()
    while isinstance(value, Mapping):
        step = next(((head, tail) for head, tail in _cuts(rest) if head in value), None)
        if step is None or step[1] is None:
            break
        reached = f"{reached}.{step[0]}" if reached else step[0]
        value, rest = opened(value[step[0]]), step[1]
    where = reached or "the record"
    if isinstance(value, Mapping):
        return f"is not there: {where} has the fields {fields(value)}"
    return f"is not there: {where} is {shorten(value)}"


def fields(value: Mapping[Any, Any]) -> str:
    """The names of an object's fields, cut short."""
    names = [str(name) for name in value]
    told = ", ".join(ascii(name)[1:-1][:40] for name in names[:_NAMED])
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return (told or "none") + more
