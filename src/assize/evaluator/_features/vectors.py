"""What the vectors of a conversation's turns tell: does it answer, does it repeat itself.

Letters: T turns, D dimension of the encoder, E exchanges (an assistant turn and the user's turn it
answers).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from assize.evaluator._features.words import TextMarks, mean_of
from assize.stats._arrays import FloatArray

REACH = 50  # how many turns back a repetition is looked for

SIMILARITY = (
    "answers_mean",  # assistant turn with the user turn before it: mean,
    "answers_min",  # lowest,
    "answers_last",  # and of the last assistant turn
    "followed_mean",  # assistant turn with the user turn after it
    "repeats_mean",  # assistant turn with the most similar earlier one: mean
    "repeats_max",  # and highest
    "echoes_mean",  # assistant turn with the mean of the earlier ones
    "context_mean",  # assistant turn with the mean of all earlier turns
    "user_similarity",  # user turns among each other
)
BELONGING = (
    "answers_own",  # cosine with the own question less the mean with the others
    "answers_rank",  # share of the others that the own question is nearer than
    "followed_own",  # the same two of an answer and the user's next turn
    "followed_rank",
    "last_own",  # `answers_own` of the last assistant turn alone
    "user_repeats",  # user's turn with the most similar earlier one, mean
)

_ROUNDING = 1e-9
_ROWS = 256  # questions compared with all answers at a time

Exchanges = list[tuple[int, int]]


@dataclass(frozen=True, eq=False)
class Turns:
    """The turns of one view, the assistant's and the user's.

    Args:
        roles: (T) `user` or `assistant`.
        texts: (T) what was said.
        vectors: (T, D) in double precision.
    """

    roles: Sequence[str]
    texts: Sequence[TextMarks]
    vectors: FloatArray

    def by(self, role: str) -> list[int]:
        """The turns of a role, counted from 0."""
        return [turn for turn, own in enumerate(self.roles) if own == role]

    @cached_property
    def users(self) -> list[int]:
        """The user's turns."""
        return self.by("user")

    @cached_property
    def assistants(self) -> list[int]:
        """The assistant's turns; there is at least one."""
        return self.by("assistant")

    @cached_property
    def answered(self) -> Exchanges:
        """(assistant turn, the latest user turn before it)."""
        before = np.searchsorted(self.users, self.assistants) - 1
        pairs = zip(self.assistants, before.tolist(), strict=True)
        return [(turn, self.users[index]) for turn, index in pairs if index >= 0]

    @cached_property
    def followed(self) -> Exchanges:
        """(assistant turn, the first user turn after it)."""
        after = np.searchsorted(self.users, self.assistants)
        pairs = zip(self.assistants, after.tolist(), strict=True)
        return [(turn, self.users[index]) for turn, index in pairs if index < len(self.users)]

    @property
    def reactions(self) -> list[int]:
        """The user's turns that come after some turn of the assistant."""
        return [turn for turn in self.users if turn > self.assistants[0]]

    @property
    def last_question(self) -> int | None:
        """The user turn that the last assistant turn answers."""
        return dict(self.answered).get(self.assistants[-1])

    def mean_of(self, turns: Sequence[int]) -> FloatArray:
        """The mean vector (D,) of some turns; NaN without any."""
        if not turns:
            return np.full(self.vectors.shape[1], np.nan)
        return np.asarray(self.vectors[turns].mean(axis=0))

    def over_exchanges(self, of: Callable[[FloatArray, FloatArray], FloatArray]) -> FloatArray:
        """The mean (D,) of a function of answers (E, D) and questions (E, D); NaN without any."""
        if not self.answered:
            return np.full(self.vectors.shape[1], np.nan)
        first, second = np.array(self.answered).T
        return np.asarray(of(self.vectors[first], self.vectors[second]).mean(axis=0))


def similarity(turns: Turns) -> FloatArray:
    """The features named in `SIMILARITY`; NaN where one is not defined."""
    vectors, assistants = turns.vectors, turns.assistants
    answers = [float(vectors[a] @ vectors[u]) for a, u in turns.answered]
    followed = [float(vectors[a] @ vectors[u]) for a, u in turns.followed]
    repeats, echoes = earlier(assistants, vectors)
    context = [
        float(vectors[turn] @ vectors[max(0, turn - REACH) : turn].mean(axis=0))
        for turn in assistants
        if turn > 0
    ]
    return np.array(
        [
            mean_of(answers),
            min(answers, default=np.nan),
            np.nan if turns.last_question is None else answers[-1],
            mean_of(followed),
            mean_of(repeats),
            max(repeats, default=np.nan),
            mean_of(echoes),
            mean_of(context),
            _mutual(vectors[turns.users]),
        ]
    )


def earlier(turns: Sequence[int], vectors: FloatArray) -> tuple[list[float], list[float]]:
    """Highest and mean cosine of each turn with up to `REACH` of the earlier `turns`."""
    highest, mean = [], []
    own = vectors[turns]
    for place in range(1, len(turns)):
        cosines = own[max(0, place - REACH) : place] @ own[place]
        highest.append(float(cosines.max()))
        mean.append(float(cosines.mean()))
    return highest, mean


def _mutual(vectors: FloatArray) -> float:
    """Mean cosine between different rows, from |sum|^2 = sum of squares + cross terms."""
    count = len(vectors)
    if count < 2:
        return float("nan")
    total = vectors.sum(axis=0)
    return float((total @ total - np.sum(vectors * vectors)) / (count * (count - 1)))


def belonging(turns: Turns) -> FloatArray:
    """The features named in `BELONGING`; NaN where one is not defined."""
    vectors, asked, last = turns.vectors, turns.last_question, turns.assistants[-1]
    others, own = [user for user in turns.users if user != asked], float("nan")
    if asked is not None and others:
        own = float(vectors[asked] @ vectors[last] - vectors[others].mean(axis=0) @ vectors[last])
    repeats, _ = earlier(turns.users, vectors)
    return np.array(
        [*_own(vectors, turns.answered), *_own(vectors, turns.followed), own, mean_of(repeats)]
    )


def _own(vectors: FloatArray, pairs: Exchanges) -> tuple[float, float]:
    """How much nearer answers are to their own user turn than to the others', and how often.

    NaN with fewer than two different user turns. With u_i and a_i the turns of E pairs,
    the first is  mean_i u_i.a_i - mean_{i != j} u_i.a_j,  and the second the share of
    i != j with  u_i.a_i > u_j.a_i.
    """
    count = len(pairs)
    if len({user for _, user in pairs}) < 2:
        return float("nan"), float("nan")
    said, asked = (vectors[list(side)] for side in zip(*pairs, strict=True))
    own = np.einsum("ed,ed->e", said, asked)
    others = float(asked.sum(axis=0) @ said.sum(axis=0) - own.sum()) / (count * (count - 1))
    clear = own - _ROUNDING  # a question is not nearer than itself
    nearer = sum(
        int(np.sum(clear > asked[start : start + _ROWS] @ said.T))
        for start in range(0, count, _ROWS)
    )
    return float(own.mean()) - others, nearer / (count * (count - 1))
