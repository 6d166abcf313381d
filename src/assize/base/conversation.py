"""What is judged: conversations, pairs of responses, and continuations.

All records are frozen dataclasses, read from JSON as `assize.base.record` says: fields that assize
does not know stay in `extra` and are written back where they stood, so a file survives a round
trip.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator

from assize.base.record import Count, Id, Words, folded

Role = Literal["user", "assistant", "system", "tool"]
Preference = Literal["A", "B", "tie"]

ROLES: tuple[Role, ...] = ("user", "assistant", "system", "tool")
PREFERENCES: tuple[Preference, ...] = ("A", "B", "tie")
Gold = (
    Annotated[Preference, BeforeValidator(lambda gold: "tie" if gold == "Fair" else gold)]
    | Mapping[str, Words]
    | None
)
"""A preference, or an answer a question."""

_NOT_READ: Mapping[str, Any] = {"json": None}  # made of other fields of the JSON object


@dataclass(frozen=True, slots=True)
class Reference:
    """A source that was shown to the assistant with a turn."""

    id: Id
    title: str = ""
    text: str = ""
    extra: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ToolCall:
    """What an assistant asked of a tool.

    `arguments` is the object that was passed, or text where it was no JSON object: a model
    may write anything. `id` is empty where the log gives none.
    """

    id: str
    name: str
    arguments: Mapping[str, Any] | str = field(default_factory=dict)
    extra: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Turn:
    """One message; turns count from 0 over all turns of the item.

    An assistant's turn may hold `tool_calls`, beside its text or instead of it. A tool's turn
    holds the result as its text, `tool_call_id` says of which call, and `name` of which tool.
    `name` is also who speaks, where several people share a role.
    """

    role: Role
    text: str
    references: tuple[Annotated[Reference, folded(Reference)], ...] = ()
    extra: Mapping[str, Any] = field(default_factory=dict)
    tool_calls: tuple[ToolCall, ...] = field(default=(), metadata=_NOT_READ)
    tool_call_id: str | None = field(default=None, metadata=_NOT_READ)
    name: str | None = field(default=None, metadata=_NOT_READ)

    @property
    def says_something(self) -> bool:
        """Whether the turn holds text or calls a tool."""
        return bool(self.tool_calls) or bool(self.text.strip())


Turns = tuple[Annotated[Turn, folded(Turn)], ...]


@dataclass(frozen=True, slots=True)
class Conversation:
    """A whole conversation; `system` names the assistant that took part."""

    id: Id
    turns: Turns
    system: Words | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict)
    extra: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Pair:
    """Two responses to one context, or two whole dialogues (then `context` is empty).

    `shared_user` says that both dialogues hold the same user turns; it is verified on
    reading. `gold` is the label that counts as true: a preference, or one a question.
    """

    id: Id
    context: Turns
    a: Turns
    b: Turns
    shared_user: bool = False
    gold: Gold = None
    metadata: Mapping[str, Any] = field(default_factory=dict)
    extra: Mapping[str, Any] = field(default_factory=dict)

    def sides(self) -> tuple[Conversation, Conversation]:
        """Both sides as whole conversations: the context followed by `a`, and by `b`."""
        return (
            Conversation(f"{self.id}/A", self.context + self.a, metadata=self.metadata),
            Conversation(f"{self.id}/B", self.context + self.b, metadata=self.metadata),
        )


@dataclass(frozen=True, slots=True)
class Continuation:
    """A candidate next turn, to be compared with what a person said there.

    `conversation` and `turn` group candidates for the same place; `references` are
    human responses, `source` says who wrote the candidate.
    """

    id: Id
    context: Turns
    candidate: str
    references: tuple[str, ...] = ()
    conversation: Id | None = None
    turn: Count | None = None
    source: Words | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict)
    extra: Mapping[str, Any] = field(default_factory=dict)


Item = Conversation | Pair | Continuation
