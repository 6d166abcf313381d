"""Vectors of answers, so that what is learnt of one is learnt of those like it.

A softmax over many answers has weights of its own for each of them, and a few hundred
ratings leave most of these where they started. With fixed vectors E (K, d) of the answers,
a network's last layer has d columns instead of K:

    p(answer) = softmax((U + U^a) [1; z2] E^T + c)        U (h2 + 1, d), c one number an answer

and such a question enters x as p E with the mass of p: d + 1 numbers, not K.

Source: Hashemi et al. (2024) name answer embeddings for large answer sets and leave the
rest open. Ours: of unordered answers an encoder's vectors, reduced by principal components;
of ordered ones cosines of their places. Neither is trained.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from assize.base.errors import DataError
from assize.base.judgment import Question
from assize.calibrate._data.features import FloatArray, questions_of
from assize.calibrate._data.forms import Forms

if TYPE_CHECKING:
    from assize.encoders import Encoder

OVER = 12  # answers; a question with more than so many is read and predicted by vectors
SIZE = 5  # numbers an answer
FLAT = 1e-9  # of the largest principal component, below which one holds nothing


@dataclass(frozen=True, slots=True, eq=False)
class AnswerEmbedding:
    """The answers of one question as vectors.

    Args:
        question: its id.
        answers: (K,) in the order of the rows.
        vectors: (K, d) floats, however long; lengths around 1 start a network where the
            published one starts.
    """

    question: str
    answers: tuple[str, ...]
    vectors: FloatArray

    @property
    def size(self) -> int:
        """d, numbers an answer."""
        return int(self.vectors.shape[1])

    def rows(self, answers: Sequence[str]) -> FloatArray:
        """Vectors (K', d) of answers by name; raises DataError for one that has none."""
        place = {answer: row for row, answer in enumerate(self.answers)}
        lacking = [answer for answer in answers if answer not in place]
        if lacking:
            raise DataError(
                f"answer {ascii(lacking[0])[:60]} of {self.question!r} has no vector;"
                f" {len(self.answers)} others have one; give it one, or none to the question"
            )
        return self.vectors[[place[answer] for answer in answers]]


Embeddings = Mapping[str, AnswerEmbedding]  # by question
NONE: Embeddings = MappingProxyType({})


def embed_answers(forms: Forms, encoder: Encoder, *, size: int = SIZE) -> Embeddings:
    """Codes of all questions with more than OVER answers, by question.

    Ordered answers are alike when they are near each other: see `cosines`. Any other answer
    is encoded as its meaning (the question's `labels`), or as itself where it has none; the
    vectors are centred and reduced to their first principal components.

    Args:
        forms: what people were asked and, by `features`, what a model was.
        encoder: of `assize.encoders`.
        size: numbers an answer; fewer where the answers span less.

    Raises:
        DataError: all answers of an unordered question have one vector, or the encoder cannot
            read one of them.
    """
    found = {}
    for question in _questions(forms):
        if len(question.answers) <= OVER:
            continue
        if question.kind == "ordinal":
            values = range(len(question.answers)) if question.values is None else question.values
            vectors = cosines(values, size)
        else:
            texts = [question.labels.get(answer) or answer for answer in question.answers]
            _check_readable(question.id, texts, encoder)
            try:
                vectors = principal_components(encoder.encode(texts).vectors, size)
            except DataError as error:
                raise DataError(f"answers of {question.id!r}: {error}") from None
        found[question.id] = AnswerEmbedding(question.id, question.answers, vectors)
    return found


def _check_readable(question: str, texts: Sequence[str], encoder: Encoder) -> None:
    """Refuse answers that the encoder cannot read: all of them would have one vector."""
    from assize.encoders import find_unreadable

    unread = find_unreadable(encoder, texts)
    if unread:
        first, why = next(iter(unread.items()))
        raise DataError(
            f"{len(unread)} of {len(texts)} answers of {question!r} cannot be read, the first being"
            f" {texts[first]!a:.60}: {why.message}; or give the answers labels that it reads"
        )


def cosines(values: Sequence[float], size: int) -> FloatArray:
    """Vectors (K, d) of ordered answers, of mean squared length 1: cos(pi j (k + 1/2) / K).

    k is the answer's place by rising value, j = 1..d; the waves are orthogonal, the slowest
    first, so that d of them follow a distribution along the scale as finely as d allows.

    Returns:
        d is `size`, or K - 1 where that is less.

    >>> cosines([10.0, 20.0, 30.0], 1).round(6).T.tolist()
    [[1.224745, 0.0, -1.224745]]
    """
    count = len(values)
    place = np.argsort(np.argsort(values, kind="stable"))
    waves = np.arange(1, min(size, count - 1) + 1)
    found = np.cos(np.pi * waves * (place[:, None] + 0.5) / count)
    return np.asarray(found * np.sqrt(2 / len(waves)))


def principal_components(vectors: ArrayLike, size: int) -> FloatArray:
    """The first principal components (K, d) of vectors (K, D), of mean squared length 1.

    d is `size`, or the rank of the centred vectors where that is less. Signs are free; here
    the first answer that stands out in a component is positive.

    >>> principal_components([[0.0, 5.0], [2.0, 5.0]], 3).round(6).tolist()
    [[1.0], [-1.0]]
    """
    given = np.asarray(vectors, dtype=np.float64)
    left, lengths, _ = np.linalg.svd(given - given.mean(axis=0), full_matrices=False)
    rank = int((lengths > FLAT * max(lengths[0], np.abs(given).max())).sum())
    if rank == 0:
        raise DataError("all have the same vector; nothing tells them apart")
    found = (left * lengths)[:, : min(size, rank)]
    size_of = np.abs(found)
    first = (size_of > size_of.max(axis=0) / 2).argmax(axis=0)
    found = found * np.sign(found[first, np.arange(found.shape[1])])
    return np.asarray(found / np.sqrt((found**2).sum(axis=1).mean()))


def _questions(forms: Forms) -> list[Question]:
    """What people were asked, then what only a model was (whose answers have no labels)."""
    found = {scale.id: scale.question for scale in forms.scales}
    read = (block for block in forms.features.blocks if block.answers and not block.late)
    for one in questions_of(read):
        found.setdefault(one.id, one)
    return list(found.values())
