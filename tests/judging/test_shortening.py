"""What is left out of items that are too long, and what always stays."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assize.base.conversation import (
    Continuation,
    Conversation,
    Item,
    Pair,
    Reference,
    ToolCall,
    Turn,
)
from assize.judging.shortening import shorten


def turns(*lengths: int) -> tuple[Turn, ...]:
    """The assistant's, so that no question has to stay."""
    return tuple(Turn("assistant", "x" * length) for length in lengths)


QUESTION, ANSWER = Turn("user", "q" * 100), Turn("assistant", "a" * 100)
LONG = turns(500)
TOOLS = (
    Turn("assistant", "", tool_calls=(ToolCall("t1", "search", {"q": "tea"}),)),
    Turn("tool", "green", tool_call_id="t1"),
)
SOURCE = Turn("assistant", "", (Reference("1", "", "y" * 900),))


def said(*context: Turn) -> Continuation:
    return Continuation("k", context, "candidate", ("human",))


@pytest.mark.parametrize(
    ("item", "limit", "needed", "expected"),
    [
        # 400 of 1,000 characters fit: 0.95 x 0.4 x 1,000 = 380 stay, which three of 100 do.
        (
            Conversation("c", turns(*[100] * 10)),
            400,
            1000,
            (Conversation("c", turns(*[100] * 3)), 7),
        ),
        # Without numbers three tenths go.
        (
            Conversation("c", turns(*[100] * 10)),
            None,
            None,
            (Conversation("c", turns(*[100] * 7)), 3),
        ),
        # A pair loses context first, and never what is judged.
        (Pair("p", turns(100, 100), LONG, LONG), 100, 1200, (Pair("p", (), LONG, LONG), 2)),
        (Pair("p", (), LONG, LONG), 100, 1000, None),
        # Two whole dialogues lose their oldest turns together.
        (
            Pair("p", (), turns(*[100] * 4), turns(*[100] * 6)),
            500,
            1000,
            (Pair("p", (), turns(100), turns(*[100] * 3)), 6),
        ),
        # The last user's turn stays in front of what answers it.
        (
            Pair("p", (*turns(100, 100), QUESTION), LONG, LONG),
            100,
            1300,
            (Pair("p", (QUESTION,), LONG, LONG), 2),
        ),
        (Pair("p", (QUESTION,), LONG, LONG), 100, 1100, None),
        (said(*turns(100), QUESTION), 10, 1000, (said(QUESTION), 1)),
        (
            Conversation("c", (*turns(100), QUESTION, ANSWER, ANSWER)),
            10,
            1000,
            (Conversation("c", (QUESTION, ANSWER, ANSWER)), 1),
        ),
        # Two whole dialogues keep their last user's turns.
        (
            Pair("p", (), (QUESTION, ANSWER) * 2, (QUESTION, ANSWER) * 3),
            10,
            1000,
            (Pair("p", (), (QUESTION, ANSWER), (QUESTION, ANSWER) * 2), 4),
        ),
        (Pair("p", (), (QUESTION, ANSWER), (QUESTION, ANSWER) * 2), 10, 1000, None),
        # Turns of tools go like others.
        (
            Conversation("c", (*TOOLS, QUESTION, ANSWER)),
            10,
            400,
            (Conversation("c", (QUESTION, ANSWER)), 2),
        ),
        # Sources count, and a candidate stays.
        (said(SOURCE, *turns(50)), 100, 1000, (said(*turns(50)), 1)),
    ],
)
def test_the_oldest_turns_go_until_the_rest_fits(
    item: Item, limit: int | None, needed: int | None, expected: tuple[Item, int] | None
) -> None:
    assert shorten(item, limit, needed) == expected


@given(st.lists(st.integers(0, 300), min_size=1, max_size=12), st.integers(1, 999))
def test_each_step_leaves_something_out_until_one_turn_is_left(
    lengths: list[int], limit: int
) -> None:
    item = Conversation("c", turns(*lengths))
    left = len(lengths)
    while (found := shorten(item, limit, 1000)) is not None:
        item, count = found  # type: ignore[assignment]
        assert count > 0
        left -= count
        assert len(item.turns) == left >= 1
    assert left == 1
