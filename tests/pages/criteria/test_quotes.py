"""Turns that are quoted beside a criterion."""

from __future__ import annotations

from collections.abc import Iterator

from assize.base.conversation import Conversation, Pair, Turn
from assize.criteria._criterion import Criterion
from assize.pages.criteria.quotes import LONGEST_QUOTE, fitted, quoted, short, wanted

CHAT = Conversation("c", tuple(Turn("user", f"turn {at} says\n hello") for at in range(6)))


def test_turns_are_quoted_in_their_order_and_only_those_that_exist() -> None:
    found = quoted(CHAT, [4, 0, 4, 99, -1])
    assert found.numbers == "turns 0, 4"
    assert [(one.number, one.role, one.text.head) for one in found.quotes] == [
        (0, "user", "turn 0 says hello"),
        (4, "user", "turn 4 says hello"),
    ]


def test_three_turns_are_quoted_and_all_are_named() -> None:
    found = quoted(CHAT, range(6))
    assert len(found.quotes) == 3
    assert found.numbers == "turns 0, 1, 2, 3, 4, 5"


def test_a_long_turn_is_cut() -> None:
    (one,) = quoted(Conversation("c", (Turn("user", "x" * 1000),)), [0]).quotes
    assert one.text.left_out == 1000 - LONGEST_QUOTE


def test_without_the_text_turns_are_numbers() -> None:
    pair = Pair("p", (), (Turn("assistant", "a"),), (Turn("assistant", "b"),))
    for item in (None, pair):
        found = quoted(item, [3])
        assert (found.numbers, found.quotes) == ("turn 3", ())
    assert quoted(None, []).numbers == ""
    assert quoted(None, range(20)).numbers.endswith("11, …")


def test_only_wanted_items_are_kept_and_the_first_of_two() -> None:
    again = Conversation("c", ())
    seen = []

    def stream() -> Iterator[Conversation]:
        for one in (Conversation("other", ()), CHAT, again, Conversation("d", ())):
            seen.append(one)
            yield one

    assert wanted(stream(), ["c", "missing"]) == {"c": CHAT}
    assert len(seen) == 4
    assert wanted(iter([CHAT, again]), ["c"]) == {"c": CHAT}


def test_a_criterion_that_is_a_page_long_is_cut() -> None:
    assert short("Helps  the\nuser.") == "Helps the user."
    found = fitted(Criterion("a", "y" * 5000, "sat"))
    assert len(found.text) < 500
    assert " … " in found.text
