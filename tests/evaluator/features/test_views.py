from __future__ import annotations

from collections.abc import Callable

import pytest

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

Talk = Callable[..., Conversation]


def texts(view: object) -> list[str]:
    assert isinstance(view, View)
    return [turn.text for turn in view.turns]


def test_only_user_and_assistant_turns_with_text_count(talk: Talk) -> None:
    found = whole(talk("c", "s: be kind", "u: hi", "a:  ", "t: 42", "a: hello").turns)
    assert texts(found) == ["hi", "hello"]


@pytest.mark.parametrize(
    ("lines", "reason"),
    [
        ((), "empty"),
        (("u: hello?",), "no_assistant"),
        (("u: hello?", "a:   "), "empty"),
    ],
)
def test_what_cannot_be_judged_has_its_reason(
    talk: Talk, lines: tuple[str, ...], reason: str
) -> None:
    found = whole(talk("c", *lines).turns)
    assert isinstance(found, Unscored)
    assert found.reason == reason
    assert found.message


def test_a_single_turn_is_seen_with_the_turn_before_it(talk: Talk) -> None:
    conversation = talk("c", "u: one", "a: two", "u: three", "s: note", "a: four", "u: five")
    found = dict(turn_views(conversation))
    assert list(found) == [1, 4]
    assert texts(found[1]) == ["one", "two"]
    assert texts(found[4]) == ["three", "four"]


def test_an_empty_assistant_turn_is_unscored_on_its_own(talk: Talk) -> None:
    found = dict(turn_views(talk("c", "u: one", "a:  ", "u: two", "a: three")))
    assert isinstance(found[1], Unscored)
    assert texts(found[3]) == ["two", "three"]


def test_a_continuation_is_its_candidate_in_its_context() -> None:
    item = Continuation(
        "k", (Turn("user", "one"), Turn("assistant", "x"), Turn("user", "two")), "y"
    )
    (view,) = main_views(item)
    assert texts(view) == ["two", "y"]
    assert isinstance(view, View)
    assert view.level == "turn"


def test_a_side_of_a_pair_needs_a_response_of_its_own() -> None:
    context = (Turn("user", "one"), Turn("assistant", "x"), Turn("user", "two"))
    item = Pair("p", context, (Turn("assistant", "y"),), ())
    a, b = main_views(item)
    assert texts(a) == ["one", "x", "two", "y"]
    assert isinstance(b, Unscored)


def test_last_turn_must_be_the_assistants() -> None:
    assert isinstance(last_turn((Turn("user", "hi"),)), Unscored)


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
    assert unread_turns(chat) == {"calls": 1, "results": 1}
    assert unread_turns(Pair("p", turns[:1], turns[1:], turns[3:])) == {"calls": 1, "results": 1}
    assert not unread_turns(Continuation("k", turns[:1], "42"))
    assert only_calls(turns[1])
    assert not only_calls(turns[3])
