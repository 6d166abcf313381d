"""The featuriser `turns`: one row a view, from its turns' vectors, their likeness and their words.

Letters: T turns, D dimension of the encoder, F features.

Six blocks stand side by side, each a part of the row:

    assistant_mean (D)  mean vector of the assistant's turns
    user_mean      (D)  mean vector of the user's turns
    assistant_last (D)  the assistant's last turn
    user_last      (D)  the user's last turn before it
    similarity     (9)  cosines between turns: does it answer, does it repeat itself
    shape          (14) lengths, distinct words, questions: see `surface.SHAPE`

Only user and assistant turns that hold text count. What a conversation does not have (a
user's turn, an earlier turn to repeat) is NaN, which a head reads as the training mean.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from assize.encoders import Encoding
from assize.evaluator._features.surface import SHAPE, FloatArray, mean_of, shape, words
from assize.evaluator._features.views import View

VERSION = 1  # rises when the same turns give other numbers

REACH = 50  # how many turns back a repetition is looked for

EMBEDDINGS = ("assistant_mean", "user_mean", "assistant_last", "user_last")
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


@dataclass(frozen=True)
class TurnFeatures:
    """The featuriser, see `Featuriser`; it has no settings."""

    name: ClassVar[str] = "turns"
    version: ClassVar[int] = VERSION
    settings: ClassVar[Mapping[str, Any]] = {}

    def widths(self, dimension: int) -> dict[str, int]:
        """The blocks in order, with how many features each has."""
        return widths(dimension)

    def texts(self, view: View) -> Iterable[str]:
        """Each turn's own."""
        return (turn.text for turn in view.turns)

    def reader(self, texts: Sequence[str], encoding: Encoding) -> Callable[[View], FloatArray]:
        """What gives the row (F,) of a view."""
        places = {text: place for place, text in enumerate(texts)}
        said = [Said.of(text) for text in texts]

        def read(view: View) -> FloatArray:
            at = [places[turn.text] for turn in view.turns]
            roles = [turn.role for turn in view.turns]
            return features(roles, [said[place] for place in at], encoding.vectors[at])

        return read


@dataclass(frozen=True, slots=True)
class Said:
    """A text as the features see it: made once for each distinct text."""

    words: tuple[str, ...]
    question: bool

    @classmethod
    def of(cls, text: str) -> Said:
        """The words of the text, and whether it asks something."""
        return cls(words(text), "?" in text)


def widths(dimension: int) -> dict[str, int]:
    """The blocks in order, with how many features each has.

    >>> sum(widths(384).values())
    1559
    """
    return dict.fromkeys(EMBEDDINGS, dimension) | {
        "similarity": len(SIMILARITY),
        "shape": len(SHAPE),
    }


def blocks(dimension: int) -> dict[str, slice]:
    """Where each block stands in a row."""
    places, start = {}, 0
    for name, width in widths(dimension).items():
        places[name] = slice(start, start + width)
        start += width
    return places


def names(dimension: int) -> list[str]:
    """The name of every feature, for instance `shape.turns` or `user_mean.17`."""
    inner: Mapping[str, Sequence[str]] = {"similarity": SIMILARITY, "shape": SHAPE}
    return [
        f"{block}.{part}"
        for block, width in widths(dimension).items()
        for part in inner.get(block, [str(place) for place in range(width)])
    ]


def features(
    roles: Sequence[str], said: Sequence[Said], vectors: NDArray[np.float32]
) -> FloatArray:
    """The row (4 D + 23,) of one conversation of T turns; NaN where a feature is not defined."""
    users = [turn for turn, role in enumerate(roles) if role == "user"]
    assistants = [turn for turn, role in enumerate(roles) if role == "assistant"]
    before = latest_before(roles)
    exact = vectors.astype(np.float64)
    last, asked = assistants[-1], before[assistants[-1]]
    missing = np.full(exact.shape[1], np.nan)
    return np.concatenate(
        [
            exact[assistants].mean(axis=0),
            exact[users].mean(axis=0) if users else missing,
            exact[last],
            missing if asked is None else exact[asked],
            _similarity(users, assistants, before, exact),
            shape(
                [said[turn].words for turn in assistants],
                [said[turn].words for turn in users],
                [(said[u].words, said[a].words) for a, u in answered(assistants, before)],
                sum(said[turn].question for turn in assistants),
            ),
        ]
    )


def latest_before(roles: Sequence[str]) -> list[int | None]:
    """For each turn the latest user turn before it."""
    latest: int | None = None
    found = []
    for turn, role in enumerate(roles):
        found.append(latest)
        if role == "user":
            latest = turn
    return found


def answered(assistants: Sequence[int], before: Sequence[int | None]) -> list[tuple[int, int]]:
    """(assistant turn, the user turn it answers)."""
    return [(turn, user) for turn in assistants if (user := before[turn]) is not None]


def _similarity(
    users: Sequence[int],
    assistants: Sequence[int],
    before: Sequence[int | None],
    vectors: FloatArray,
) -> FloatArray:
    """The features named in `SIMILARITY`."""
    answers = [float(vectors[a] @ vectors[u]) for a, u in answered(assistants, before)]
    following = first_after(users, assistants)
    followed = [float(vectors[a] @ vectors[u]) for a, u in following]
    repeats, echoes = earlier(assistants, vectors)
    context = [
        float(vectors[turn] @ vectors[max(0, turn - REACH) : turn].mean(axis=0))
        for turn in assistants
        if turn > 0
    ]
    answered_last = before[assistants[-1]] is not None
    return np.array(
        [
            mean_of(answers),
            min(answers, default=np.nan),
            answers[-1] if answered_last else np.nan,
            mean_of(followed),
            mean_of(repeats),
            max(repeats, default=np.nan),
            mean_of(echoes),
            mean_of(context),
            _mutual(vectors[users]),
        ]
    )


def first_after(users: Sequence[int], assistants: Sequence[int]) -> list[tuple[int, int]]:
    """(assistant turn, the first user turn after it)."""
    places = np.searchsorted(users, assistants)
    return [
        (turn, users[place])
        for turn, place in zip(assistants, places, strict=True)
        if place < len(users)
    ]


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
