"""The JSON schemas that judges ask for, in the strict form that every provider takes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

JSON = Mapping[str, Any]


def record(**fields: JSON) -> dict[str, Any]:
    """An object with exactly these fields, in this order.

    >>> record(answer=preference())["required"]
    ['answer']
    """
    return {
        "type": "object",
        "properties": dict(fields),
        "required": list(fields),
        "additionalProperties": False,
    }


def one_of(answers: Sequence[str]) -> dict[str, Any]:
    """One of some strings."""
    return {"type": "string", "enum": list(answers)}


def preference() -> dict[str, Any]:
    """A, B or tie."""
    return one_of(("A", "B", "tie"))


def scale(low: int, high: int) -> dict[str, Any]:
    """A whole number on a scale."""
    return {"type": "integer", "enum": list(range(low, high + 1))}


def words() -> dict[str, Any]:
    """Free text."""
    return {"type": "string"}
