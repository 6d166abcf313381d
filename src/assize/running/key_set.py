"""Keys of millions of records in little memory."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Set

_SMALLEST = 1024  # places; a power of two, as their number always is


class KeySet(Set[int]):
    """A set of 64-bit keys (`key_of`), in 12 to 24 bytes each; a Python set takes about 100.

    A table with open places: the keys are hashes already, so that each has its place by its last
    bits, or the next free one behind it.
    """

    __slots__ = ("_count", "_table")

    def __init__(self, keys: Iterable[int] = ()) -> None:
        self._table = array("Q", bytes(8 * _SMALLEST))
        self._count = 0
        for key in keys:
            self.add(key)

    def add(self, key: int) -> None:
        """Take in a key; nothing changes where it is there."""
        key = key or 1  # 0 marks an open place, and counts as 1
        index = self._index_of(key)
        if not self._table[index]:
            self._table[index] = key
            self._count += 1
            if 3 * self._count > 2 * len(self._table):
                self._grow()

    def _index_of(self, key: int) -> int:
        """Return where a key is, or the open place where it would be."""
        table = self._table
        last = len(table) - 1
        index = key & last
        while table[index] and table[index] != key:
            index = (index + 1) & last
        return index

    def _grow(self) -> None:
        keys, self._table = self._table, array("Q", bytes(16 * len(self._table)))
        for key in keys:
            if key:
                self._table[self._index_of(key)] = key

    def __contains__(self, key: object) -> bool:
        return isinstance(key, int) and self._table[self._index_of(key or 1)] != 0

    def __iter__(self) -> Iterator[int]:
        return (key for key in self._table if key)

    def __len__(self) -> int:
        return self._count
