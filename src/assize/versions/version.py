"""One version: what was judged of it, and how its conversations are called together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from assize.conversation import Continuation, Conversation, Item, Pair, Turn
from assize.judgments import JudgmentTable


@dataclass(frozen=True)
class Version:
    """Judgments of one version's conversations.

    Args:
        name: as tables show it.
        table: the judgments.
        items: what was judged, by id, as far as it is known.
        sources: ids of judged items by file of judgments, or by table in memory.
    """

    name: str
    table: JudgmentTable
    items: Mapping[str, Item] = field(default_factory=dict)
    sources: Mapping[str, Sequence[str]] = field(default_factory=dict)


def prompt_of(item: Item) -> str:
    """What the assistant was given: a conversation's first user turn, else the shared context.

    Blanks are alike. "" where there is none.

    >>> prompt_of(Conversation("c", (Turn("user", "Hi  there"), Turn("assistant", "Hello"))))
    'Hi there'
    """
    if isinstance(item, Conversation):
        return _first(item.turns)
    if isinstance(item, Pair):
        return _said(item.context) or _first(item.a)
    if isinstance(item, Continuation):
        return _said(item.context)
    return ""


def _first(turns: tuple[Turn, ...]) -> str:
    text = next((turn.text for turn in turns if turn.role == "user"), "")
    return " ".join(text.split())


def _said(turns: tuple[Turn, ...]) -> str:
    return "\n".join(f"{turn.role}: {' '.join(turn.text.split())}" for turn in turns)


def cluster_of(item: Item) -> str | None:
    """The conversation that a continuation, or a pair, is one of several of; None for others."""
    if isinstance(item, Continuation):
        return item.conversation
    named = item.metadata.get("conversation") if isinstance(item, Pair) else None
    return str(named) if isinstance(named, str | int) else None
