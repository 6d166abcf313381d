"""Conversations, pairs and continuations as values."""

from __future__ import annotations

from assize.base.conversation import Pair, Turn

QUESTION, YES, NO = Turn("user", "Is it?"), Turn("assistant", "Yes."), Turn("assistant", "No.")


def test_the_sides_of_a_pair_are_whole_conversations() -> None:
    a, b = Pair("p", (QUESTION,), (YES,), (NO,), metadata={"corpus": "x"}).sides()
    assert (a.id, a.turns) == ("p/A", (QUESTION, YES))
    assert (b.id, b.turns) == ("p/B", (QUESTION, NO))
    assert a.metadata == {"corpus": "x"}
