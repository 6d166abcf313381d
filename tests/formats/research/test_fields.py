"""Fields of a raw row, taken or refused by name."""

from __future__ import annotations

from typing import Any

import pytest

from assize.base.errors import DataError
from assize.formats.records import question, to_json
from assize.formats.research.fields import number, optional, ordinal, others, take, unscored

EMPTY: tuple[Any, ...] = ({}, [], "", 0, False)


@pytest.mark.parametrize(
    ("how", "value", "kind", "expected"),
    [
        *((take, {"a": empty}, type(empty), empty) for empty in EMPTY),
        (optional, {}, str, None),
        (optional, {"a": None}, str, None),
    ],
)
def test_an_empty_field_of_the_right_kind_is_taken(
    how: Any, value: Any, kind: type, expected: Any
) -> None:
    assert how(value, "a", kind) == expected


@pytest.mark.parametrize(
    ("how", "value", "kind", "problem"),
    [
        (take, {"a": None}, dict, "a: received None; expected an object"),
        (take, {"a": None}, list, "a: received None; expected a list"),
        (take, {"a": None}, str, "a: received None; expected text"),
        (take, {"a": None}, int, "a: received None; expected a whole number"),
        (take, {"a": None}, bool, "a: received None; expected true/false"),
        (take, {"a": None}, float, "a: received None; expected float"),
        (take, {}, str, "a: is missing"),
        (take, [], list, r"expected an object, received \[\]"),
        (take, {"a": "x" * 99}, list, r"a: received 'x{59}\.\.\.; expected a list"),
        (optional, {"a": 1}, str, "a: received 1; expected text"),
    ],
)
def test_another_value_is_refused_by_name(how: Any, value: Any, kind: type, problem: str) -> None:
    with pytest.raises(DataError, match=f"^{problem}$"):
        how(value, "a", kind)


def test_metadata_leaves_out_what_was_used_or_is_null_but_not_what_is_false() -> None:
    assert others({"a": 1, "b": None, "c": False, "d": 0}, {"a"}) == {"c": False, "d": 0}


def test_whole_numbers_are_their_own_values() -> None:
    assert ordinal("q", "?", (0, 1, 2)).values == (0.0, 1.0, 2.0)


def test_a_question_says_which_way_is_better_and_survives_a_file() -> None:
    for asked in (ordinal("q", "?", (1, 2)), number("q", "?", 0, 1)):
        assert question(to_json(asked)) == asked
        assert to_json(asked)["higher"] == "better"


def test_what_a_source_lacks_is_unscored_with_its_reason() -> None:
    assert unscored("no cell") == {"unscored": {"reason": "missing", "message": "no cell"}}
