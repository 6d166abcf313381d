"""Fields of an item by a dotted path: of its metadata, its unknown fields, itself, its turns."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from assize.base.conversation import Conversation, Item
from assize.base.errors import DataError
from assize.base.fields import inside

_NAMED = 20  # fields that a message lists
_TURNS = "turns."


def values_of(item: Item, field: str) -> list[Any]:
    """The values of a field of an item; several only where turns have it.

    >>> values_of(Conversation("c", (), metadata={"feedback": {"thumbs": "up"}}), "feedback.thumbs")
    ['up']
    """
    if field.startswith(_TURNS):
        turns = item.turns if isinstance(item, Conversation) else ()
        each = (inside(turn.extra, field.removeprefix(_TURNS)) for turn in turns)
        return [one for one in each if one is not None]
    path = field.removeprefix("metadata.")
    for held in (item.metadata, item.extra):
        value = inside(held, path)
        if value is not None:
            return [value]
    own = getattr(item, field, None)
    return [own] if isinstance(own, str | int | float) else []


def first_values(items: Iterable[Item], field: str) -> dict[str, str]:
    """Return the first value of a field as text, by the ids of the items that have it.

    Raises:
        DataError: no item has the field.
    """
    listed = list(items)
    values = {item.id: str(value) for item in listed for value in values_of(item, field)[:1]}
    if not values:
        raise no_field(field, listed)
    return values


def no_field(field: str, items: Iterable[Item]) -> DataError:
    """What to raise where no item has a field: it names those that there are."""
    fields = list(dict.fromkeys(name for item in items for name in _fields(item)))
    there = ", ".join(fields[:_NAMED]) or "none"
    more = f" and {len(fields) - _NAMED} more" if len(fields) > _NAMED else ""
    return DataError(f"no item has the field {field!r}; there are {there}{more}")


def _fields(item: Item) -> Iterable[str]:
    for held in (item.metadata, item.extra):
        yield from _paths(held)
    if isinstance(item, Conversation):
        if item.system is not None:
            yield "system"
        for turn in item.turns:
            yield from (f"{_TURNS}{name}" for name in _paths(turn.extra))


def _paths(held: Mapping[str, Any]) -> Iterable[str]:
    for name, value in held.items():
        if isinstance(value, Mapping):
            yield from (f"{name}.{inner}" for inner in value)
        else:
            yield name
