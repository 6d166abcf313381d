"""The featurisers of turns: a row of blocks a view, from its turns' vectors and their words.

Letters: D dimension of the encoder, F features.

What a conversation does not have (a user's turn, an earlier turn to repeat) is NaN, which a head
reads as the training mean. Only user and assistant turns that hold text count. To add a block, give
`BLOCKS` a row.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from assize.encoders import Encoding
from assize.evaluator._features.manner import MANNER, manner
from assize.evaluator._features.surface import SHAPE, shape
from assize.evaluator._features.vectors import BELONGING, SIMILARITY, Turns, belonging, similarity
from assize.evaluator._features.views import Level, View
from assize.evaluator._features.words import TextMarks
from assize.stats._arrays import FloatArray


@dataclass(frozen=True, slots=True)
class Block:
    """Features that stand side by side in a row.

    Args:
        compute: the features of a view.
        names: of the features; a vector of the encoder has none.
        level: the only one that the block is of; None for both.
    """

    compute: Callable[[Turns], FloatArray]
    names: tuple[str, ...] = ()
    level: Level | None = None


def _answer(turns: Turns) -> FloatArray:
    """The cosine of the last turn with the user's turn that it answers."""
    asked, last = turns.last_question, turns.assistants[-1]
    return np.array([np.nan if asked is None else turns.vectors[last] @ turns.vectors[asked]])


def _apart(answers: FloatArray, questions: FloatArray) -> FloatArray:
    return np.abs(answers - questions)


def _product(turns: Turns) -> FloatArray:
    return np.asarray(turns.over_exchanges(np.multiply) * np.sqrt(turns.vectors.shape[1]))


def _last_question(turns: Turns) -> FloatArray:
    return turns.mean_of([] if turns.last_question is None else [turns.last_question])


BLOCKS: Mapping[str, Block] = {
    # mean vectors of the assistant's and of the user's turns
    "assistant_mean": Block(lambda turns: turns.mean_of(turns.assistants)),
    "user_mean": Block(lambda turns: turns.mean_of(turns.users)),
    # the assistant's last turn, and the user's last turn before it
    "assistant_last": Block(lambda turns: turns.vectors[turns.assistants[-1]]),
    "user_last": Block(_last_question),
    # cosines between turns: does it answer, does it repeat itself
    "similarity": Block(similarity, SIMILARITY, "conversation"),
    # lengths, distinct words, questions
    "shape": Block(shape, SHAPE, "conversation"),
    # mean over exchanges of the two vectors' product, and of their absolute difference
    "product": Block(_product),
    "difference": Block(lambda turns: turns.over_exchanges(_apart)),
    # does an answer belong to its own question more than to the others?
    "belonging": Block(belonging, BELONGING, "conversation"),
    # praise, complaint, excuses
    "manner": Block(manner, MANNER, "conversation"),
    "answer": Block(_answer, ("cosine",), "turn"),
    # the user's turns that follow an answer: mean vector, and the last one if it follows one
    "reactions": Block(lambda turns: turns.mean_of(turns.reactions), level="conversation"),
    "last_reaction": Block(lambda turns: turns.mean_of(turns.reactions[-1:]), level="conversation"),
}


@dataclass(frozen=True)
class TurnFeatures:
    """The first six blocks, see `Featuriser`; it has no settings."""

    name: ClassVar[str] = "turns"
    version: ClassVar[int] = 1  # rises when the same turns give other numbers
    settings: ClassVar[Mapping[str, Any]] = {}
    blocks: ClassVar[tuple[str, ...]] = tuple(BLOCKS)[:6]
    by_level: ClassVar[bool] = False  # whether a block is NaN in views of a level that it is not of

    def widths(self, dimension: int) -> dict[str, int]:
        """The blocks in order, with how many features each has.

        >>> sum(TurnFeatures().widths(384).values()), sum(ExchangeFeatures().widths(384).values())
        (1559, 3113)
        """
        return {name: len(BLOCKS[name].names) or dimension for name in self.blocks}

    def texts(self, view: View) -> Iterable[str]:
        """Each turn's own."""
        return (turn.text for turn in view.turns)

    def reader(self, texts: Sequence[str], encoding: Encoding) -> Callable[[View], FloatArray]:
        """What gives the row (F,) of a view."""
        index = {text: number for number, text in enumerate(texts)}
        marks = [TextMarks.of(text) for text in texts]

        def read(view: View) -> FloatArray:
            own = [index[turn.text] for turn in view.turns]
            vectors = encoding.vectors[own].astype(np.float64)
            roles = [turn.role for turn in view.turns]
            return self.row(Turns(roles, [marks[text] for text in own], vectors), view.level)

        return read

    def row(self, turns: Turns, level: Level) -> FloatArray:
        """The features (F,) of a view; NaN where one is not defined."""
        parts = []
        for name, width in self.widths(turns.vectors.shape[1]).items():
            block = BLOCKS[name]
            if self.by_level and block.level not in (None, level):
                parts.append(np.full(width, np.nan))
            else:
                parts.append(block.compute(turns))
        return np.concatenate(parts)


@dataclass(frozen=True)
class ExchangeFeatures(TurnFeatures):
    """All blocks: also how question, answer and reaction fit.

    A conversation and a single turn are different things to judge: lengths and counts that tell a
    good conversation mislead on one turn. So a block is NaN in views of a level that it is not of:
    a linear head has weights of its own for each, and shares those of the vectors.
    """

    name: ClassVar[str] = "exchanges"
    blocks: ClassVar[tuple[str, ...]] = tuple(BLOCKS)
    by_level: ClassVar[bool] = True
