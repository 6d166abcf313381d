"""A random turn from elsewhere: the control that should score lowest."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

import numpy as np

from assize.base.conversation import Continuation
from assize.base.errors import DataError
from assize.running import key_of
from assize.simulate._lengths import plain

RANDOM = "random"


def random_turns(slots: Sequence[Continuation], seed: int) -> list[Continuation | None]:
    """For each slot another whose reference is its random turn (N,); None where nothing fits.

    Left out are all turns of the slot's own conversation, of conversations that open with the
    same words (the same one under another id), and turns whose words are those of one of the
    slot's references. Drawn by seed and id alone, evenly over what is left.

    Source: UPHELD, section 3.1. From where its random completions are drawn is not said.

    Raises:
        DataError: all slots are of one conversation.
    """
    if len({one.conversation for one in slots}) < 2:
        problem = "a random turn comes from another conversation; give at least two, or no random"
        raise DataError(problem, source="items")
    opening = _openings(slots)
    pool = [(opening[one.conversation], one) for one in slots]
    found: list[Continuation | None] = []
    for slot in slots:
        own = opening[slot.conversation]
        same = {plain(text) for text in slot.references}
        rng = np.random.default_rng([seed, key_of(RANDOM, slot.id) % 2**32])
        found.append(_drawn(pool, own, same, rng))
    return found


def _drawn(
    pool: Sequence[tuple[str, Continuation]], own: str, same: set[str], rng: np.random.Generator
) -> Continuation | None:
    """A turn of the pool that is allowed: tried at random first, then all that are."""
    for at in map(int, rng.integers(len(pool), size=8)):
        if pool[at][0] != own and plain(pool[at][1].references[0]) not in same:
            return pool[at][1]
    allowed = [one for name, one in pool if name != own and plain(one.references[0]) not in same]
    return allowed[int(rng.integers(len(allowed)))] if allowed else None


def _openings(slots: Sequence[Continuation]) -> dict[str | None, str]:
    """By conversation the words it opens with: of its shortest context, as far as the user's."""
    first: dict[str | None, Continuation] = {}
    for one in slots:
        if one.conversation not in first or len(one.context) < len(first[one.conversation].context):
            first[one.conversation] = one
    said: dict[str | None, str] = defaultdict(str)
    for name, one in first.items():
        said[name] = "\n".join(plain(turn.text) for turn in one.context)
    return said
