"""Train, validation, test: by conversation, alike in what they hold, with nothing on two sides.

Items are dealt in groups. A group is all that hangs together: items of one conversation, and
conversations that share a context, such as the same opening question.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from assize.base.conversation import Conversation, Item
from assize.base.errors import ConfigError, DataError
from assize.base.fields import word_at
from assize.judgments.item_fields import systems_of
from assize.reference._continuations.context import SPEAKERS, context_key, conversation_names
from assize.stats._arrays import IntArray
from assize.stats._studies.splits import dealt_in_classes

SIDES = ("train", "validation", "test")
UNSAID = "(not said)"


def deal(
    group: IntArray,
    strata: Sequence[str],
    shares: Sequence[float],
    by: str,
    rng: np.random.Generator,
) -> IntArray:
    """The side of each item (N,), dealt so that every stratum has its share on each side.

    As `dealt_in_classes` of the splits of studies, whose folds are the sides here.

    Args:
        group: (N,) what stays together, counted from 0; see `groups`.
        strata: (N,) what the sides are to be alike in; see `stratum`.
        shares: of the sides, summing to 1.
        by: what the strata are.
        rng: a numpy Generator.

    Raises:
        DataError: there are fewer groups than sides that are to hold something.
        ConfigError: no item has anything under `by`.
    """
    if by != "source" and set(strata) == {UNSAID}:
        raise ConfigError(f"by {by!r}: no item has such a field, nor its metadata")
    count, wanted = int(group.max(initial=-1)) + 1, np.asarray(shares, dtype=float)
    sides = np.flatnonzero(wanted > 0)
    if count < len(sides):
        raise DataError(
            f"{count} groups of conversations for {len(sides)} sides; conversations"
            " that share a context stay together: give more, or fewer sides",
            source="items",
        )
    return sides[dealt_in_classes(strata, group, len(sides), rng, wanted[sides].tolist())]


def leave_out(items: Sequence[Item], others: Sequence[Item]) -> list[Item]:
    """Return the items that share no conversation and no context with others.

    Raises:
        DataError: none is left.
    """
    together = [*others, *items]
    group = groups(together, conversation_names(together))
    apart = ~np.isin(group[len(others) :], group[: len(others)])
    if not apart.any():
        raise DataError("all of it shares a conversation or a context with others", source="items")
    return [items[row] for row in np.flatnonzero(apart).tolist()]


def stratum(item: Item, by: str) -> str:
    """What an item is dealt by: its source, or a field of the record or of its metadata.

    The source of a continuation is who wrote the candidate, of a conversation its system, of a
    pair both systems.
    """
    if by == "source":
        known = [one for one in systems_of(item) if one is not None]
        return " and ".join(known) or UNSAID
    return word_at(item, by) or UNSAID


def groups(items: Sequence[Item], names: Sequence[str]) -> IntArray:
    """The group of each item (N,): what shares a conversation or a context, and so on."""
    parent: dict[str, str] = {}

    def root(key: str) -> str:
        while (above := parent.setdefault(key, key)) != key:
            parent[key] = key = parent[above]
        return key

    for item, name in zip(items, names, strict=True):
        for key in _contexts(item):
            one, other = root(f"c:{name}"), root(key)
            parent[one] = other
    roots = [root(f"c:{name}") for name in names]
    codes = {name: place for place, name in enumerate(dict.fromkeys(roots))}
    return np.array([codes[one] for one in roots], dtype=np.int64)


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
        ConfigError: they are not two or three numbers of at least 0, the first above it.
    """
    try:
        parts = [float(one) for one in (text.split(",") if isinstance(text, str) else text)]
    except (TypeError, ValueError):
        parts = []
    sound = 2 <= len(parts) <= len(SIDES) and all(0 <= one < float("inf") for one in parts)
    if not sound or sum(one > 0 for one in parts) < 2:
        raise ConfigError(
            f"shares: received {text!r}; give two or three numbers for"
            f" {', '.join(SIDES)}, such as 80,10,10, two of them above 0"
        )
    return tuple(one / sum(parts) for one in parts)
