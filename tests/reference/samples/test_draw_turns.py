"""Where a model goes on."""

from __future__ import annotations

import numpy as np
import pytest

from assize.base.conversation import Continuation, Conversation, Item, Pair, Turn
from assize.reference._samples.experiment import draw_turns
from assize.reference._samples.result import Group


def talk(id: str, turns: int, first: str = "user") -> Conversation:
    roles = ("user", "assistant") if first == "user" else ("assistant", "user")
    said = tuple(Turn(roles[at % 2], f"{id} {at}") for at in range(turns))  # type: ignore[arg-type]
    return Conversation(id, said)


def test_a_model_goes_on_where_the_user_spoke_last_and_no_tool_did() -> None:
    shown = (Turn("user", "Hi"), Turn("assistant", "Hello"), Turn("user", "How?"))
    items: list[Item] = [
        talk("a", 5),
        talk("greets", 4, first="assistant"),
        Continuation("k1", shown, "So.", (), "b", 3),
        Continuation("k2", shown, "Thus.", (), "b", 3),
        Continuation("said last", shown[:2], "", ()),
        Continuation("tool", (Turn("tool", "42"), Turn("user", "Hi")), "", ()),
        Continuation("blank", (Turn("user", " "),), "", ()),
        Continuation("nothing", (), "", ()),
        Pair("p", shown, (Turn("assistant", "x"),), (Turn("assistant", "y"),)),
    ]
    drawn = draw_turns("random turn", items, 100, np.random.default_rng(0))
    assert sorted((str(one.conversation), one.turn or 0) for one in drawn) == [
        ("a", 1),
        ("a", 3),
        ("b", 3),
        ("greets", 2),
    ]
    (greeting,) = (one for one in drawn if one.conversation == "greets")
    assert [turn.text for turn in greeting.context] == ["greets 0", "greets 1"]
    assert (greeting.candidate, greeting.references) == ("", ())


def test_first_turns_are_one_a_conversation_and_random_ones_from_all() -> None:
    items = [talk(f"c{n}", 9) for n in range(8)]
    first = draw_turns("first turn", items, 5, np.random.default_rng(0))
    assert len({one.conversation for one in first}) == 5
    assert {one.turn for one in first} == {1}
    drawn = draw_turns("random turn", items, 20, np.random.default_rng(0))
    assert len({one.id for one in drawn}) == 20
    assert {one.turn for one in drawn} == {1, 3, 5, 7}
    assert all(len(one.context) == one.turn for one in drawn)
    assert len(draw_turns("random turn", items, 100, np.random.default_rng(0))) == 8 * 4


@pytest.mark.parametrize("kind", ["first turn", "random turn"])
def test_places_hang_on_the_seed_and_not_on_the_order_of_the_file(kind: Group) -> None:
    items = [talk(f"c{n}", 9) for n in range(8)]

    def drawn(given: list[Conversation], seed: int) -> list[str]:
        return [one.id for one in draw_turns(kind, given, 4, np.random.default_rng(seed))]

    assert drawn(items, 1) == drawn(items[::-1], 1) != drawn(items, 2)
