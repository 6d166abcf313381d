"""What records have in common: how they are read from JSON, once for all of them.

A record is a frozen dataclass that declares its fields and their types; pydantic reads it. `Id` and
the other types here say what a text or a number must be. `fold` puts unknown fields into `extra`,
and what is null is absent. Reading is not strict: cells of a table hold numbers as text, and JSON
has lists where a record has tuples.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, fields
from functools import cache, partial
from typing import Annotated, Any

from pydantic import BeforeValidator, Field

Id = Annotated[str, Field(coerce_numbers_to_str=True, min_length=1)]
Words = Annotated[str, Field(coerce_numbers_to_str=True)]
Fraction = Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)]
Count = Annotated[int, Field(ge=0, le=(1 << 63) - 1)]  # what a column holds


def folded(cls: type[Any]) -> BeforeValidator:
    """Return what makes a field of a record's type be read from JSON by `fold`."""
    return BeforeValidator(partial(fold, cls))


def fold(cls: type[Any], value: Any) -> Any:
    """Return a JSON object as the arguments of a record: what has no field stands in `extra`."""
    if not isinstance(value, Mapping):
        return value  # pydantic says what it should have been
    known: dict[str, Any] = {}
    extra: dict[str, Any] = {}
    names = json_names(cls)  # type: ignore[arg-type]  # classes can be hashed
    for key, part in value.items():
        if key not in names:
            extra[key] = part
        elif part is not None or names[key].required:
            known[names[key].field] = part
    if extra:
        known["extra"] = extra
    return known


class JsonName:
    """A field of a record as JSON has it."""

    __slots__ = ("field", "required")

    def __init__(self, field: str, required: bool) -> None:
        self.field, self.required = field, required


@cache
def json_names(cls: Any) -> Mapping[str, JsonName]:
    """Return the fields of a record that JSON spells out, by their names there.

    A field's metadata may say that JSON calls it otherwise (`json`), or does not hold it as it
    stands (`json=None`).
    """
    names = {}
    for member in fields(cls):
        name = member.metadata.get("json", member.name)
        if name is not None and member.name != "extra":
            required = member.default is MISSING and member.default_factory is MISSING
            names[name] = JsonName(member.name, required)
    return names
