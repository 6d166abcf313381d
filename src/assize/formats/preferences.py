"""Which of two sides a word names, however a log or a data set spells it."""

from __future__ import annotations

from typing import Any

from assize.base.conversation import Preference

_SIDES: dict[str, Preference] = {"a": "A", "b": "B"}
_BEFORE_SIDE = ("model", "response", "assistant", "answer", "option", "side")
_TIES = frozenset(
    {"tie", "fair", "both", "neither", "draw", "equal", "same", "bothbad", "both bad"}
    | {"tie (bothbad)", "tie (both bad)", "tie (inconsistent)"}
)


def read_preference(value: Any) -> Preference | None:
    """Return the side that a word names; None where it names none.

    >>> read_preference("model_b"), read_preference("Response A"), read_preference("both_bad")
    ('B', 'A', 'tie')
    >>> read_preference("1") is None
    True
    """
    words = str(value).casefold().replace("_", " ").split()
    if " ".join(words) in _TIES:
        return "tie"
    if len(words) == 2 and words[0] in _BEFORE_SIDE:
        words = words[1:]
    return _SIDES.get(words[0]) if len(words) == 1 else None
