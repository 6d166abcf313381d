"""Votes of several judges on the same pairs, as counts by pair, judge and question."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike, NDArray

from assize.base.errors import DataError
from assize.stats._arrays import FloatArray, numbers


@dataclass(frozen=True, slots=True)
class Votes:
    """How often each judge voted for which side; N pairs, J judges, K questions.

    Args:
        for_a: (N, J, K) votes that say A is better, at least 0. Both orders of a judge are
            two votes, mapped back to the pair's own A and B; a fraction is a vote that
            counts for less. A vote that is not there counts nothing: 0, never NaN.
        for_b: (N, J, K) votes that say B is better.
        ties: (N, J, K) votes that say neither is ("Fair").

    Raises:
        DataError: the shapes differ, or a count is negative, infinite or NaN.

    A judge who contradicts itself has a vote on both sides; it stays, and says little.
    """

    for_a: FloatArray
    for_b: FloatArray
    ties: FloatArray = field(repr=False)

    @classmethod
    def of(cls, for_a: ArrayLike, for_b: ArrayLike, ties: ArrayLike | None = None) -> Votes:
        """Checked votes from counts; (N, J) stands for one question.

        >>> Votes.of([[1, 2]], [[1, 0]]).shape
        (1, 2, 1)
        """
        a, b = _counts(for_a, "for_a"), _counts(for_b, "for_b")
        t = np.zeros_like(a) if ties is None else _counts(ties, "ties")
        for name, array in (("for_b", b), ("ties", t)):
            if array.shape != a.shape:
                raise DataError(f"`{name}` has shape {array.shape}, `for_a` has {a.shape}")
        return cls(a, b, t)

    @classmethod
    def from_signs(cls, signs: ArrayLike) -> Votes:
        """Votes from at most one a cell: 1 for A, 0 for a tie, -1 for B, NaN for none.

        Args:
            signs: (N, J, K), or (N, J) for one question.

        >>> Votes.from_signs([[1.0, -1.0, np.nan]]).for_a[0, :, 0].tolist()
        [1.0, 0.0, 0.0]
        """
        given = numbers(signs, "signs", dimensions=np.ndim(signs))
        if not np.isin(given[~np.isnan(given)], (1.0, 0.0, -1.0)).all():
            raise DataError("`signs` must hold 1 (A), 0 (tie), -1 (B) or NaN (no vote)")
        return cls.of(given == 1, given == -1, given == 0)

    @property
    def shape(self) -> tuple[int, int, int]:
        """(pairs N, judges J, questions K)."""
        n, j, k = self.for_a.shape
        return n, j, k

    @property
    def sided(self) -> NDArray[np.bool_]:
        """(N, K) whether there is a vote for A or B; ties alone say nothing of the side."""
        return np.asarray(((self.for_a + self.for_b) > 0).any(axis=1))

    def take(self, rows: ArrayLike) -> Votes:
        """The votes on some pairs: (rows, J, K), in the order of `rows` (or of a mask)."""
        at = np.asarray(rows)
        return Votes(self.for_a[at], self.for_b[at], self.ties[at])

    def weighed(self, weight: ArrayLike) -> Votes:
        """The same votes counting for more or less: `weight` broadcasts against (N, J, K)."""
        by = _counts(np.broadcast_to(np.asarray(weight), self.for_a.shape), "weight")
        return Votes(self.for_a * by, self.for_b * by, self.ties * by)


def _counts(values: ArrayLike, name: str) -> FloatArray:
    try:
        array = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise DataError(f"`{name}` must hold counts of votes ({error})") from error
    if array.ndim == 2:
        array = array[:, :, None]
    if array.ndim != 3:
        raise DataError(f"`{name}` must be (pairs, judges, questions); its shape is {array.shape}")
    bad = ~np.isfinite(array) | (array < 0)
    if bad.any():
        pair, judge, question = (int(at) for at in np.argwhere(bad)[0])
        raise DataError(
            f"`{name}` holds {array[pair, judge, question]} at pair {pair}, judge {judge},"
            f" question {question}; counts are finite and at least 0, a missing vote is 0"
        )
    return array
