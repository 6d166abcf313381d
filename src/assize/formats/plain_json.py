"""Values of Python, numpy, Arrow and other libraries as what JSON has."""

from __future__ import annotations

import base64
import os
from collections.abc import Mapping
from dataclasses import is_dataclass
from datetime import timedelta
from decimal import Decimal
from typing import Any
from uuid import UUID

from assize.base.errors import shorten
from assize.formats.records import to_json

_TEXTS = ("content", "text")  # fields of messages and turns


def to_plain(value: Any) -> Any:
    """Return the value in what JSON has: objects, lists, text, numbers, booleans, null.

    Times become text in ISO 8601, bytes base64, arrays lists, and the messages of model
    clients (pydantic models) objects without what is absent.

    Raises:
        ValueError: it holds something that is none of these, or bytes where a message has its
            text.
        RecursionError: it holds itself, or nests too deeply.

    >>> to_plain({"texts": ("a", 1)})
    {'texts': ['a', 1]}
    """
    if value is None or isinstance(value, str | bool | int | float):
        return value
    if isinstance(value, Mapping):
        for name in _TEXTS:
            if isinstance(value.get(name), bytes):
                raise ValueError(
                    f"{name}: received bytes, {shorten(value[name])}; give text, for example"
                    " .decode('utf-8')"
                )
        return {str(key): to_plain(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [to_plain(part) for part in value]
    if isinstance(value, bytes):
        return base64.b64encode(value).decode("ascii")
    return to_plain(_open_object(value))


def _open_object(value: Any) -> Any:
    """An object of another library, or a record of ours, in plainer values."""
    if is_model(value):
        return value.model_dump(exclude_none=True)
    if is_dataclass(value) and type(value).__module__.startswith("assize."):
        return to_json(value)
    for method in ("isoformat", "tolist"):  # times; arrays and numbers of numpy
        if callable(getattr(value, method, None)) and not isinstance(value, type):
            return getattr(value, method)()
    if isinstance(value, UUID | Decimal | timedelta | os.PathLike):
        return str(value)
    kind = type(value).__name__
    raise ValueError(f"holds {shorten(value)} of type {kind}; give text, numbers, lists and dicts")


def is_model(value: object) -> bool:
    """Whether it is a pydantic model, such as the messages of model clients are."""
    return callable(getattr(value, "model_dump", None)) and not isinstance(value, type)
