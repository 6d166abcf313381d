"""Conversations cut at their turns: what came before is the context, what was said the reference.

    user ─ assistant ─ user ─ ASSISTANT ─ user ─ ...
    └──────── context ──────┘ └ reference

Turn numbers that a user gives count from 1 over what user and assistant say, as papers do;
`Continuation.turn` counts from 0 over all turns of the conversation, as all of assize does.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from assize.base.conversation import Continuation, Conversation, Turn
from assize.reference._continuations.context import SPEAKERS

Speaker = Literal["assistant", "user", "any"]

FIRST = "nothing was said before it"
EMPTY = "its text is empty"
CALLS = "it calls a tool"


@dataclass(frozen=True, slots=True)
class Cutting:
    """Where conversations are cut.

    Args:
        speaker: whose turns are held out.
        turns: their numbers, from 1 over what user and assistant say; () for all.
        least: turns of user and assistant that a context must hold, at least 1.
    """

    speaker: Speaker = "assistant"
    turns: tuple[int, ...] = ()
    least: int = 1


@dataclass(slots=True)
class Slots:
    """Continuations, what became none, by reason, and of how many contexts they are chosen."""

    found: list[Continuation] = field(default_factory=list)
    passed: Counter[str] = field(default_factory=Counter)
    contexts: int = 0


def cut_turns(conversations: Iterable[Conversation], cutting: Cutting) -> Slots:
    """One continuation a held turn, its candidate empty, in the order of the turns.

    A turn is passed over, and counted, where nothing or too little was said before it, where
    it has no text, or where it calls a tool: its words are then not all that it is. The
    context of a user's turn has the roles exchanged, so that in every continuation the
    assistant is who speaks next.
    """
    slots = Slots()
    for one in conversations:
        slots.found += _of(one, cutting, slots.passed)
    return slots


def _of(chat: Conversation, cutting: Cutting, passed: Counter[str]) -> Iterator[Continuation]:
    spoken = 0
    for place, turn in enumerate(chat.turns):
        if turn.role not in SPEAKERS:
            continue
        spoken += 1
        if cutting.speaker not in ("any", turn.role):
            continue
        if cutting.turns and spoken not in cutting.turns:
            continue
        reason = _reason(turn, spoken - 1, cutting.least)
        if reason is None:
            yield _slot(chat, place)
        else:
            passed[reason] += 1


def _reason(turn: Turn, before: int, least: int) -> str | None:
    """Why a turn cannot be held out; None where it can."""
    if before == 0:
        return FIRST
    if before < least:
        return f"fewer than {least} turns were said before it"
    if "tool_calls" in turn.extra or "function_call" in turn.extra:
        return CALLS
    return None if turn.text.strip() else EMPTY


def _slot(chat: Conversation, place: int) -> Continuation:
    held = chat.turns[place]
    context = chat.turns[:place]
    by = {} if chat.system is None else {"reference_by": chat.system}
    return Continuation(
        f"{chat.id}/{place}",
        exchanged(context) if held.role == "user" else context,
        candidate="",
        references=(held.text,),
        conversation=chat.id,
        turn=place,
        metadata={**chat.metadata, **by},
    )


_OTHER: Mapping[str, Literal["user", "assistant"]] = {"user": "assistant", "assistant": "user"}


def exchanged(turns: Sequence[Turn]) -> tuple[Turn, ...]:
    """The turns with user and assistant in each other's place; others keep their role."""
    return tuple(replace(turn, role=_OTHER.get(turn.role, turn.role)) for turn in turns)
