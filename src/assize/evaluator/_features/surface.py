"""The shape of what an assistant said: numbers that need no encoder."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from assize.evaluator._features.vectors import Turns
from assize.evaluator._features.words import mean_of
from assize.stats._arrays import FloatArray

SHAPE = (
    "assistant_length",  # log(1 + mean words of an assistant turn)
    "last_length",  # log(1 + words of the last assistant turn)
    "turns",  # log(1 + assistant turns)
    "user_length",  # log(1 + mean words of a user turn)
    "last_user_length",  # log(1 + words of the last user turn)
    "distinct_words",  # distinct / all words of the assistant
    "distinct_pairs",  # distinct / all pairs of neighbouring words
    "repeated_turns",  # share of assistant turns that were said before, word for word
    "new_words",  # mean share of a turn's words that no earlier assistant turn held
    "shared_words",  # mean share of a turn's words that the user's turn before it held
    "distinct_in_turn",  # mean over turns of distinct / all words of the turn
    "questions",  # share of assistant turns with a question mark
    "uneven",  # standard deviation over (1 + mean) of the turns' lengths
    "richness",  # (distinct words squared / words) to the power 1/4
)
LENGTH = ("assistant_length", "last_length", "turns")
"""What the length-only baseline may see."""


def shape(turns: Turns) -> FloatArray:
    """The features named in `SHAPE`, (14,), from turns' words; NaN where one is not defined."""
    assistant = [turns.texts[turn].words for turn in turns.assistants]
    user = [turns.texts[turn].words for turn in turns.users]
    answered = [(turns.texts[u].words, turns.texts[a].words) for a, u in turns.answered]
    questions = sum(turns.texts[turn].asks for turn in turns.assistants)
    lengths = np.array([len(turn) for turn in assistant], dtype=np.float64)
    spoken = [word for turn in assistant for word in turn]
    pairs = [pair for turn in assistant for pair in pairwise(turn)]
    distinct = len(set(spoken))
    return np.array(
        [
            np.log1p(lengths.mean()),
            np.log1p(lengths[-1]),
            np.log1p(len(lengths)),
            np.log1p(mean_of([len(turn) for turn in user])),
            np.log1p(len(user[-1])) if user else np.nan,
            distinct / len(spoken) if spoken else np.nan,
            len(set(pairs)) / len(pairs) if pairs else np.nan,
            1 - len(set(assistant)) / len(assistant),
            mean_of(_novelty(assistant)),
            mean_of([len({*said} & {*asked}) / len({*said}) for asked, said in answered if said]),
            mean_of([len({*turn}) / len(turn) for turn in assistant if turn]),
            questions / len(assistant),
            lengths.std() / (1 + lengths.mean()),
            (distinct**2 / len(spoken)) ** 0.25 if spoken else np.nan,
        ]
    )


def _novelty(turns: Sequence[tuple[str, ...]]) -> list[float]:
    """Share of new words in each turn after the first one that holds words."""
    known: set[str] = set()
    shares = []
    for turn in turns:
        here = set(turn)
        if here and known:
            shares.append(len(here - known) / len(here))
        known |= here
    return shares
