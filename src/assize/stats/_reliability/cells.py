"""One question's votes with equal rows put together: EM's time depends on different rows only."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from assize.stats._arrays import FloatArray, IntArray
from assize.stats._reliability.votes import Votes

CLASSES = ("A", "B")
"""What may be true of a pair."""


@dataclass(frozen=True, slots=True)
class Cells:
    """The different rows of votes on one question: U rows of J judges.

    Args:
        for_a, for_b: (U, J) counts.
        known: (U,) place in `CLASSES` of what gold says, -1 where it says nothing.
        count: (U,) pairs that have this row.
        row: (N,) each pair's row; -1 for a pair that has no vote that counts.
    """

    for_a: FloatArray
    for_b: FloatArray
    known: IntArray
    count: FloatArray
    row: IntArray

    @property
    def sided(self) -> FloatArray:
        """(U, J) votes for either side."""
        return self.for_a + self.for_b

    @property
    def votes(self) -> float:
        """Votes for either side, of all pairs."""
        return float(self.count @ self.sided.sum(axis=1))

    def known_as(self, place: int) -> NDArray[np.bool_]:
        """(U,) rows whose pairs gold puts into one class."""
        return np.asarray(self.known == place)


def cells_of(votes: Votes, question: int, known: IntArray) -> Cells:
    """The rows of one question.

    Args:
        known: (N,) places in `CLASSES`, -1 for not known.
    """
    counts = [votes.for_a[:, :, question], votes.for_b[:, :, question]]
    judges = counts[0].shape[1]
    table = np.concatenate(counts, axis=1)
    used = np.flatnonzero((table > 0).any(axis=1))
    table = np.concatenate([table[used], known[used, None]], axis=1)
    found, inverse, count = _unique_rows(table)
    row = np.full(len(known), -1, dtype=np.int64)
    row[used] = inverse
    a, b = found[:, :judges], found[:, judges : 2 * judges]
    last = found[:, -1].astype(np.int64)
    a, b = (np.ascontiguousarray(one) for one in (a, b))
    return Cells(a, b, last, count, row)


def _unique_rows(table: FloatArray) -> tuple[FloatArray, IntArray, FloatArray]:
    """Different rows in order of appearance, each row's place among them, and their counts."""
    if not len(table):
        return table, np.zeros(0, dtype=np.int64), np.zeros(0)
    packed = np.ascontiguousarray(table + 0.0).view(f"V{table.shape[1] * 8}").ravel()
    _, first, inverse, count = np.unique(
        packed, return_index=True, return_inverse=True, return_counts=True
    )
    order = np.argsort(first)
    place = np.empty_like(order)
    place[order] = np.arange(len(order))
    return table[first[order]], place[inverse.ravel()], count[order].astype(np.float64)
