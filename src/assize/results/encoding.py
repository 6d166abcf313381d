"""JSON of a result, which follows from its fields: keys are the fields' names."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import fields, is_dataclass
from os import PathLike, fspath
from typing import Any

from assize.results.numbers import LeastP


def to_json(value: Any) -> Any:
    """Return a value as JSON has it.

    A record becomes an object. Its fields with `repr=False` hold working data and are left out, as
    are users' texts (`results.types.TEXT`) and a field that is None. A number that is not
    finite becomes null. Beside a p-value that its test cannot go below stands `NAME_floor`: true.

    Raises:
        TypeError: JSON has nothing for such a value.

    >>> to_json({"share": float("nan"), "ends": (0.25, 1)})
    {'share': None, 'ends': [0.25, 1]}
    """
    if value is None or isinstance(value, bool | str | int):
        return value
    if isinstance(value, float):
        return float(value) if math.isfinite(value) else None
    if is_dataclass(value) and not isinstance(value, type):
        inner = getattr(value, "to_json", None)  # of a result, whose signature may be computed
        return record_to_json(value) if inner is None else inner()
    if isinstance(value, Mapping):
        return {_key(key): to_json(item) for key, item in value.items()}
    if isinstance(value, PathLike):
        return fspath(value)
    if hasattr(value, "tolist"):  # an array of numpy, or one of its numbers
        return to_json(value.tolist())
    if isinstance(value, set | frozenset):
        return sorted(to_json(item) for item in value)
    if isinstance(value, Iterable) and not isinstance(value, bytes):
        return [to_json(item) for item in value]
    raise TypeError(f"JSON has nothing for a {type(value).__name__}")


def _key(key: Any) -> str:
    if isinstance(key, str | int | float):
        return str(key)
    raise TypeError(f"JSON has no key for a {type(key).__name__}")


def record_to_json(record: Any) -> dict[str, Any]:
    """Return the object of a dataclass; see `to_json`."""
    values = {
        field.name: getattr(record, field.name)
        for field in fields(record)
        if field.repr and field.metadata.get("json", True)
    }
    texts = {name: to_json(value) for name, value in values.items() if value is not None}
    texts |= {f"{name}_floor": True for name, value in values.items() if isinstance(value, LeastP)}
    return texts
