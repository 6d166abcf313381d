"""What stands in a file becomes the record it was written from, or is refused where it is read."""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass
from typing import Any, Literal, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as some

from assize.facts import read_as


class Place(NamedTuple):
    name: str
    bin: int | None = None


@dataclass(frozen=True)
class Tide:
    harbour: str
    heights: tuple[float, ...]
    place: Place
    spring: bool = False
    kind: Literal["high", "low"] = "high"
    pair: tuple[int, str] = (1, "a")


TIDE = Tide("Brest", (1, 2.5), Place("quay", 3), True, "low", (2, "b"))


def written(**changed: Any) -> Any:
    return json.loads(json.dumps(asdict(TIDE) | changed))


def test_a_record_comes_back_with_its_tuples_and_records() -> None:
    assert read_as(Tide, written()) == TIDE
    assert read_as(Tide, written(place={"name": "quay", "bin": 3})) == TIDE
    least = {"harbour": "B", "heights": [], "place": {"name": "q"}}
    assert read_as(Tide, least) == Tide("B", (), Place("q"))
    assert type(read_as(tuple[float, ...], [1, 2.0])[0]) is int  # as it was written


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"depth": 3}, "Tide has no field 'depth'"),
        ({"harbour": 3}, "harbour: received 3; expected str"),
        ({"heights": 3}, "heights: received 3; expected a list"),
        ({"heights": ["1"]}, "heights: received '1'; expected float"),
        ({"heights": [True]}, "heights: received True"),
        ({"heights": [float("nan")]}, "heights: received nan; expected a number up to"),
        ({"heights": [10**400]}, "heights: received 1000"),
        ({"place": {"name": None}}, "place: name: received None; expected str"),
        ({"place": {"name": "q", "bin": 1.5}}, "place: bin: received 1.5"),
        ({"place": {"name": "q", "bin": 2**60}}, "place: bin: received"),
        ({"place": ["q"]}, "place: received"),
        ({"spring": 1}, "spring: received 1; expected bool"),
        ({"kind": "slack"}, "kind: received 'slack'"),
        ({"pair": [1]}, "pair: received 1 values; expected 2"),
        ({"pair": [1, 2]}, "pair: received 2; expected str"),
    ],
)
def test_what_is_of_another_type_is_refused_with_its_place(changed: Any, told: str) -> None:
    with pytest.raises((TypeError, ValueError), match=told):
        read_as(Tide, written(**changed))


def test_what_is_lacking_or_no_record_is_refused() -> None:
    with pytest.raises(TypeError, match="Tide needs 'harbour'"):
        read_as(Tide, {})
    with pytest.raises(TypeError, match=r"received \[1\]; expected Tide"):
        read_as(Tide, [1])


def test_a_mapping_is_taken_as_it_is() -> None:
    assert read_as(Mapping, {"a": [1]}) == {"a": [1]}
    assert read_as(Mapping[str, Any], {}) == {}
    with pytest.raises(TypeError):
        read_as(Mapping, [])


@given(
    some.recursive(
        some.none() | some.booleans() | some.floats() | some.integers() | some.text(max_size=3),
        lambda inner: (
            some.lists(inner, max_size=3) | some.dictionaries(some.text(max_size=3), inner)
        ),
    )
)
def test_anything_is_a_record_or_a_type_or_value_error(value: Any) -> None:
    for hint in (Tide, Place, tuple[int, ...], int, float, str | None):
        with suppress(TypeError, ValueError):
            read_as(hint, value)
