"""Train, validation, test: by conversation, alike in what they hold, with nothing on two sides.

Items are dealt in groups. A group is all that hangs together: items of one conversation, and
conversations that share a context, such as the same opening question.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from assize.base.conversation import Conversation, Item
from assize.base.errors import ConfigError, DataError
from assize.base.fields import word_at
from assize.judgments.item_fields import systems_of
from assize.reference._continuations.context import SPEAKERS, context_key, conversation_names
from assize.stats._arrays import IntArray

SIDES = ("train", "validation", "test")
UNSAID = "(not said)"


def leave_out(items: Sequence[Item], others: Sequence[Item]) -> list[Item]:
    """Return the items that share no conversation and no context with others.

    Raises:
        DataError: none is left.
    """
    together = [*others, *items]
    group = groups(together, conversation_names(together))
    apart = np.flatnonzero(~np.isin(group[len(others) :], group[: len(others)])).tolist()
    if not apart:
        raise DataError("all of it shares a conversation or a context with others", source="items")
    return [items[row] for row in apart]


def stratum(item: Item, by: str) -> str:
    """What an item is dealt by: its source, or a field of the record or of its metadata.

    The source of a continuation is who wrote the candidate, of a conversation its system, of a
    pair both systems.
    """
    if by != "source":
        return word_at(item, by) or UNSAID
    return " and ".join(name for name in systems_of(item) if name is not None) or UNSAID


def groups(items: Sequence[Item], names: Sequence[str]) -> IntArray:
    """The group of each item (N,): what shares a conversation or a context, and so on.

    Args:
        names: (N,) of the items' conversations.
    """
    nodes: dict[str, int] = {}
    edges = [
        (row, nodes.setdefault(key, len(items) + len(nodes)))
        for row, (item, name) in enumerate(zip(items, names, strict=True))
        for key in (f"c:{name}", *_contexts(item))
    ]
    size = len(items) + len(nodes)
    ends = np.array(edges, dtype=np.int64).reshape(-1, 2).T
    graph = coo_array((np.ones(len(edges)), tuple(ends)), shape=(size, size))
    group = connected_components(graph, directed=False)[1]
    return group[: len(items)].astype(np.int64)


def _contexts(item: Item) -> Iterator[str]:
    """The contexts that an item holds; of a conversation those before each of its turns."""
    if isinstance(item, Conversation):
        for place, turn in enumerate(item.turns):
            if turn.role in SPEAKERS and any(one.role in SPEAKERS for one in item.turns[:place]):
                yield f"t:{context_key(item.turns[:place])}"
    elif item.context:
        yield f"t:{context_key(item.context)}"


def shares_of(text: str | Sequence[float]) -> tuple[float, ...]:
    """The shares of the sides, summing to 1: `80,10,10`, or numbers in any unit.

    >>> shares_of("80,20"), shares_of([3, 1])
    ((0.8, 0.2), (0.75, 0.25))

    Raises:
        ConfigError: they are not two or three numbers above 0.
    """
    try:
        parts = [float(part) for part in (text.split(",") if isinstance(text, str) else text)]
    except (TypeError, ValueError):
        parts = []
    if not 2 <= len(parts) <= len(SIDES) or not all(0 < part < np.inf for part in parts):
        problem = f"shares: received {text!r}; give two or three numbers above 0"
        raise ConfigError(f"{problem} for {', '.join(SIDES)}, such as 80,10,10")
    return tuple(part / sum(parts) for part in parts)
