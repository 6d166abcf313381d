"""What a network learns from, as arrays: rows of features, and votes on pairs of them.

Letters: D dialogues, F features, N pairs, J judges, K questions.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from assize.base.errors import DataError
from assize.base.signature import content_hash
from assize.evaluator._examples import joined_by
from assize.evaluator._heads.linear import Scaling
from assize.evaluator._heads.ridge import scale_rows
from assize.stats._arrays import FloatArray
from assize.stats._reliability import Votes

IntArray = NDArray[np.intp]


@dataclass(frozen=True, slots=True, eq=False)
class Lessons:
    """Dialogues with votes on pairs of them.

    Args:
        rows: (D, F) features; NaN where one is not defined.
        a, b: (N,) the dialogues of each pair, as places among the rows.
        votes: (N, J, K) of the judges.
        questions, judges: their names.
        group: (D,) dialogues of one number are held out together; by default pairs that
            share a dialogue are.

    Raises:
        DataError: lengths do not fit, a row holds an infinite number or nothing but NaN, or
            there is no vote for a side.
    """

    rows: FloatArray
    a: IntArray
    b: IntArray
    votes: Votes
    questions: tuple[str, ...]
    judges: tuple[str, ...]
    group: IntArray | None = None

    def __post_init__(self) -> None:
        n, j, k = self.votes.shape
        if not len(self.a) == len(self.b) == n:
            raise DataError(f"{len(self.a)} sides A and {len(self.b)} sides B for {n} pairs")
        if (len(self.judges), len(self.questions)) != (j, k):
            problem = f"{len(self.judges)} names for {j} judges"
            raise DataError(f"{problem}, {len(self.questions)} for {k} questions")
        bad = np.isinf(self.rows).any(axis=1) | np.isnan(self.rows).all(axis=1)
        if len(self.rows) and bad.any():
            raise DataError(
                f"the features of dialogue {int(np.flatnonzero(bad)[0])} hold no finite number;"
                " the encoder gave NaN or infinite vectors: try it on that text alone"
            )
        if not (self.votes.for_a.any() or self.votes.for_b.any()):
            raise DataError("there is nothing to learn from: no vote for A or B")

    def __len__(self) -> int:
        return len(self.a)

    def groups(self) -> IntArray:
        """(D,) what is held out together: as given, or else what pairs tie together."""
        if self.group is not None:
            return self.group
        pairs: list[list[int]] = [[] for _ in self.rows]
        for pair, sides in enumerate(zip(self.a.tolist(), self.b.tolist(), strict=True)):
            for side in sides:
                pairs[side].append(pair)
        return joined_by(pairs)

    def folds(self, count: int, rng: np.random.Generator) -> IntArray:
        """(D,) a fold for each dialogue, whole groups in one; 0 .. count - 1.

        Raises:
            DataError: there are fewer groups than folds.
        """
        kinds, about = np.unique(self.groups(), return_inverse=True)
        if len(kinds) < count:
            raise DataError(
                f"{len(kinds)} independent pairs are too few to hold out {count} parts of;"
                " give more pairs, or fewer members"
            )
        return np.asarray(rng.permutation(np.arange(len(kinds)) % count)[about.reshape(-1)])

    def of_questions(self, places: IntArray) -> Lessons:
        """The same dialogues, some of the questions."""
        votes = Votes(*(part[:, :, places] for part in self._counts))
        names = tuple(self.questions[place] for place in places)
        return Lessons(self.rows, self.a, self.b, votes, names, self.judges, self.group)

    @property
    def _counts(self) -> tuple[FloatArray, FloatArray, FloatArray]:
        return self.votes.for_a, self.votes.for_b, self.votes.ties

    def scaling(self) -> Scaling:
        """Mean and deviation of each feature over the dialogues; a missing one is passed over."""
        return scale_rows([self.rows])

    @property
    def signature(self) -> str:
        """Digits that stand for all of it, by which a checkpoint knows its data."""
        parts = (self.rows, self.a, self.b, *self._counts)
        names = repr((self.questions, self.judges)).encode()
        return content_hash(names, *(np.ascontiguousarray(one).tobytes() for one in parts))[:12]
