"""Which histories belong to one conversation, where a table does not say."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence

History = Sequence[tuple[str, str]]


def conversations(histories: Iterable[History], prefix: str) -> list[str]:
    """An id of the conversation that each history belongs to.

    Two histories belong to one conversation when one is a prefix of the other, and so
    do those that are joined by a third; the id is taken from the shortest. Histories
    that merely open alike, with no row at the place where they part, stay apart.
    Needs all histories at once; time and memory grow with their turns. An empty
    history joins nothing and is a conversation of its own.

    Args:
        histories: a (role, text) a turn each.
        prefix: what the ids begin with.

    >>> a, b, c = conversations([[("user", "Hi")], [("user", "Hi"), ("ai", "Yes?")],
    ...                          [("user", "Bye")]], "t")
    >>> a == b, a == c
    (True, False)
    """
    keys = [_running(history) for history in histories]
    present = {own[-1] for own in keys if own}
    names = []
    for own in keys:
        root = next((key for key in own if key in present), "")
        names.append(f"{prefix}-{root[:12]}" if root else f"{prefix}-start")
    return names


def _running(history: History) -> list[str]:
    """A hash of the first turn, of the first two, ... of all."""
    state, keys = hashlib.sha256(), []
    for role, text in history:
        state.update(json.dumps([role, text]).encode())
        keys.append(state.hexdigest())
    return keys
