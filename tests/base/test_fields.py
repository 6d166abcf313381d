from __future__ import annotations

from typing import Any

import pytest

from assize.base.conversation import Conversation, Pair, Turn
from assize.base.fields import inside, names_in, value_at, word_at
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
