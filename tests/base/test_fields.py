from __future__ import annotations

from typing import Any

import pytest

from assize.base.conversation import Conversation, Pair, Turn
from assize.base.fields import inside, names_in, no_field, value_at, values_of, word_at
from assize.judgments.membership import group_units

TALK = Conversation(
    "c",
    (Turn("user", "Hi"),),
    "bot-7",
    {"user": {"plan": "free"}, "a.b": 1},
    {"thumbs": "up", "bot_version": "v2"},
)


@pytest.mark.parametrize(
    ("field", "found"),
    [
        ("system", "bot-7"),
        ("metadata.system", None),
        ("thumbs", "up"),
        ("metadata.thumbs", "up"),
        ("user.plan", "free"),
        ("metadata.user.plan", "free"),
        ("a.b", 1),
        ("absent", None),
        ("id", "c"),
        ("turns", None),
    ],
)
def test_a_field_is_found_wherever_the_log_had_it(field: str, found: Any) -> None:
    assert value_at(TALK, field) == found


def test_metadata_comes_before_what_is_beside() -> None:
    assert value_at(Conversation("c", (), metadata={"x": 1}, extra={"x": 2}), "x") == 1


def test_words_are_single_values() -> None:
    assert word_at(TALK, "user") is None
    assert word_at(TALK, "a.b") == "1"
    assert inside([], "a") is None
    assert names_in([TALK]) == ["a.b", "bot_version", "thumbs", "user"]


@pytest.mark.parametrize("by", ["thumbs", "metadata.thumbs"])
def test_groups_by_a_field_that_no_format_knows(by: str) -> None:
    other = Conversation("d", (), extra={"thumbs": "down"})
    assert group_units([("c", None), ("d", None)], by, [TALK, other]).names == ("up", "down")


def test_pairs_have_fields_too() -> None:
    pair = Pair(
        "p", (), (Turn("assistant", "a"),), (Turn("assistant", "b"),), metadata={"subset": "x"}
    )
    assert value_at(pair, "subset") == "x"


TURNS = (Turn("user", "Hi"), Turn("assistant", "Hello", extra={"thumbs": "up", "by": {"v": 2}}))
CHAT = Conversation(
    "c", TURNS, system="bot", metadata={"lang": "en", "user": {"id": 7}}, extra={"a.b": 1, "n": 0}
)


@pytest.mark.parametrize(
    ("field", "values"),
    [
        ("lang", ["en"]),
        ("metadata.lang", ["en"]),
        ("user.id", [7]),
        ("a.b", [1]),
        ("n", [0]),
        ("system", ["bot"]),
        ("turns.thumbs", ["up"]),
        ("turns.by.v", [2]),
        ("turns", []),
        ("user.name", []),
        ("lang.x", []),
    ],
)
def test_a_path_leads_into_metadata_extra_the_item_or_its_turns(
    field: str, values: list[Any]
) -> None:
    assert values_of(CHAT, field) == values


def test_turns_of_a_pair_have_no_fields_of_their_own() -> None:
    assert values_of(Pair("p", TURNS, TURNS, TURNS), "turns.thumbs") == []


def test_the_message_names_the_fields_that_there_are() -> None:
    error = str(no_field("tone", [CHAT]))
    assert error == (
        "no item has the field 'tone'; there are lang, user.id, a.b, n, system, turns.thumbs,"
        " turns.by.v"
    )
    many = Conversation("d", TURNS[:1], metadata={f"f{number}": 1 for number in range(25)})
    assert "f19 and 5 more" in str(no_field("tone", [many]))
