from __future__ import annotations

from dataclasses import replace

from assize.base.conversation import Continuation, Conversation, Item, Turn
from assize.reference._continuations.cut import HeldTurns, cut_turns
from assize.simulate._candidate_turns.others import answers_of_others

ASK, REPLY = Turn("user", "Where is the moon?"), Turn("assistant", "Above us.")
CHAT = Conversation("c", (ASK, REPLY, Turn("user", "And the sun?"), Turn("assistant", "Set.")))
SLOTS = cut_turns([CHAT], HeldTurns()).found


def joined(others: list[Item]) -> list[Continuation]:
    return [one for some in answers_of_others(SLOTS, others).values() for one in some]


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
    assert told(joined([other])) == [("c/1/bot", "Far.", "bot")]


def test_a_turn_is_no_candidate_beside_itself() -> None:
    assert joined([CHAT]) == []
    twin = replace(CHAT, id="twin")  # somebody else who says the same
    assert len(joined([twin])) == 2


def test_continuations_are_found_by_id_before_context() -> None:
    filled = replace(SLOTS[1], context=(), candidate="Gone.", source="m")
    empty = replace(SLOTS[0], candidate=" ")
    assert told(joined([filled, empty])) == [("c/3/m", "Gone.", "m")]


def test_several_candidates_of_a_source_are_numbered_each_text_once() -> None:
    texts = ("North.", "South.", "North.")
    said = [
        replace(SLOTS[0], id=f"x{n}", candidate=text, source="m") for n, text in enumerate(texts)
    ]
    assert told(joined([*said])) == [("c/1/m", "North.", "m"), ("c/1/m-2", "South.", "m")]
