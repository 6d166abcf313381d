"""Turns as a page shows them: who speaks, what they said, their sources, folded tool calls.

Nothing of it tells which system spoke: names of assistants, metadata and what a log holds
besides are left out.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from assize.conversation import Pair, Reference, ToolCall, Turn
from assize.fields import value_at
from assize.judgment import Order

_SPEAKERS = {"user": "User", "assistant": "Assistant", "system": "Instructions", "tool": "Tool"}


@dataclass(frozen=True, slots=True)
class ShownCall:
    """A call of a tool; `arguments` are JSON as text."""

    name: str
    arguments: str


@dataclass(frozen=True, slots=True)
class ShownTurn:
    """One turn.

    Args:
        number: of the turn, from 0 over all turns of the item: of a pair context, a and b.
        who: for people: User, Assistant, ...
        folded: whether it is shown closed at first: what a tool answered, and instructions.
    """

    number: int
    role: str
    who: str
    text: str
    references: tuple[Reference, ...] = ()
    calls: tuple[ShownCall, ...] = ()
    folded: bool = False


@dataclass(frozen=True, slots=True)
class ShownSide:
    """One side of a pair: as people see it `A` is the first, whichever it really is."""

    name: str
    turns: tuple[ShownTurn, ...]


def shown_turns(turns: Sequence[Turn], first: int = 0) -> tuple[ShownTurn, ...]:
    """Turns as they are shown.

    Args:
        first: the number of the first one.
    """
    users = {one.name for one in turns if one.role == "user" and one.name}
    return tuple(
        _shown(number, one, several_users=len(users) > 1)
        for number, one in enumerate(turns, start=first)
    )


def shown_sides(pair: Pair, order: Order | None) -> tuple[ShownSide, ShownSide]:
    """Both sides of a pair in the order in which they are shown."""
    before = len(pair.context)
    a, b = shown_turns(pair.a, before), shown_turns(pair.b, before + len(pair.a))
    first, second = (b, a) if order == "BA" else (a, b)
    return ShownSide("A", first), ShownSide("B", second)


def information_need(item: Any, name: str) -> str:
    """What the user wants, as a field of the item's metadata says; "" where it does not.

    >>> from assize import Conversation
    >>> information_need(Conversation("c", (), metadata={"topic": "keys"}), "topic")
    'keys'
    """
    if not name:
        return ""
    found = value_at(item, f"metadata.{name.removeprefix('metadata.')}")
    return "" if found is None else str(found)


def _shown(number: int, turn: Turn, *, several_users: bool) -> ShownTurn:
    who = _SPEAKERS[turn.role]
    if turn.role == "tool" and turn.name:
        who = f"Tool {turn.name}"
    elif turn.role == "user" and several_users and turn.name:
        who = f"User {turn.name}"
    return ShownTurn(
        number, turn.role, who, turn.text, turn.references,
        tuple(map(_call, turn.tool_calls)), folded=turn.role in ("system", "tool"),
    )  # fmt: skip


def _call(one: ToolCall) -> ShownCall:
    said = one.arguments
    text = said if isinstance(said, str) else json.dumps(dict(said), ensure_ascii=False, indent=2)
    return ShownCall(one.name, text)
