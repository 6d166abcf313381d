"""One version: what was judged of it, and how its conversations are called together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from assize.conversation import Continuation, Conversation, Item, Pair
from assize.judgments import JudgmentTable

EXCERPT = 160  # characters of a conversation that a table shows


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


def first_words(item: Item | None) -> str | None:
    """Return how a conversation begins: the first words of a user; None where it is unknown."""
    if item is None:
        return None
    turns = item.turns if isinstance(item, Conversation) else item.context
    if isinstance(item, Pair) and not turns:
        turns = item.a
    users = [turn for turn in turns if turn.role == "user"]
    text = next((turn.text for turn in [*users, *turns]), "")
    short = " ".join(text[: 4 * EXCERPT].split())
    return short if len(short) <= EXCERPT else f"{short[:EXCERPT]}…"


def cluster_of(item: Item) -> str | None:
    """The conversation that a continuation, or a pair, is one of several of; None for others."""
    if isinstance(item, Continuation):
        return item.conversation
    named = item.metadata.get("conversation") if isinstance(item, Pair) else None
    return str(named) if isinstance(named, str | int) else None
