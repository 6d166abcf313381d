"""Facts that stand in a file, as the records they were written from.

JSON holds whatever its writer likes. `read_as` makes of it what an annotation says, or refuses:
every field is there, none is unknown, and each is of its type, so that what is opened cannot
fail later, in the middle of a prediction.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, fields, is_dataclass
from functools import cache
from math import isfinite
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

WHOLE = 2**53  # whole numbers up to this are exact in every number format
LARGE = 1e100  # numbers up to this can be multiplied without leaving the range of numbers


def read_as(hint: Any, value: Any) -> Any:
    """The value as `hint` has it: a record, a tuple, a mapping, a word, or a number.

    Args:
        hint: a dataclass or NamedTuple, `tuple[...]`, `Mapping`, `Literal[...]`, a union, str,
            int, float, bool or None.
        value: as `json.loads` gives it.

    Raises:
        TypeError: it is something else; the message says where.
        ValueError: a number is not finite, or out of all proportion.

    >>> read_as(tuple[int, ...], [1, 2])
    (1, 2)
    >>> read_as(int, "1")
    Traceback (most recent call last):
    TypeError: received '1'; expected int
    """
    origin, inner = get_origin(hint), get_args(hint)
    if is_dataclass(hint) or hasattr(hint, "_fields"):
        return _record(hint, value)
    if origin in (Union, UnionType):
        return _first(inner, value)
    if origin is tuple:
        return _several(inner, value)
    if origin is Literal:
        fits = any(value == one and type(value) is type(one) for one in inner)
    elif hint in (Mapping, dict) or origin in (Mapping, dict):
        fits = isinstance(value, Mapping)
    elif hint in (int, float):
        fits = _is_number(hint, value)
    else:
        fits = isinstance(value, NoneType if hint is None else hint)
    if not fits:
        raise TypeError(f"received {value!r:.60}; expected {getattr(hint, '__name__', hint)}")
    return value


def _is_number(hint: Any, value: Any) -> bool:
    if isinstance(value, bool) or not isinstance(value, int if hint is int else int | float):
        return False
    most: float = WHOLE if hint is int else LARGE
    if not (abs(value) <= most and isfinite(value)):
        raise ValueError(f"received {value!r:.60}; expected a number up to {most:g}")
    return True


def _first(hints: tuple[Any, ...], value: Any) -> Any:
    """As the first of several that fits."""
    for place, hint in enumerate(hints):
        try:
            return read_as(hint, value)
        except TypeError:
            if place == len(hints) - 1:
                raise
    raise TypeError("no type is allowed")


def _several(hints: tuple[Any, ...], value: Any) -> tuple[Any, ...]:
    if not isinstance(value, list | tuple):
        raise TypeError(f"received {value!r:.60}; expected a list")
    if hints[-1:] == (Ellipsis,):
        return tuple(read_as(hints[0], one) for one in value)
    if len(value) != len(hints):
        raise TypeError(f"received {len(value)} values; expected {len(hints)}")
    return tuple(read_as(hint, one) for hint, one in zip(hints, value, strict=True))


@cache
def _types(kind: type) -> dict[str, Any]:
    return get_type_hints(kind)


def _record(kind: Any, value: Any) -> Any:
    """A dataclass from a mapping, or a NamedTuple from a mapping or a list."""
    named = [one.name for one in fields(kind)] if is_dataclass(kind) else list(kind._fields)
    if isinstance(value, list) and not is_dataclass(kind) and len(value) == len(named):
        value = dict(zip(named, value, strict=True))
    if not isinstance(value, Mapping):
        raise TypeError(f"received {value!r:.60}; expected {kind.__name__}")
    unknown = sorted(map(str, value.keys() - set(named)))
    lacking = sorted(_needed(kind) - value.keys())
    if unknown or lacking:
        problem = f"no field {unknown[0][:60]!r}" if unknown else f"needs {lacking[0]!r}"
        raise TypeError(
            f"{kind.__name__} has {problem}" if unknown else f"{kind.__name__} {problem}"
        )
    types = _types(kind)
    found = {}
    for name, one in value.items():
        try:
            found[name] = read_as(types[name], one)
        except (TypeError, ValueError) as error:
            raise type(error)(f"{name}: {error}") from None
    return kind(**found)


def _needed(kind: Any) -> set[str]:
    """Fields without a default."""
    if not is_dataclass(kind):
        return set(kind._fields) - set(kind._field_defaults)
    return {
        one.name
        for one in fields(kind)
        if one.default is MISSING and one.default_factory is MISSING
    }
