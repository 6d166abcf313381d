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
    ("item", "field", "found"),
    [
        (TALK, "system", "bot-7"),
        (TALK, "metadata.system", None),
        (TALK, "thumbs", "up"),
        (TALK, "metadata.thumbs", "up"),
        (TALK, "user.plan", "free"),
        (TALK, "metadata.user.plan", "free"),
        (TALK, "a.b", 1),
        (TALK, "absent", None),
        (TALK, "id", "c"),
        (TALK, "turns", None),
        # Metadata come before what stands beside them.
        (Conversation("c", (), metadata={"x": 1}, extra={"x": 2}), "x", 1),
        (Pair("p", (), (), (), metadata={"subset": "x"}), "subset", "x"),
    ],
)
def test_a_field_is_found_wherever_the_log_had_it(
    item: Conversation | Pair, field: str, found: Any
) -> None:
    assert value_at(item, field) == found


def test_words_are_single_values() -> None:
    assert word_at(TALK, "user") is None
    assert word_at(TALK, "a.b") == "1"
    assert inside([], "a") is None
    assert names_in([TALK]) == ["a.b", "bot_version", "thumbs", "user"]


@pytest.mark.parametrize("by", ["thumbs", "metadata.thumbs"])
def test_groups_by_a_field_that_no_format_knows(by: str) -> None:
    other = Conversation("d", (), extra={"thumbs": "down"})
    assert group_units([("c", None), ("d", None)], by, [TALK, other]).names == ("up", "down")


TURNS = (Turn("user", "Hi"), Turn("assistant", "Hello", extra={"thumbs": "up", "by": {"v": 2}}))
CHAT = Conversation(
    "c", TURNS, system="bot", metadata={"lang": "en", "user": {"id": 7}}, extra={"a.b": 1, "n": 0}
)


@pytest.mark.parametrize(
    ("item", "field", "values"),
    [
        (CHAT, "lang", ["en"]),
        (CHAT, "metadata.lang", ["en"]),
        (CHAT, "user.id", [7]),
        (CHAT, "a.b", [1]),
        (CHAT, "n", [0]),
        (CHAT, "system", ["bot"]),
        (CHAT, "turns.thumbs", ["up"]),
        (CHAT, "turns.by.v", [2]),
        (CHAT, "turns", []),
        (CHAT, "user.name", []),
        (CHAT, "lang.x", []),
        # Turns of a pair have no fields of their own.
        (Pair("p", TURNS, TURNS, TURNS), "turns.thumbs", []),
    ],
)
def test_a_path_leads_into_metadata_extra_the_item_or_its_turns(
    item: Conversation | Pair, field: str, values: list[Any]
) -> None:
    assert values_of(item, field) == values


def test_the_message_names_the_fields_that_there_are() -> None:
    error = str(no_field("tone", [CHAT]))
    assert error == (
        "no item has the field 'tone'; there are lang, user.id, a.b, n, system, turns.thumbs,"
        " turns.by.v"
    )
    many = Conversation("d", TURNS[:1], metadata={f"f{number}": 1 for number in range(25)})
    assert "f19 and 5 more" in str(no_field("tone", [many]))
