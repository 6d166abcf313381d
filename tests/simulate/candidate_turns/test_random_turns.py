from __future__ import annotations

from collections import Counter

import pytest

from assize.base.conversation import Continuation, Turn
from assize.base.errors import DataError
from assize.simulate._candidate_turns.random_turns import random_turns as drawn


def slot(chat: str, turn: int, said: str, opening: str | None = None) -> Continuation:
    context = (Turn("user", f"Opening of {opening or chat}"),)
    return Continuation(f"{chat}/{turn}", context, "", (said,), chat, turn)


def random_turns(slots: list[Continuation], seed: int) -> list[str | None]:
    return [None if one is None else one.references[0] for one in drawn(slots, seed)]


SLOTS = [slot(f"c{n}", 1, f"answer {n}") for n in range(4)]


def test_a_turn_is_never_of_its_own_conversation_nor_what_was_said_there() -> None:
    slots = [slot("a", 1, "Yes."), slot("a", 3, "No."), slot("b", 1, "yes. "), slot("b", 3, "Why?")]
    found = random_turns(slots, 0)
    assert found[0] == "Why?"  # b's other turn says what was said in a
    assert found[2] == "No."
    assert found[1] in ("yes. ", "Why?")


def test_a_conversation_under_another_id_is_the_same_one() -> None:
    slots = [slot("a", 1, "one", "x"), slot("b", 1, "two", "x"), slot("c", 1, "three")]
    assert random_turns(slots, 3)[:2] == ["three", "three"]


def test_the_draw_is_even_over_seeds_and_the_same_for_one() -> None:
    """Of three others each is drawn 100 +- 8 times in 300: 5 sd are 41."""
    counts = Counter(random_turns(SLOTS, seed)[0] for seed in range(300))
    assert set(counts) == {"answer 1", "answer 2", "answer 3"}
    assert all(abs(count - 100) < 41 for count in counts.values())
    assert random_turns(SLOTS, 7) == random_turns(SLOTS, 7)


def test_without_another_there_is_none() -> None:
    with pytest.raises(DataError, match="give at least two"):
        random_turns(SLOTS[:1], 0)
    assert random_turns([slot("a", 1, "Yes."), slot("b", 1, "yes.")], 0) == [None, None]
