"""Records as parts, which can be stored, and as the records that they were.

    facts, arrays = to_parts(calibrator)
    calibrator = from_parts(Hierarchical, facts, arrays)

A record is a frozen dataclass (or a NamedTuple) whose fields are texts, numbers, arrays, other
records, or sequences and mappings of these. Its facts are JSON; its arrays are named by their path,
such as `posteriors.0.mean`, and facts say where each stands.

JSON holds whatever its writer likes. What is read is made what the types of the fields say, or
refused: every field is there, none is unknown, each is of its type, and a number is finite and
within proportion, so that what is opened cannot fail later, in the middle of a prediction. What
parts must have in common, such as matching lengths, a record checks in its `__post_init__`.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import MISSING, dataclass, fields, is_dataclass
from functools import cache
from importlib import import_module
from math import isfinite
from types import NoneType, UnionType
from typing import (
    TYPE_CHECKING,
    Annotated,
    Any,
    ClassVar,
    Literal,
    TypeVar,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

WHOLE = 2**53  # whole numbers up to this are exact in every number format
LARGE = 1e100  # numbers up to this can be multiplied without leaving the range of numbers
ARRAY = "$array"  # the key of an object that stands for an array, and holds its name

R = TypeVar("R")
Arrays = Mapping[str, "NDArray[Any]"]


@dataclass(frozen=True, slots=True)
class Kinds:
    """Marks a field that holds a record of one of several classes: `Annotated[Head, Kinds(HEADS)]`.

    Each of these classes has a class variable `kind`, which is stored with its fields.

    Args:
        table: by kind, the class as `module:name`, which is imported when one is read.
    """

    table: Mapping[str, str]

    def record_type(self, value: Any) -> Any:
        """Return the class of the record that facts describe."""
        kind = value.get("kind") if isinstance(value, Mapping) else None
        if not isinstance(kind, str) or kind not in self.table:
            raise TypeError(f"kind {kind!r:.60} is not known; known: {', '.join(self.table)}")
        module, _, name = self.table[kind].partition(":")
        return getattr(import_module(module), name)


class _Figures:
    """Marks a field whose numbers may be NaN or infinite: see `FIGURES`."""


FIGURES = _Figures()
"""Marks figures, as in `Annotated[float, FIGURES]`: numbers below it may be NaN or infinite."""


# --- parts of a record ---------------------------------------------------------------------------


def to_parts(
    record: Any, leave: Collection[str] = ()
) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
    """Split a record into facts, for JSON, and arrays by name.

    Args:
        leave: fields that are not stored; `from_parts` is given them.
    """
    arrays: dict[str, NDArray[Any]] = {}
    values = {name: value for name, value in _values(record).items() if name not in leave}
    return _split(values, "", arrays), arrays


def _values(record: Any) -> dict[str, Any]:
    """Return what is stored of a record: its fields, and its kind where it is one of several."""
    cls: Any = type(record)  # for mypy, a `type[Any]` cannot be hashed
    kind = _kind(cls)
    values = {} if kind is None else {"kind": kind}
    return values | {
        field.name: getattr(record, field.name) for field in fields(record) if field.init
    }


@cache
def _kind(cls: Any) -> str | None:
    """Return the class variable by which `Kinds` knows a class; None where it has none."""
    hint = get_type_hints(cls).get("kind")
    kind = getattr(cls, "kind", None)
    return kind if get_origin(hint) is ClassVar and isinstance(kind, str) else None


def _split(value: Any, path: str, arrays: dict[str, NDArray[Any]]) -> Any:
    if hasattr(value, "dtype"):
        if not value.shape:
            return _split(value.item(), path, arrays)
        name = path if path not in arrays else f"{path}#{len(arrays)}"
        arrays[name] = value
        return {ARRAY: name}
    if is_dataclass(value):
        value = _values(value)
    start = f"{path}." if path else ""
    if isinstance(value, Mapping):
        return {name: _split(part, f"{start}{name}", arrays) for name, part in value.items()}
    if isinstance(value, list | tuple):
        return [_split(part, f"{start}{n}", arrays) for n, part in enumerate(value)]
    if isinstance(value, float) and not isfinite(value):
        return json.dumps(value)  # a word: JSON has no such number
    return value


# --- and back ------------------------------------------------------------------------------------


def from_parts(record_type: type[R], facts: Any, arrays: Arrays, **more: Any) -> R:
    """Return the record that these parts make.

    Args:
        record_type: the record's class.
        facts, arrays: as `to_parts` gave them, or as they came from a file.
        more: the fields that were left out.

    Raises:
        TypeError, ValueError, DataError: a field or an array is missing, unknown or of another
            type, a number is not finite, or the record's own checks fail.
    """
    reader = _Reader(arrays)
    record: R = reader.read_record(record_type, facts, more)
    if reader.arrays:
        raise ValueError(f"array {min(reader.arrays)!r} is unknown")
    return record


def read_as(hint: Any, value: Any) -> Any:
    """The value as `hint` has it: a record, a tuple, a mapping, a word, or a number.

    Args:
        hint: a dataclass or NamedTuple, `tuple[...]`, `Sequence[...]`, `Mapping[...]`,
            `Literal[...]`, a union, str, int, float, bool, None or Any.
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
    return _Reader({}).read(hint, value)


class _Reader:
    """Reads facts; `arrays` are those that no field has named yet."""

    def __init__(self, arrays: Arrays) -> None:
        self.arrays = dict(arrays)

    def read(self, hint: Any, value: Any, *, figures: bool = False) -> Any:
        """Return the value as a hint has it; `figures` may be NaN or infinite."""
        if get_origin(hint) is Annotated:
            figures |= FIGURES in hint.__metadata__
            kinds = [mark for mark in hint.__metadata__ if isinstance(mark, Kinds)]
            hint = kinds[0].record_type(value) if kinds else hint.__origin__
        origin, inner = get_origin(hint), get_args(hint)
        if is_dataclass(hint) or hasattr(hint, "_fields"):
            return self.read_record(hint, value, {}, figures=figures)
        if origin in (Union, UnionType):
            return self._first(inner, value, figures=figures)
        if origin in (tuple, list, Sequence):
            return self._several(hint, value, figures=figures)
        if origin in (Mapping, dict):
            return self._mapping(inner, value, figures=figures)
        if getattr(origin, "__name__", "") == "ndarray":
            return self._array(hint, value, figures=figures)
        return _plain(hint, value, figures=figures)

    def _first(self, hints: tuple[Any, ...], value: Any, *, figures: bool) -> Any:
        """Read a value as the first of several types that fits."""
        for hint in hints[:-1]:
            try:
                return self.read(hint, value, figures=figures)
            except TypeError:
                continue
        return self.read(hints[-1], value, figures=figures)

    def _several(self, hint: Any, value: Any, *, figures: bool) -> Any:
        if not isinstance(value, list | tuple):
            raise TypeError(f"received {value!r:.60}; expected a list")
        inner = get_args(hint)
        alike = get_origin(hint) is not tuple or inner[-1:] == (Ellipsis,)
        if not alike and len(value) != len(inner):
            raise TypeError(f"received {len(value)} values; expected {len(inner)}")
        hints = inner[:1] * len(value) if alike else inner
        parts = [
            self.read(kind, part, figures=figures) for kind, part in zip(hints, value, strict=True)
        ]
        return parts if get_origin(hint) is list else tuple(parts)

    def _mapping(self, hints: tuple[Any, ...], value: Any, *, figures: bool) -> dict[Any, Any]:
        if not isinstance(value, Mapping):
            raise TypeError(f"received {value!r:.60}; expected an object")
        key_hint, part_hint = hints
        return {
            self.read(key_hint, key): self.read(part_hint, part, figures=figures)
            for key, part in value.items()
        }

    def _array(self, hint: Any, value: Any, *, figures: bool) -> NDArray[Any]:
        """Take an array, with as many bits as the field has."""
        import numpy as np

        if not isinstance(value, Mapping) or value.keys() != {ARRAY}:
            raise TypeError(f"received {value!r:.60}; expected an array")
        name = value[ARRAY]
        if not isinstance(name, str) or name not in self.arrays:
            raise ValueError(f"there is no array {name!r:.60}")
        array = self.arrays.pop(name)
        (dtype,) = get_args(get_args(hint)[1])
        if not np.can_cast(array.dtype, dtype, "same_kind"):
            raise ValueError(f"array {name!r} holds {array.dtype}, not {np.dtype(dtype)}")
        with np.errstate(all="ignore"):  # a number that 32 bits cannot hold becomes infinite
            array = array.astype(dtype)
        if not figures and not finite(array):
            raise ValueError(f"array {name!r} holds what is no finite number")
        return array

    def read_record(
        self, record_type: Any, value: Any, more: Mapping[str, Any], *, figures: bool = False
    ) -> Any:
        """Read a dataclass from a mapping, or a NamedTuple from a mapping or a list."""
        known, needed, kind = _shape(record_type)
        if isinstance(value, list) and hasattr(record_type, "_fields") and len(value) == len(known):
            value = dict(zip(known, value, strict=True))
        if not isinstance(value, Mapping):
            raise TypeError(f"received {value!r:.60}; expected {record_type.__name__}")
        if kind is not None and value.get("kind", kind) == kind:
            value = {name: part for name, part in value.items() if name != "kind"}
        unknown = sorted(map(str, value.keys() - (known.keys() - more.keys())))
        lacking = sorted(needed - value.keys() - more.keys())
        if unknown or lacking:
            problem = f"has no field {unknown[0][:60]!r}" if unknown else f"needs {lacking[0]!r}"
            raise TypeError(f"{record_type.__name__} {problem}")
        read = {}
        for name, part in value.items():
            try:
                read[name] = self.read(known[name], part, figures=figures)
            except (TypeError, ValueError) as error:
                raise type(error)(f"{name}: {error}") from None
        return record_type(**read, **more)


@cache
def _shape(record_type: Any) -> tuple[dict[str, Any], set[str], str | None]:
    """Return the types of a record's fields by name, those without a default, and its kind."""
    hints = get_type_hints(record_type, include_extras=True)
    if hasattr(record_type, "_fields"):
        return hints, hints.keys() - record_type._field_defaults.keys(), None
    stored = [field for field in fields(record_type) if field.init]
    needed = {
        field.name
        for field in stored
        if field.default is MISSING and field.default_factory is MISSING
    }
    return {field.name: hints[field.name] for field in stored}, needed, _kind(record_type)


def _plain(hint: Any, value: Any, *, figures: bool) -> Any:
    """Check a word, a number, a truth value, None, or any JSON value."""
    if hint is Any:
        return value
    if hint in (int, float):
        if figures and hint is float and value in ("NaN", "Infinity", "-Infinity"):
            return float(value)
        fits = _is_number(hint, value)
    elif get_origin(hint) is Literal:
        fits = any(value == word and type(value) is type(word) for word in get_args(hint))
    elif hint in (Mapping, dict):
        fits = isinstance(value, Mapping)
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


# --- checks of arrays ----------------------------------------------------------------------------


def finite(array: NDArray[Any]) -> bool:
    """Whether all in it are numbers, and none is out of all proportion."""
    import numpy as np

    with np.errstate(invalid="ignore"):  # a NaN of the signalling kind
        return bool((np.abs(array, dtype=np.float64) <= LARGE).all())


def divides(array: NDArray[Any]) -> bool:
    """Whether all in it are above 0, and by enough to divide by."""
    return bool((array.astype("float64") >= 1 / LARGE).all())
