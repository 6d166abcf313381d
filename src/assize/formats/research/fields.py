"""Taking fields out of a raw row: a missing or misshapen one is a DataError with its name."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, TypeVar

from assize.base.errors import DataError

_Kind = TypeVar("_Kind")
_NAMES = {dict: "an object", list: "a list", str: "text", int: "a whole number", bool: "true/false"}


def take(value: Any, name: str, kind: type[_Kind]) -> _Kind:
    """The field `name` of a raw object, which must be of that kind.

    >>> take({"id": "c1"}, "id", str)
    'c1'
    """
    if not isinstance(value, Mapping):
        raise DataError(f"expected an object, received {_shown(value)}")
    if name not in value:
        raise DataError("is missing", field=name)
    found = value[name]
    if not isinstance(found, kind):
        wanted = _NAMES.get(kind, kind.__name__)
        raise DataError(f"received {_shown(found)}; expected {wanted}", field=name)
    return found


def optional(value: Any, name: str, kind: type[_Kind]) -> _Kind | None:
    """As `take`, but None where the field is missing or null."""
    if isinstance(value, Mapping) and value.get(name) is None:
        return None
    return take(value, name, kind)


def others(value: Mapping[str, Any], used: Collection[str]) -> dict[str, Any]:
    """The fields that a reader did not use and that hold something; they become metadata."""
    return {key: part for key, part in value.items() if key not in used and part is not None}


def _shown(value: Any) -> str:
    text = ascii(value)
    return text if len(text) <= 60 else text[:60] + "..."
