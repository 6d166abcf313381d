"""JSON follows from the fields of records."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pytest

from assize.results import TEXT, to_json
from assize.results.numbers import LeastP


@dataclass(frozen=True)
class Inner:
    name: str
    value: float


@dataclass(frozen=True)
class Outer:
    rows: Sequence[Inner]
    by_name: Mapping[str, Inner]
    reason: str | None = None
    working: object = field(default=None, repr=False)


def test_a_record_is_an_object_with_its_fields_as_keys() -> None:
    inner = Inner("a", 0.5)
    assert to_json(Outer((inner,), {"a": inner}, working=object())) == {
        "rows": [{"name": "a", "value": 0.5}],
        "by_name": {"a": {"name": "a", "value": 0.5}},
    }


@dataclass(frozen=True)
class Read:
    item: str
    begins: str = field(default="", metadata=TEXT)


def test_what_users_wrote_stands_in_no_json() -> None:
    assert to_json(Read("c1", "Hello")) == {"item": "c1"}


def test_what_numpy_holds_is_plain() -> None:
    assert to_json(np.array([[1.0, np.nan], [np.inf, 2.0]])) == [[1.0, None], [None, 2.0]]
    value = to_json({"n": np.int64(3), "yes": np.bool_(True), "x": np.float64(0.5)})
    assert value == {"n": 3, "yes": True, "x": 0.5}
    assert [type(each) for each in value.values()] == [int, bool, float]


def test_paths_sets_and_generators_are_what_json_has() -> None:
    assert to_json([Path("a/b"), {"y", "x"}, (n for n in (1, 2))]) == ["a/b", ["x", "y"], [1, 2]]


def test_what_json_has_nothing_for_is_an_error() -> None:
    with pytest.raises(TypeError, match="JSON has nothing for a object"):
        to_json({"x": object()})
    with pytest.raises(TypeError, match="JSON has nothing for a bytes"):
        to_json(b"x")
    with pytest.raises(TypeError, match="JSON has no key for a tuple"):
        to_json({("a", 1): 1})


def test_a_p_value_that_its_test_cannot_go_below_says_so() -> None:
    @dataclass(frozen=True)
    class Row:
        p: float

    assert to_json([Row(LeastP(0.005)), Row(0.005)]) == [
        {"p": 0.005, "p_floor": True},
        {"p": 0.005},
    ]
