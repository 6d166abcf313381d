"""Tokens as numbers, and how many of them two texts share, for many pairs at once."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

IntArray = NDArray[np.int64]


class Vocabulary(dict[Hashable, int]):
    """A number for every different token, given when it is first seen."""

    def __missing__(self, token: Hashable) -> int:
        self[token] = number = len(self)
        return number

    def ids(self, tokens: Iterable[Hashable]) -> IntArray:
        """The numbers of some tokens."""
        return np.array([self[token] for token in tokens], np.int64)


@dataclass(frozen=True, slots=True, eq=False)
class Bags:
    """Tokens of P rows, one behind the other.

    Args:
        tokens: (T,) all rows' numbers, each below `size`.
        rows: (T,) the row each stands in, ascending.
        lengths: (P,) tokens a row.
        size: how many different tokens there may be.
    """

    tokens: IntArray
    rows: IntArray
    lengths: IntArray
    size: int

    @classmethod
    def of(cls, rows: Sequence[IntArray], size: int) -> Bags:
        """One bag a row."""
        lengths = np.fromiter((len(row) for row in rows), np.int64, len(rows))
        tokens = np.concatenate(rows) if len(rows) else np.empty(0, np.int64)
        return cls(tokens, np.repeat(np.arange(len(rows)), lengths), lengths, max(size, 1))

    def pairs(self) -> Bags:
        """The pairs of neighbouring tokens of each row."""
        inside = np.flatnonzero(np.diff(self.rows) == 0)
        tokens = self.tokens[inside] * self.size + self.tokens[inside + 1]
        lengths = np.maximum(self.lengths - 1, 0)
        return Bags(tokens, self.rows[inside], lengths, self.size**2)

    def counted(self) -> tuple[IntArray, IntArray]:
        """Each different token of each row as `row * size + token`, and how often it is there."""
        keys, counts = np.unique(self.rows * self.size + self.tokens, return_counts=True)
        return keys, counts.astype(np.int64)


def shared(first: Bags, second: Bags) -> IntArray:
    """(P,) how many tokens two bags share row by row, each as often as it is in both.

    >>> ids = Vocabulary().ids
    >>> one = ids("the cat the".split())
    >>> shared(Bags.of([one], 2), Bags.of([one[:2]], 2))
    array([2])
    """
    keys, counts = first.counted()
    others, other_counts = second.counted()
    places = np.searchsorted(others, keys)
    places[places == len(others)] = 0
    here = others[places] == keys if len(others) else np.zeros(len(keys), np.bool_)
    both = np.minimum(counts[here], other_counts[places[here]])
    rows = keys[here] // first.size
    return np.bincount(rows, weights=both, minlength=len(first.lengths)).astype(np.int64)
