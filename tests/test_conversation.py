"""Conversations, pairs and continuations as values."""

from __future__ import annotations

from dataclasses import FrozenInstanceError

import pytest

from assize.conversation import Conversation, Pair, Turn
from assize.errors import DataError
from assize.formats import parse

QUESTION, YES, NO = Turn("user", "Is it?"), Turn("assistant", "Yes."), Turn("assistant", "No.")


def test_the_sides_of_a_pair_are_whole_conversations() -> None:
    pair = Pair("p", (QUESTION,), (YES,), (NO,), metadata={"corpus": "x"})
    a, b = pair.sides()
    assert (a.id, a.turns) == ("p/A", (QUESTION, YES))
    assert (b.id, b.turns) == ("p/B", (QUESTION, NO))
    assert a.metadata == {"corpus": "x"}


def test_records_cannot_be_changed() -> None:
    with pytest.raises(FrozenInstanceError):
        Conversation("c", (QUESTION,)).id = "d"  # type: ignore[misc]


def test_shared_users_turns_are_verified_on_reading() -> None:
    said = {"role": "user", "text": "a"}
    other = {"role": "user", "text": "b"}
    value = {"id": "p", "a": [said], "b": [said], "shared_user": True}
    assert parse(value) == Pair("p", (), (Turn("user", "a"),), (Turn("user", "a"),), True)
    with pytest.raises(DataError, match="shared_user: says true, but the user's turns differ"):
        parse(value | {"b": [other]})


@pytest.mark.parametrize("gold", ["A", "B", "tie", "Fair", None, {"q": "A", "n": 3}])
def test_gold_is_a_preference_or_one_a_question(gold: object) -> None:
    turn = {"role": "assistant", "text": "x"}
    pair = parse({"id": "p", "a": [turn], "b": [turn], "gold": gold})
    assert isinstance(pair, Pair)
    expected = {"Fair": "tie"}.get(gold, gold) if isinstance(gold, str) else gold
    assert pair.gold == ({"q": "A", "n": "3"} if isinstance(gold, dict) else expected)


def test_a_number_is_fine_as_an_id() -> None:
    record = parse({"id": 7, "turns": [{"role": "user", "text": "hi"}]})
    assert record == Conversation("7", (Turn("user", "hi"),))
