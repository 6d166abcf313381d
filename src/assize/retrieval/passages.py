"""Passages: runs of a page's words, each beginning before the one before it has ended."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from assize.base.errors import ConfigError


@dataclass(frozen=True, slots=True)
class Cutting:
    """How pages are cut.

    Args:
        words: passage length in words; None for whole pages, untruncated.
        overlap: words that a passage shares with the one before.
    """

    words: int | None = 300
    overlap: int = 50

    def __post_init__(self) -> None:
        if self.words is None:
            return
        if self.words < 1:
            raise ConfigError(f"words: received {self.words}; a passage has 1 word at least")
        if not 0 <= self.overlap < self.words:
            problem = f"overlap: received {self.overlap}; allowed are 0 to {self.words - 1}"
            raise ConfigError(f"{problem}, for a passage has {self.words} words")

    def __str__(self) -> str:
        if self.words is None:
            return "whole pages"
        return f"passages of {self.words} words, {self.overlap} of them shared"


def cut(count: int, cutting: Cutting) -> list[tuple[int, int]]:
    """First and last word (beyond it) of each passage of a page of so many words.

    The last passage is as long as the others where the page is: it begins earlier.

    >>> cut(10, Cutting(4, 1)), cut(3, Cutting(4, 1)), cut(10, Cutting(None))
    ([(0, 4), (3, 7), (6, 10)], [(0, 3)], [(0, 10)])
    """
    if cutting.words is None or count <= cutting.words:
        return [(0, count)]
    step = cutting.words - cutting.overlap
    starts = [*range(0, count - cutting.words, step), count - cutting.words]
    return [(start, start + cutting.words) for start in starts]


def ends_of(
    spans: Sequence[tuple[int, int]], cuts: Sequence[tuple[int, int]], size: int
) -> list[tuple[int, int]]:
    """First and last character (beyond it) of each passage: it ends where the next word begins.

    >>> ends_of([(0, 2), (3, 5), (6, 7)], [(0, 2), (1, 3)], 8)
    [(0, 6), (3, 8)]
    """
    return [
        (spans[start][0] if start else 0, spans[end][0] if end < len(spans) else size)
        for start, end in cuts
    ]
