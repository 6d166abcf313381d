from __future__ import annotations

from assize.base.conversation import Continuation, Conversation, Item, Pair, Turn
from assize.reference._continuations.context import context_key, conversation_names, place_of

HI, YES, MORE = Turn("user", "Hi"), Turn("assistant", "Yes?"), Turn("user", "Help")


def test_a_context_is_the_same_by_role_and_text_alone() -> None:
    assert context_key([HI]) == context_key([Turn("user", "\nHi ", extra={"at": 1})])
    assert context_key([HI]) != context_key([Turn("assistant", "Hi")])
    assert context_key([HI]) != context_key([Turn("user", "hi")])
    assert context_key([HI, YES]) != context_key([Turn("user", "HiYes?")])


def test_every_item_is_of_the_conversation_that_it_names() -> None:
    side = (YES,)
    items: list[Item] = [
        Conversation("c", (HI,)),
        Continuation("k", (HI,), "x", conversation="d"),
        Pair("p", (HI,), side, side, metadata={"conversation": 7}),
        Pair("q", (), side, side, metadata={"conversation": True}),
    ]
    assert conversation_names(items) == ["c", "d", "7", "q"]


def test_what_names_none_is_told_by_its_context() -> None:
    side = (YES,)
    first, second = Pair("p", (HI,), side, side), Pair("q", (HI,), side, side)
    early, late = Continuation("1", (HI,), "x"), Continuation("2", (HI, YES, MORE), "x")
    other = Continuation("3", (MORE,), "x")
    found = conversation_names([first, second, early, late, other])
    assert found[0] == found[1]
    assert found[2] == found[3] != found[4]


def test_a_place_is_a_turn_of_the_conversation_named_or_of_the_context() -> None:
    named = Continuation("k", (HI,), "x", conversation="d", turn=4)
    places = [place_of(one) for one in (named, Continuation("1", (HI,), "x"))]
    assert places == [("d", 4), (context_key([HI]), 1)]
