"""Conversations, pairs and continuations as values."""

from __future__ import annotations

from dataclasses import FrozenInstanceError

import pytest

from assize.base.conversation import Conversation, Pair, Turn

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
