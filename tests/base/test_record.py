"""What pydantic reads into a record: unknown fields, null, and records inside records."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any

import pytest
from pydantic import TypeAdapter, ValidationError

from assize.base.record import Count, Id, fold, folded


@dataclass(frozen=True, slots=True)
class Part:
    id: Id
    n: Count = 0
    extra: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Whole:
    first: Annotated[Part, folded(Part)]
    parts: tuple[Annotated[Part, folded(Part)], ...] = ()
    audience: str = field(default="both", metadata={"json": "for"})
    made: tuple[str, ...] = field(default=(), metadata={"json": None})
    extra: Mapping[str, Any] = field(default_factory=dict)


def read(value: Any) -> Whole:
    whole: Whole = TypeAdapter(Whole).validate_python(fold(Whole, value))
    return whole


def test_what_has_no_field_stands_in_extra_of_every_record() -> None:
    part = {"id": 7, "n": None, "mood": "calm"}
    whole = read({"first": part, "parts": [part], "for": "people", "made": 1, "extra": 2})
    assert whole.first == whole.parts[0] == Part("7", 0, {"mood": "calm"})
    assert whole.audience == "people"
    assert whole.extra == {"made": 1, "extra": 2}
    assert whole.made == ()


@pytest.mark.parametrize(
    ("value", "place"),
    [
        ({}, ("first",)),
        ({"first": None}, ("first",)),
        ({"first": {"id": ""}}, ("first", "id")),
        ({"first": {"id": "a"}, "parts": [{"id": "b", "n": -1}]}, ("parts", 0, "n")),
        ([], ()),
    ],
)
def test_what_must_be_there_is_named_by_its_place(value: Any, place: tuple[Any, ...]) -> None:
    with pytest.raises(ValidationError) as error:
        read(value)
    assert error.value.errors()[0]["loc"] == place
