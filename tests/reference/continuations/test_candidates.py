from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from assize.base.conversation import Continuation, Conversation, Pair, Turn
from assize.base.errors import DataError
from assize.reference._continuations.candidates import joined, randomly
from assize.reference._continuations.cut import Cutting, cut_turns

ASK, REPLY = Turn("user", "Where is the moon?"), Turn("assistant", "Above us.")
CHAT = Conversation("c", (ASK, REPLY, Turn("user", "And the sun?"), Turn("assistant", "Set.")))
SLOTS = cut_turns([CHAT], Cutting()).found


def told(found: list[Continuation]) -> list[tuple[str, str, str | None]]:
    return [(one.id, one.candidate, one.source) for one in found]


def test_another_system_s_turn_is_a_candidate_where_all_before_is_the_same() -> None:
    other = Conversation(
        "x",
        (
            replace(ASK, text="Where is the moon? "),
            Turn("assistant", "Far."),
            Turn("user", "And the sun?"),
            Turn("assistant", "Down."),
        ),
        system="bot",
    )
    assert told(joined(SLOTS, [other])) == [("c/1/bot", "Far.", "bot")]


def test_a_turn_is_no_candidate_beside_itself() -> None:
    assert joined(SLOTS, [CHAT]) == []
    twin = replace(CHAT, id="twin")  # somebody else who says the same
    assert len(joined(SLOTS, [twin])) == 2


def test_continuations_are_found_by_id_before_context() -> None:
    filled = replace(SLOTS[1], context=(), candidate="Gone.", source="m")
    empty = replace(SLOTS[0], candidate=" ")
    assert told(joined(SLOTS, [filled, empty])) == [("c/3/m", "Gone.", "m")]


def test_both_sides_of_a_pair_are_candidates_and_several_of_a_source_are_numbered() -> None:
    pair = Pair(
        "p",
        (ASK,),
        (Turn("assistant", "North."),),
        (Turn("assistant", "South."),),
        metadata={"model_a": "m", "model_b": "m"},
    )
    assert told(joined(SLOTS, [pair, pair])) == [
        ("c/1/m", "North.", "m"),
        ("c/1/m-2", "South.", "m"),
    ]


def test_a_random_candidate_comes_from_any_other_conversation_alike() -> None:
    chats = [Conversation(f"c{n}", (ASK, Turn("assistant", f"r{n}"))) for n in range(4)]
    chats[0] = replace(chats[0], turns=(*chats[0].turns, ASK, Turn("assistant", "r0b")))
    slots = cut_turns(chats, Cutting()).found
    rng, seen = np.random.default_rng(0), []
    for _ in range(600):
        found = randomly(slots, rng)
        assert all(one.candidate not in ("r0", "r0b") for one in found[:2])
        assert {one.source for one in found} == {"random"}
        seen.append(found[2].candidate)  # of c1: r0, r0b, r2, r3, each 150 times
    assert set(seen) == {"r0", "r0b", "r2", "r3"}
    assert all(110 < seen.count(one) < 190 for one in set(seen))  # 4 deviations of 10.6


def test_one_conversation_has_no_other() -> None:
    with pytest.raises(DataError, match="give at least two"):
        randomly(SLOTS, np.random.default_rng(0))
