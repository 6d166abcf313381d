"""What a field of an item holds: the one place that decides what `--by FIELD` means.

A field is the record's own (`system`, `source`, `conversation`), or stands in its metadata, or
beside what a format knows (`extra`): `thumbs`, `metadata.thumbs` and `user.plan` all work,
wherever the log had them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from assize.base.conversation import Conversation, Item
from assize.base.errors import DataError

METADATA: Final = "metadata."
_TURNS = "turns."
_SHOWN = 20  # fields that a message lists


def value_at(item: Item, field: str) -> Any:
    """What stands under a field, of any kind; None where nothing does.

    The record's own field comes first, then its metadata, then what was read beside it. With
    `metadata.` before it the record's own is passed over. Dots lead into objects.

    >>> talk = Conversation("c", (), "bot-7", {"user": {"plan": "free"}}, {"thumbs": "up"})
    >>> value_at(talk, "thumbs"), value_at(talk, "metadata.thumbs"), value_at(talk, "user.plan")
    ('up', 'up', 'free')
    """
    name = field.removeprefix(METADATA)
    if name == field:
        own = getattr(item, field, None) if field.isidentifier() else None
        if isinstance(own, str | int | float):
            return own
    for held in (item.metadata, item.extra):
        found = inside(held, name)
        if found is not None:
            return found
    return None


def inside(value: Any, path: str) -> Any:
    """What stands at a dotted path, a key that holds dots before the parts of it; None for none.

    >>> inside({"a.b": 1, "a": {"c": 2}}, "a.b"), inside({"a.b": 1, "a": {"c": 2}}, "a.c")
    (1, 2)
    """
    if not isinstance(value, Mapping):
        return None
    if path in value:
        return value[path]
    head, dot, rest = path.partition(".")
    return inside(value.get(head), rest) if dot else None


def word_at(item: Item, field: str) -> str | None:
    """`value_at` as text, where it is one value; None for objects and lists too."""
    found = value_at(item, field)
    return str(found) if isinstance(found, str | int | float) else None


def names_in(items: Iterable[Item]) -> list[str]:
    """The fields beside those that every record has, for messages."""
    return sorted({str(name) for one in items for name in (*one.metadata, *one.extra)})


def values_of(item: Item, field: str) -> list[Any]:
    """Return the values of a field; several only of one that turns have, as `turns.thumbs`.

    >>> values_of(Conversation("c", (), metadata={"feedback": {"thumbs": "up"}}), "feedback.thumbs")
    ['up']
    """
    if field.startswith(_TURNS):
        turns = item.turns if isinstance(item, Conversation) else ()
        values = [inside(turn.extra, field.removeprefix(_TURNS)) for turn in turns]
    else:
        values = [value_at(item, field)]
    return [value for value in values if value is not None]


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
    """Return what to raise where no item has a field: it names those that there are."""
    names = list(dict.fromkeys(name for item in items for name in _names(item)))
    there = ", ".join(names[:_SHOWN]) or "none"
    more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    return DataError(f"no item has the field {field!r}; there are {there}{more}")


def _names(item: Item) -> Iterable[str]:
    yield from (*_paths(item.metadata), *_paths(item.extra))
    if isinstance(item, Conversation):
        if item.system is not None:
            yield "system"
        for turn in item.turns:
            yield from (f"{_TURNS}{name}" for name in _paths(turn.extra))


def _paths(fields: Mapping[str, Any]) -> Iterable[str]:
    for name, value in fields.items():
        inner = value if isinstance(value, Mapping) else ()
        yield from (f"{name}.{part}" for part in inner)
        if not isinstance(value, Mapping):
            yield name
