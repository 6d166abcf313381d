from __future__ import annotations

import pytest
from tests.evaluator.talks import Talk

from assize.base.conversation import Continuation, Conversation, Pair, ToolCall, Turn
from assize.base.judgment import Unscored
from assize.evaluator._features.views import (
    BATCH_ITEMS,
    BATCH_SIZE,
    View,
    batched,
    last_turn,
    main_views,
    only_calls,
    turn_views,
    unread_turns,
    whole,
)


def texts(view: View | Unscored) -> list[str] | str:
    """Of the turns; the reason where it is none."""
    return view.reason if isinstance(view, Unscored) else [turn.text for turn in view.turns]


@pytest.mark.parametrize(
    ("lines", "found"),
    [
        (("s: be kind", "u: hi", "a:  ", "t: 42", "a: hello"), ["hi", "hello"]),
        ((), "empty"),
        (("u: hello?",), "no_assistant"),
        (("u: hello?", "a:   "), "empty"),
    ],
)
def test_user_and_assistant_turns_with_text_count_and_without_any_there_is_a_reason(
    talk: Talk, lines: tuple[str, ...], found: list[str] | str
) -> None:
    assert texts(whole(talk("c", *lines).turns)) == found


def test_a_single_turn_is_seen_with_the_turn_before_it(talk: Talk) -> None:
    lines = ("u: one", "a: two", "u: three", "s: note", "a: four", "u: five", "a:  ")
    found = {turn: texts(view) for turn, view in turn_views(talk("c", *lines))}
    assert found == {1: ["one", "two"], 4: ["three", "four"], 6: "empty"}
    assert texts(last_turn((Turn("user", "hi"),))) == "no_assistant"


CONTEXT = (Turn("user", "one"), Turn("assistant", "x"), Turn("user", "two"))


def test_a_continuation_is_its_candidate_in_its_context() -> None:
    (view,) = main_views(Continuation("k", CONTEXT, "y"))
    assert texts(view) == ["two", "y"]
    assert isinstance(view, View)
    assert view.level == "turn"


def test_a_side_of_a_pair_needs_a_response_of_its_own() -> None:
    sides = main_views(Pair("p", CONTEXT, (Turn("assistant", "y"),), ()))
    assert [texts(side) for side in sides] == [["one", "x", "two", "y"], "empty"]


def test_batches_are_bounded_in_items_and_size_and_keep_the_order(talk: Talk) -> None:
    small = [talk(str(number), "u: a", "a: b") for number in range(BATCH_ITEMS + 1)]
    assert [len(batch) for batch in batched(small)] == [BATCH_ITEMS, 1]
    big = [talk(str(number), "a: " + "x" * BATCH_SIZE) for number in range(3)]
    assert [[item.id for item in batch] for batch in batched(big)] == [["0"], ["1"], ["2"]]


def test_turns_of_tools_are_passed_over_and_counted() -> None:
    call = ToolCall("t", "find")
    turns = (
        Turn("user", "hi"),
        Turn("assistant", "", tool_calls=(call,)),
        Turn("tool", "42", tool_call_id="t"),
        Turn("assistant", "It is 42.", tool_calls=(call,)),
    )
    chat = Conversation("c", turns)
    assert texts(whole(turns)) == ["hi", "It is 42."]
    assert [place for place, _ in turn_views(chat)] == [3]
    for item in (chat, Pair("p", turns[:1], turns[1:], turns[3:])):
        assert unread_turns(item) == {"calls": 1, "results": 1}
    assert not unread_turns(Continuation("k", turns[:1], "42"))
    assert [only_calls(turn) for turn in turns] == [False, True, False, False]
