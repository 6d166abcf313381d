"""Fields of items by a dotted path, and the message where no item has one."""

from __future__ import annotations

from typing import Any

import pytest

from assize.base.conversation import Conversation, Pair, Turn
from assize.formats.item_fields import no_field, values_of

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
