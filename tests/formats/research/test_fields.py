"""Fields of a raw row, taken or refused by name."""

from __future__ import annotations

from typing import Any

import pytest

from assize.base.errors import DataError
from assize.formats.records import question, to_json
from assize.formats.research.fields import number, optional, ordinal, others, take, unscored


@pytest.mark.parametrize(
    ("kind", "value"), [(dict, {}), (list, []), (str, ""), (int, 0), (bool, False)]
)
def test_an_empty_field_of_the_right_kind_is_taken(kind: type, value: Any) -> None:
    assert take({"a": value}, "a", kind) == value


@pytest.mark.parametrize(
    ("kind", "wanted"),
    [
        (dict, "an object"),
        (list, "a list"),
        (str, "text"),
        (int, "a whole number"),
        (bool, "true/false"),
        (float, "float"),
    ],
)
def test_a_field_of_another_kind_is_refused_by_name(kind: type, wanted: str) -> None:
    with pytest.raises(DataError, match=f"^a: received None; expected {wanted}$"):
        take({"a": None}, "a", kind)


def test_a_missing_field_is_refused_by_name() -> None:
    with pytest.raises(DataError, match=r"^a: is missing$"):
        take({}, "a", str)


def test_a_value_that_is_no_object_has_no_fields() -> None:
    with pytest.raises(DataError, match=r"^expected an object, received \[\]$"):
        take([], "a", list)


def test_a_long_value_is_cut_short_in_the_message() -> None:
    with pytest.raises(DataError, match=r"^a: received 'x{59}\.\.\.; expected a list$"):
        take({"a": "x" * 99}, "a", list)


@pytest.mark.parametrize("value", [{}, {"a": None}])
def test_an_optional_field_may_be_absent_or_null(value: dict[str, Any]) -> None:
    assert optional(value, "a", str) is None


def test_an_optional_field_of_another_kind_is_refused() -> None:
    with pytest.raises(DataError, match=r"^a: received 1; expected text$"):
        optional({"a": 1}, "a", str)


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
