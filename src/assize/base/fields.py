"""What a field of an item holds: the one place that decides what `--by FIELD` means.

A field is the record's own (`system`, `source`, `conversation`), or stands in its metadata, or
beside what a format knows (`extra`): `thumbs`, `metadata.thumbs` and `user.plan` all work,
wherever the log had them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from assize.base.conversation import Item

METADATA: Final = "metadata."


def value_at(item: Item, field: str) -> Any:
    """What stands under a field, of any kind; None where nothing does.

    The record's own field comes first, then its metadata, then what was read beside it. With
    `metadata.` before it the record's own is passed over. Dots lead into objects.

    >>> from assize.base.conversation import Conversation
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
