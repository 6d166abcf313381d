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


def cluster_labels(
    version: Version, items: Sequence[str], clusters: Mapping[str, Mapping[str, str]] | None
) -> list[str]:
    """Return what each item depends on others by.

    Args:
        clusters: by version and item the field that was asked for; None for the conversations
            that items are of.
    """
    own = {} if clusters is None else clusters.get(version.name, {})
    labels = []
    for item in items:
        if clusters is not None:
            label = f"c {own[item]}" if item in own else None
        else:
            known = version.items.get(item)
            conversation = None if known is None else cluster_of(known)
            label = None if conversation is None else f"{version.name} of {conversation}"
        labels.append(f"{version.name} {item}" if label is None else label)
    return labels
