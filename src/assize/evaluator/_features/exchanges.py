"""The featuriser `exchanges`: what `turns` gives, and how question, answer and reaction fit.

Letters: T turns, E exchanges (an assistant turn and the user's turn it answers), D dimension
of the encoder, F features.

Six more blocks stand behind the six of `turns`:

    product    (D)  mean over exchanges of the two vectors' product, number by number
    difference (D)  mean over exchanges of their absolute difference
    belonging  (6)  does an answer belong to its own question more than to the others?
    manner     (11) praise, complaint, excuses: see `manner.MANNER`
    answer     (1)  cosine of a single turn with the user's turn it answers

A conversation and a single turn are different things to judge: lengths and counts that tell a
good conversation mislead on one turn. So of a single turn (a view of level `turn`) similarity,
shape, belonging and manner are NaN, and of a conversation `answer` is: a linear head has
weights of its own for each, and shares those of the vectors.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from assize.encoders import Encoding
from assize.evaluator._features import turns
from assize.evaluator._features.manner import MANNER, Manner, manner
from assize.evaluator._features.surface import FloatArray
from assize.evaluator._features.turns import answered, earlier, first_after, latest_before
from assize.evaluator._features.views import Level, View

VERSION = 1  # rises when the same turns give other numbers

BELONGING = (
    "answers_own",  # cosine with the own question less the mean with the others
    "answers_rank",  # share of the others that the own question is nearer than
    "followed_own",  # the same two of an answer and the user's next turn
    "followed_rank",
    "last_own",  # `answers_own` of the last assistant turn alone
    "user_repeats",  # user's turn with the most similar earlier one, mean
)
ANSWER = ("cosine",)

_ROUNDING = 1e-9
_ROWS = 256  # questions compared with all answers at a time


@dataclass(frozen=True)
class ExchangeFeatures(turns.TurnFeatures):
    """The featuriser, see `Featuriser`; it has no settings."""

    name: ClassVar[str] = "exchanges"
    version: ClassVar[int] = VERSION

    def widths(self, dimension: int) -> dict[str, int]:
        """The blocks in order, with how many features each has."""
        return widths(dimension)

    def reader(self, texts: Sequence[str], encoding: Encoding) -> Callable[[View], FloatArray]:
        """What gives the row (F,) of a view."""
        read_turns = super().reader(texts, encoding)
        places = {text: place for place, text in enumerate(texts)}
        manners = [Manner.of(text) for text in texts]

        def read(view: View) -> FloatArray:
            at = [places[turn.text] for turn in view.turns]
            roles = [turn.role for turn in view.turns]
            own = [manners[place] for place in at]
            return features(view.level, roles, own, encoding.vectors[at], read_turns(view))

        return read


def widths(dimension: int) -> dict[str, int]:
    """The blocks in order, with how many features each has.

    >>> sum(widths(384).values())
    2345
    """
    return turns.widths(dimension) | {
        "product": dimension,
        "difference": dimension,
        "belonging": len(BELONGING),
        "manner": len(MANNER),
        "answer": len(ANSWER),
    }


def features(
    level: Level,
    roles: Sequence[str],
    said: Sequence[Manner],
    vectors: NDArray[np.float32],
    before: FloatArray,
) -> FloatArray:
    """The row (6 D + 41,) of one view of T turns; NaN where a feature is not defined.

    Args:
        before: its row of `turns`, (4 D + 23,).
    """
    users = [turn for turn, role in enumerate(roles) if role == "user"]
    assistants = [turn for turn, role in enumerate(roles) if role == "assistant"]
    exact = vectors.astype(np.float64)
    dimension = exact.shape[1]
    pairs = answered(assistants, latest_before(roles))
    parts = {
        "product": _mean_of(exact, pairs, dimension, np.multiply) * np.sqrt(dimension),
        "difference": np.abs(_mean_of(exact, pairs, dimension, _apart)),
        "belonging": np.full(len(BELONGING), np.nan),
        "manner": np.full(len(MANNER), np.nan),
        "answer": np.full(len(ANSWER), np.nan),
    }
    row = before.copy()
    if level == "turn":
        row[4 * dimension :] = np.nan
        parts["answer"] = np.array([_last_cosine(exact, pairs, assistants[-1])])
    else:
        parts["belonging"] = _belonging(users, assistants, pairs, exact)
        parts["manner"] = manner([said[a] for a in assistants], [said[u] for u in users])
    return np.concatenate([row, *parts.values()])


def _apart(one: FloatArray, two: FloatArray) -> FloatArray:
    return np.abs(one - two)


def _mean_of(
    vectors: FloatArray,
    pairs: Sequence[tuple[int, int]],
    dimension: int,
    of: Callable[[FloatArray, FloatArray], FloatArray],
) -> FloatArray:
    """The mean (D,) over pairs of turns; NaN without any."""
    if not pairs:
        return np.full(dimension, np.nan)
    first, second = np.array(pairs).T
    return np.asarray(of(vectors[first], vectors[second]).mean(axis=0))


def _last_cosine(vectors: FloatArray, pairs: Sequence[tuple[int, int]], last: int) -> float:
    asked = dict(pairs).get(last)
    return float("nan") if asked is None else float(vectors[last] @ vectors[asked])


def _belonging(
    users: Sequence[int],
    assistants: Sequence[int],
    pairs: Sequence[tuple[int, int]],
    vectors: FloatArray,
) -> FloatArray:
    """The features named in `BELONGING`."""
    following = first_after(users, assistants)
    repeats, _ = earlier(users, vectors)
    return np.array(
        [
            *_own(vectors, pairs),
            *_own(vectors, following),
            _last_own(vectors, users, dict(pairs).get(assistants[-1]), assistants[-1]),
            float(np.mean(repeats)) if repeats else np.nan,
        ]
    )


def _own(vectors: FloatArray, pairs: Sequence[tuple[int, int]]) -> tuple[float, float]:
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


def _last_own(vectors: FloatArray, users: Sequence[int], asked: int | None, last: int) -> float:
    others = [user for user in users if user != asked]
    if asked is None or not others:
        return float("nan")
    return float(vectors[asked] @ vectors[last] - vectors[others].mean(axis=0) @ vectors[last])
