"""What a body may use of an item, and that it stays inside its boundary."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from assize.base.conversation import Continuation, Conversation, Pair, Turn
from assize.base.errors import DataError
from assize.judging.boundary import texts_of
from assize.judging.own.shown import Shown, check_shown, names_of, probe, shown_values
from assize.judging.prompting import values_of
from assize.models import Message

SAID = (Turn("user", "Hi"), Turn("assistant", "Hello"))


def values(item: Any) -> dict[str, Any]:
    return shown_values(values_of(item, "K7"))


def test_turns_print_fenced_and_can_still_be_counted_and_sliced() -> None:
    shown = Shown.of("K7", "A", SAID, 2)
    assert str(shown).splitlines()[:3] == ["[K7] BEGIN A", "[K7] A, turn 2, user:", "Hi"]
    assert len(shown) == 2
    assert shown[-1:] == SAID[-1:]


def test_every_kind_of_item_has_its_names() -> None:
    assert str(values(Conversation("c", SAID))["conversation"]).endswith("END conversation\n")
    pair = values(Pair("p", SAID, SAID[1:], SAID[1:]))
    assert "[K7] A, turn 2, assistant:" in str(pair["a"])
    assert "[K7] B, turn 2, assistant:" in str(pair["b"])
    made = values(Continuation("k", SAID[:1], "Yes", ("No",)))
    assert "[K7] response, turn 1, assistant:\nYes" in str(made["candidate"])
    assert "No" in str(made["references"])
    for takes in ("conversation", "pair", "continuation"):
        assert set(values(probe(takes))) <= set(names_of(takes))
        assert len(set(texts_of(probe(takes)))) == len(texts_of(probe(takes)))


def filling(make: Callable[[Mapping[str, Any]], str]) -> Any:
    def fill(given: Mapping[str, Any]) -> tuple[Message, Message]:
        return Message("system", "s"), Message("user", make(shown_values(given)))

    return fill


def test_what_is_judged_must_be_shown_and_inside_its_boundary() -> None:
    def check(takes: str, make: Callable[[Mapping[str, Any]], str]) -> None:
        check_shown(takes, filling(make), DataError)

    check("conversation", lambda one: f"{one['conversation']}")
    check("conversation", lambda one: one["fence"]("end", one["conversation"][-1:]))
    check("pair", lambda one: f"{one['a']}{one['b']}")
    for takes, make, told in (
        ("conversation", lambda _: "Is it good?", r"does not show .* write \{\{ conversation \}\}"),
        ("pair", lambda one: f"{one['context']}{one['a']}", r"write \{\{ b \}\}"),
        ("continuation", lambda one: f"{one['context']}", r"write \{\{ candidate \}\}"),
        ("pair", lambda one: f"{one['a']}{one['b']}{one['a'][0].text}", "shows a outside its"),
        ("conversation", lambda one: repr(one["conversation"][:1]), "shows conversation outside"),
    ):
        with pytest.raises(DataError, match=told):
            check(takes, make)
