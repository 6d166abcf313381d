"""Long texts cut to a bounded size: the beginning, the end, and how much was left out between."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Abridged:
    """A text of which the middle may be left out; `left_out` counts its characters."""

    head: str
    left_out: int = 0
    tail: str = ""


def one_line(text: str, limit: int) -> str:
    """Return how a text begins, on one line.

    >>> one_line("several\\n  words", 10)
    'several wo…'
    """
    line = " ".join(text[: 4 * limit].split())
    return line if len(line) <= limit else f"{line[:limit]}…"


def abridge(text: str, limit: int) -> Abridged:
    """At most `limit` characters: three quarters from the start, the rest from the end.

    >>> abridge("abcdefghij", 4)
    Abridged(head='abc', left_out=6, tail='j')
    """
    if len(text) <= limit:
        return Abridged(text)
    tail = limit // 4
    head = limit - tail
    return Abridged(text[:head], len(text) - limit, text[len(text) - tail :])
