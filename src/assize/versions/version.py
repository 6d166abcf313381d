"""One version: what was judged of it, and how its conversations are called together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from assize.base.conversation import Continuation, Item, Pair
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


def cluster_of(item: Item) -> str | None:
    """The conversation that a continuation, or a pair, is one of several of; None for others."""
    if isinstance(item, Continuation):
        return item.conversation
    named = item.metadata.get("conversation") if isinstance(item, Pair) else None
    return str(named) if isinstance(named, str | int) else None
