from __future__ import annotations

from dataclasses import replace

from assize.base.conversation import Continuation, Conversation, Pair, Turn
from assize.reference._continuations.candidates import joined
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
