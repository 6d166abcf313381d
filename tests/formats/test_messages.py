"""What the chat-log formats share: roles, ids, and fields that assize does not know."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from assize.base.conversation import Pair, Reference, Role, Turn
from assize.base.errors import DataError, shorten
from assize.formats import write
from assize.formats.messages import (
    ROLE_ALIASES,
    common_start,
    list_at,
    message_fields,
    object_at,
    record_id,
    role,
    role_name,
    split_metadata,
    text_at,
    turn,
)
from assize.formats.rows import Row

SOURCES = [{"id": "1", "title": "T", "text": "So.", "url": "u"}]


@pytest.mark.parametrize(
    ("rest", "expected"),
    [
        ({}, Turn("user", "hi")),
        (
            {"text": "other", "weight": 0},
            Turn("user", "hi", extra={"fields": {"text": "other"}, "weight": 0}),
        ),
        (
            {"references": SOURCES},
            Turn("user", "hi", (Reference("1", "T", "So.", {"url": "u"}),)),
        ),
        # References of another shape are kept as they stand.
        *(
            ({"references": value}, Turn("user", "hi", extra={"fields": {"references": value}}))
            for value in ("see above", [{"title": "T"}], [{"id": "1", "text": 3}])
        ),
    ],
    ids=str,
)
def test_further_fields_of_a_message_are_the_turn_s_or_stand_apart_and_come_back(
    rest: dict[str, Any], expected: Turn
) -> None:
    assert turn("human", "hi", rest, "role", USUAL.values()) == expected
    assert message_fields(expected) == rest


def test_an_unusual_name_of_a_role_is_written_back_while_it_fits_the_role() -> None:
    read_as = turn("Human", "hi", {}, "role", USUAL.values())
    assert (read_as.role, role_name(read_as, USUAL)) == ("user", "Human")
    assert role_name(replace(read_as, role="assistant"), USUAL) == "gpt"


USUAL: dict[Role, str] = {
    "user": "human",
    "assistant": "gpt",
    "system": "system",
    "tool": "tool",
}


@pytest.mark.parametrize("name", ROLE_ALIASES)
def test_a_role_s_name_is_read_in_any_case_and_between_blanks(name: str) -> None:
    assert role(f" {name.upper()} ", "role") == ROLE_ALIASES[name]


@pytest.mark.parametrize("name", ["wizard", "", None, 7])
def test_a_name_that_is_no_role_lists_the_known(name: Any) -> None:
    with pytest.raises(DataError, match=r"^m\.role: received .*; known names .* user, human"):
        role(name, "m.role")


@pytest.mark.parametrize(
    ("source", "given", "id"),
    [
        ("logs/day.v2.jsonl", None, "day-3"),
        ("-", None, "stdin-3"),
        ("-", "", "stdin-3"),
        (".hidden", None, ".hidden-3"),
        ("x", 0, "0"),
    ],
)
def test_a_record_without_an_id_is_named_by_its_place(source: str, given: Any, id: str) -> None:
    assert record_id(Row({}, source, 3), given) == id


def test_unknown_fields_are_kept_and_those_named_as_a_record_s_own_become_metadata() -> None:
    row = {"messages": [], "temperature": 0.2, "turn": 4, "judge": "x"}
    assert split_metadata(row, {"messages"}) == ({"turn": 4, "judge": "x"}, {"temperature": 0.2})


def test_a_long_value_is_cut_short_in_messages() -> None:
    assert shorten("x" * 58) == "'" + "x" * 58 + "'"
    assert shorten("x" * 59) == "'" + "x" * 59 + "..."


@pytest.mark.parametrize(
    ("a", "b", "shared"), [("xy", "xz", 1), ("xyz", "xyz", 2), ("x", "xyz", 0), ("x", "y", 0)]
)
def test_two_dialogues_share_their_beginning_and_each_keeps_a_turn(
    a: str, b: str, shared: int
) -> None:
    sides = [[Turn("user", text) for text in side] for side in (a, b)]
    assert common_start(*sides) == shared


def test_the_preferred_side_is_written_as_chosen(tmp_path: Path) -> None:
    a, b = (Turn("assistant", "first"),), (Turn("assistant", "second"),)
    write(tmp_path / "x", [Pair("p", (Turn("user", "q"),), a, b, gold="B")], format="trl")
    row = json.loads((tmp_path / "x").read_text())
    assert row["prompt"] == [{"role": "user", "content": "q"}]
    assert row["chosen"] == [{"role": "assistant", "content": "second"}]


@pytest.mark.parametrize("gold", [None, "tie", {"overall": "A"}], ids=str)
def test_a_pair_without_a_better_side_is_refused(gold: Any, tmp_path: Path) -> None:
    pair = Pair("p", (), (Turn("assistant", "a"),), (Turn("assistant", "b"),), gold=gold)
    with pytest.raises(DataError, match=r"gold: received .* can only say that A or B is better"):
        write(tmp_path / "x", [pair], format="trl")


@pytest.mark.parametrize(
    ("take", "value", "wanted"),
    [
        (object_at, [1], "an object"),
        (list_at, {}, "a list of messages"),
        (list_at, [], "a list of messages"),
        (text_at, 1, "text"),
    ],
)
def test_a_value_of_another_kind_is_refused_with_its_field(
    take: Any, value: Any, wanted: str
) -> None:
    with pytest.raises(DataError, match=f"^a.b: received .*; expected {wanted}$"):
        take(value, "a.b")
