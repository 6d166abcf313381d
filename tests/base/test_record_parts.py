"""What stands in a file becomes the record it was written from, or is refused where it is read."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from typing import Annotated, Any, ClassVar, Literal, NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as some
from numpy.typing import NDArray

from assize.base.errors import DataError
from assize.base.record_parts import FIGURES, Kinds, divides, from_parts, read_as, to_parts


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
    assert read_as(Mapping[str, Place], {"a": ["q", 2]}) == {"a": Place("q", 2)}
    for hint in (Mapping, Mapping[str, int]):
        with pytest.raises(TypeError):
            read_as(hint, [])


def test_a_list_a_sequence_and_anything_are_read() -> None:
    assert read_as(list[int], [1, 2]) == [1, 2]
    assert read_as(Sequence[int], [1, 2]) == (1, 2)
    assert read_as(Any, {"a": [None]}) == {"a": [None]}


@dataclass(frozen=True, eq=False)
class Bay:
    """Half a circle, of one kind of shore."""

    kind: ClassVar[str] = "bay"

    depths: NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Cliff:
    kind: ClassVar[str] = "cliff"

    height: float
    steps: NDArray[np.int64] | None = None


SHORES = {"bay": f"{__name__}:Bay", "cliff": f"{__name__}:Cliff"}


@dataclass(frozen=True, eq=False)
class Coast:
    name: str
    shores: tuple[Annotated[Any, Kinds(SHORES)], ...]
    maps: Mapping[str, NDArray[np.float32]]
    error: Annotated[float, FIGURES] = float("nan")
    log: Annotated[list[tuple[float, NDArray[np.float64]]], FIGURES] = field(default_factory=list)
    ship: object = None
    length: int = field(init=False, default=0)

    def __post_init__(self) -> None:
        if not self.name:
            raise DataError("a coast without a name")


@dataclass(frozen=True, eq=False)
class Nested:
    parts: Mapping[str, Mapping[str, NDArray[np.float64]]]


def coast() -> Coast:
    shores = (Bay(np.array([[0.1, 0.2]])), Cliff(np.float64(3.5)), Cliff(1e-300, np.arange(3)))
    log = [(float("-inf"), np.array([np.inf, np.nan])), (1 / 3, np.zeros(0))]
    return Coast("Cornwall", shores, {"north": np.array([1.5], np.float32)}, log=log, ship="it")


def stored() -> tuple[Any, dict[str, Any]]:
    facts, arrays = to_parts(coast(), leave=("ship",))
    return json.loads(json.dumps(facts, allow_nan=False)), arrays


def test_a_record_comes_back_from_its_parts_to_the_last_bit() -> None:
    facts, arrays = stored()
    assert facts["shores"][0] == {"kind": "bay", "depths": {"$array": "shores.0.depths"}}
    assert facts["error"] == "NaN"
    assert arrays.keys() == {
        *("shores.0.depths", "shores.2.steps", "maps.north", "log.0.1", "log.1.1")
    }
    again = from_parts(Coast, facts, arrays, ship="that")
    bay, low, high = again.shores
    assert (bay.depths.tolist(), low.height, low.steps) == ([[0.1, 0.2]], 3.5, None)
    assert (high.height, high.steps.tolist(), high.steps.dtype) == (1e-300, [0, 1, 2], np.int64)
    assert again.maps["north"].dtype == np.float32
    assert np.isnan(again.error)
    assert [at for at, _ in again.log] == [-np.inf, 1 / 3]
    assert again.log[0][1].tolist()[0] == np.inf
    assert (again.ship, again.name) == ("that", "Cornwall")
    assert to_parts(again, leave=("ship",))[0] == to_parts(coast(), leave=("ship",))[0]


def test_an_array_is_read_with_the_bits_of_its_field() -> None:
    facts, arrays = stored()
    arrays["shores.0.depths"] = np.array([[0.5, 2]], np.float32)
    arrays["shores.2.steps"] = np.array([4], np.int16)
    again = from_parts(Coast, facts, arrays, ship=None)
    assert (again.shores[0].depths.dtype, again.shores[2].steps.dtype) == (np.float64, np.int64)
    assert again.shores[0].depths.flags.writeable


def test_two_paths_of_one_name_are_two_arrays() -> None:
    facts, arrays = to_parts(Nested({"a.b": {"c": np.ones(1)}, "a": {"b.c": np.zeros(1)}}))
    again = from_parts(Nested, facts, arrays)
    assert (again.parts["a.b"]["c"].tolist(), again.parts["a"]["b.c"].tolist()) == ([1], [0])


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda facts, _: facts["shores"][0].update(kind="dune"), "kind 'dune' is not known; know"),
        (lambda facts, _: facts["shores"][0].pop("kind"), "shores: kind None is not known"),
        (lambda facts, _: facts["shores"][0].update(kind="cliff"), "Cliff has no field 'depths'"),
        (lambda facts, _: facts.update(length=3), "Coast has no field 'length'"),
        (lambda facts, _: facts.update(ship="other"), "Coast has no field 'ship'"),
        (lambda facts, _: facts.update(name=""), "a coast without a name"),
        (
            lambda facts, _: facts["maps"].update(north=[1.5]),
            r"maps: received \[1.5\]; expected an",
        ),
        (lambda facts, _: facts["maps"].update(n={"$array": 3}), "there is no array 3"),
        (lambda facts, _: facts["maps"].update(n={"$array": "maps.north"}), "no array 'maps.no"),
        (lambda facts, _: facts["shores"][1].update(height="NaN"), "height: received 'NaN'"),
        (lambda facts, _: facts.update(error="wide"), "error: received 'wide'"),
        (lambda _, arrays: arrays.pop("maps.north"), "maps: there is no array 'maps.north'"),
        (lambda _, arrays: arrays.update(more=np.zeros(1)), "array 'more' is unknown"),
        (
            lambda _, arrays: arrays.update({"shores.2.steps": np.zeros(1)}),
            "holds float64, not int64",
        ),
        (
            lambda _, arrays: arrays.update({"shores.0.depths": np.array([np.nan])}),
            "array 'shores.0.depths' holds what is no finite number",
        ),
        (lambda _, arrays: arrays.update({"maps.north": np.array([1e39])}), "no finite number"),
    ],
)
def test_parts_that_make_no_record_are_refused(change: Any, told: str) -> None:
    facts, arrays = stored()
    change(facts, arrays)
    with pytest.raises((TypeError, ValueError, DataError), match=told):
        from_parts(Coast, facts, arrays, ship=None)


def test_what_is_divided_by_is_above_0_in_any_precision() -> None:
    for kind in (np.float32, np.float64, np.int64, np.bool_):
        assert divides(np.ones(2, kind))
        assert not divides(np.zeros(2, kind))
    assert not divides(np.array([1e-300]))
    assert not divides(np.array([-1.0]))


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
