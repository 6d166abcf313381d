"""Places at which a model goes on: open-ended questions, first turns, random turns."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from assize.base.conversation import Continuation, Conversation, Item, Turn
from assize.judging.boundary import sayable
from assize.models import Message

Group = Literal["open-ended", "first turn", "random turn"]
GROUPS: tuple[Group, ...] = ("open-ended", "first turn", "random turn")
_SENT = ("user", "assistant", "system")


@dataclass(frozen=True, slots=True)
class Place:
    """What is said before a turn that a model writes.

    Args:
        id: of the place in its group.
        conversation: which one; of a question itself.
        turn: of the turn that is written, counted from 0.
    """

    group: Group
    id: str
    context: tuple[Turn, ...]
    conversation: str
    turn: int

    def messages(self) -> tuple[Message, ...]:
        """The context as a model is sent it, with nothing added."""
        return tuple(
            Message(turn.role, sayable(turn.text))
            for turn in self.context
            if turn.role != "tool"  # for mypy: `can_go_on` let none pass
        )


def questions_as_places(questions: Sequence[str]) -> list[Place]:
    """Each question as the one turn of a conversation."""
    return [
        Place("open-ended", f"open-ended/{n}", (Turn("user", text),), f"question {n}", 1)
        for n, text in enumerate(questions, start=1)
    ]


def can_go_on(context: Sequence[Turn]) -> bool:
    """Whether an assistant's turn can follow: the last turn is the user's, and none is a tool's."""
    spoken = bool(context) and context[-1].role == "user" and bool(context[-1].text.strip())
    return spoken and all(turn.role in _SENT for turn in context)


def contexts_of(items: Iterable[Item]) -> dict[str, dict[int, tuple[Turn, ...]]]:
    """By conversation and turn, what stands before each assistant turn that a model could write.

    A conversation has one before each of its assistant turns; a continuation or a pair has its
    context. Conversations without any are left out.
    """
    found: dict[str, dict[int, tuple[Turn, ...]]] = {}
    for item in items:
        for name, turn, context in _contexts(item):
            if can_go_on(context):
                found.setdefault(name, {}).setdefault(turn, context)
    return found


def _contexts(item: Item) -> list[tuple[str, int, tuple[Turn, ...]]]:
    if isinstance(item, Conversation):
        return [
            (item.id, at, item.turns[:at])
            for at, turn in enumerate(item.turns)
            if turn.role == "assistant"
        ]
    named = item.conversation if isinstance(item, Continuation) else None
    turn = item.turn if isinstance(item, Continuation) else None
    at = len(item.context) if turn is None else turn
    return [(item.id if named is None else named, at, item.context)]


def draw_turns(
    group: Group, items: Iterable[Item], n: int, rng: np.random.Generator
) -> list[Place]:
    """`n` assistant turns drawn at random, at most all: of all of them, or of the first ones.

    The paper does not say how turns were drawn.

    Args:
        group: `first turn` draws conversations, and takes the first turn of each.
    """
    turns = [
        (name, turn, context)
        for name, places in contexts_of(items).items()
        for turn, context in places.items()
        if group != "first turn" or turn == min(places)
    ]
    ordered = sorted(turns, key=lambda place: place[:2])  # whatever the order of the file
    chosen = [ordered[index] for index in rng.permutation(len(ordered))[:n]]
    return [
        Place(group, f"{group}/{name}/{turn}", context, name, turn)
        for name, turn, context in chosen
    ]
