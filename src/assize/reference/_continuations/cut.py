"""Conversations cut at their turns: what came before is the context, what was said the reference.

    user ─ assistant ─ user ─ ASSISTANT ─ user ─ ...
    └──────── context ──────┘ └ reference

Turn numbers that a user gives count from 1 over what user and assistant say, as papers do;
`Continuation.turn` counts from 0 over all turns of the conversation, as all of assize does.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from assize.base.arguments import check_range, check_word
from assize.base.conversation import Continuation, Conversation, Turn
from assize.reference._continuations.context import SPEAKERS

Speaker = Literal["assistant", "user", "any"]

FIRST = "nothing was said before it"
EMPTY = "its text is empty"
CALLS = "it calls a tool"


@dataclass(frozen=True, slots=True)
class HeldTurns:
    """Which turns of a conversation are held out.

    Args:
        speaker: whose turns to hold out: assistant, user, or any.
        turns: only these turns, counted from 1 over all user and assistant turns, as papers do
            (repeatable). The record's own `turn` counts from 0 over all turns.
        least: minimum number of user and assistant turns before a candidate.

    Raises:
        ConfigError: a choice is not among those allowed.
    """

    speaker: Speaker = "assistant"
    turns: Sequence[int] = ()
    least: int = 1

    def __post_init__(self) -> None:
        check_word("speaker", self.speaker, ("assistant", "user", "any"))
        check_range("least", self.least, 1)
        for number in self.turns:
            check_range("turns", number, 2)


@dataclass(slots=True)
class Slots:
    """Continuations without a candidate, and turns that became none, by reason."""

    found: list[Continuation] = field(default_factory=list)
    passed: Counter[str] = field(default_factory=Counter)


def cut_turns(conversations: Iterable[Conversation], held: HeldTurns) -> Slots:
    """One continuation a held turn, its candidate empty, in the order of the turns.

    A turn is passed over, and counted, where nothing or too little was said before it, where
    it has no text, or where it calls a tool: its words are then not all that it is. The
    context of a user's turn has the roles exchanged, so that in every continuation the
    assistant is who speaks next.
    """
    slots = Slots()
    for chat in conversations:
        spoken = [place for place, turn in enumerate(chat.turns) if turn.role in SPEAKERS]
        for before, place in enumerate(spoken):
            turn = chat.turns[place]
            if held.speaker not in ("any", turn.role):
                continue
            if held.turns and before + 1 not in held.turns:
                continue
            reason = _reason(turn, before, held.least)
            if reason is None:
                slots.found.append(_slot(chat, place))
            else:
                slots.passed[reason] += 1
    return slots


def _reason(turn: Turn, before: int, least: int) -> str | None:
    """Why a turn cannot be held out, the first reason that holds; None where it can."""
    reasons = {
        FIRST: before == 0,
        f"fewer than {least} turns were said before it": before < least,
        CALLS: "tool_calls" in turn.extra or "function_call" in turn.extra,
        EMPTY: not turn.text.strip(),
    }
    return next((reason for reason, holds in reasons.items() if holds), None)


_OTHER: Mapping[str, Literal["user", "assistant"]] = {"user": "assistant", "assistant": "user"}


def _slot(chat: Conversation, place: int) -> Continuation:
    held, context = chat.turns[place], chat.turns[:place]
    if held.role == "user":  # user and assistant in each other's place; others keep their role
        context = tuple(replace(turn, role=_OTHER.get(turn.role, turn.role)) for turn in context)
    by = {} if chat.system is None else {"reference_by": chat.system}
    return Continuation(
        f"{chat.id}/{place}",
        context,
        candidate="",
        references=(held.text,),
        conversation=chat.id,
        turn=place,
        metadata={**chat.metadata, **by},
    )
