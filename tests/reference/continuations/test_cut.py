from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assize.base.conversation import Conversation, Turn
from assize.base.errors import ConfigError
from assize.reference._continuations.cut import CALLS, EMPTY, FIRST, HeldTurns, cut_turns


def chat(*roles: Any, system: str | None = None) -> Conversation:
    """Turns that say `u0`, `a1`, ...: the role's first letter and the place."""
    turns = tuple(Turn(role, f"{role[0]}{place}") for place, role in enumerate(roles))
    return Conversation("c", turns, system=system)


def test_each_turn_of_the_assistant_is_the_reference_of_what_came_before() -> None:
    found = cut_turns(
        [chat("user", "assistant", "user", "assistant", system="bot")], HeldTurns()
    ).found
    assert [one.references for one in found] == [("a1",), ("a3",)]
    assert [(one.id, one.conversation, one.turn, one.candidate) for one in found] == [
        ("c/1", "c", 1, ""),
        ("c/3", "c", 3, ""),
    ]
    assert found[0].metadata == {"reference_by": "bot"}


def test_turn_numbers_count_what_user_and_assistant_say_and_turns_all() -> None:
    spoken = chat("system", "user", "assistant", "tool", "user", "assistant")
    (one,) = cut_turns([spoken], HeldTurns(turns=(4,))).found
    assert (one.turn, one.references) == (5, ("a5",))
    assert [turn.role for turn in one.context] == ["system", "user", "assistant", "tool", "user"]


def test_where_a_user_s_turn_is_held_out_the_roles_are_exchanged() -> None:
    (one,) = cut_turns([chat("user", "assistant", "user")], HeldTurns("user", turns=(3,))).found
    assert [(turn.role, turn.text) for turn in one.context] == [
        ("assistant", "u0"),
        ("user", "a1"),
    ]
    assert one.references == ("u2",)


def test_what_cannot_be_held_out_is_counted_with_its_reason() -> None:
    turns = (
        Turn("assistant", "Hello"),
        Turn("user", "Look it up"),
        Turn("assistant", "wait", extra={"tool_calls": []}),
        Turn("tool", "42"),
        Turn("assistant", "  "),
    )
    done = cut_turns([Conversation("c", turns)], HeldTurns())
    assert done.found == []
    assert done.passed == {FIRST: 1, CALLS: 1, EMPTY: 1}


def test_a_context_may_have_to_be_longer() -> None:
    done = cut_turns([chat("user", "assistant", "user", "assistant")], HeldTurns(least=2))
    assert [one.turn for one in done.found] == [3]
    assert done.passed == {"fewer than 2 turns were said before it": 1}


@given(st.lists(st.sampled_from(["user", "assistant", "system", "tool"]), max_size=12))
def test_a_context_with_its_reference_is_the_conversation_so_far(roles: list[str]) -> None:
    whole = chat(*roles)
    done = cut_turns([whole], HeldTurns())
    for one in done.found:
        assert one.turn is not None
        assert one.context == whole.turns[: one.turn]
        assert one.references == (whole.turns[one.turn].text,)
    assert len(done.found) + done.passed.total() == roles.count("assistant")


@pytest.mark.parametrize(
    "options", [{"speaker": "bot"}, {"turns": [1]}, {"least": 0}, {"turns": "6"}]
)
def test_a_choice_of_turns_that_fits_nothing_is_refused(options: dict[str, Any]) -> None:
    with pytest.raises(ConfigError):
        HeldTurns(**options)
