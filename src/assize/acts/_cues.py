"""What the tagger sees of a turn: its meaning, what came before it, who speaks, how it is put.

Meaning is an encoder's; how it is put are words, word pairs, beginnings and endings, hashed
into a fixed number of places, for acts often hang on a `?`, a `thanks` or a first word.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from assize.base.conversation import Conversation, Pair, Turn
from assize.encoders import Encoder

VERSION = 2
PLACES = 2048
FLAGS = 4  # user, assistant, response, first turn

Floats = NDArray[np.float32]

_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)?|[?!.]")
_MOST_CHARACTERS = 4000


@dataclass(frozen=True, slots=True)
class Utterance:
    """A turn in its place."""

    text: str  # what is said
    before: str  # the turn before it; "" for the first
    user: bool  # whether a person speaks
    response: bool  # whether it is a response to be judged, and not part of the context


def utterances(item: Pair | Conversation) -> list[Utterance]:
    """Return the turns of an item in order: of a pair the context, then both responses."""
    if isinstance(item, Conversation):
        return _follow(item.turns, "", response=False)
    last = item.context[-1].text if item.context else ""
    responses = [*_follow(item.a, last, response=True), *_follow(item.b, last, response=True)]
    return [*_follow(item.context, "", response=False), *responses]


def _follow(turns: Sequence[Turn], before: str, *, response: bool) -> list[Utterance]:
    texts = [before, *(turn.text for turn in turns)]
    return [
        Utterance(turn.text, text, turn.role != "assistant", response)
        for text, turn in zip(texts, turns, strict=False)
    ]


def features(turns: Sequence[Utterance], encoder: Encoder) -> Floats:
    """Return (N, 2D + FLAGS + PLACES) features: both vectors, who speaks, and hashed words."""
    texts = [turn.text for turn in turns] + [turn.before for turn in turns]
    vectors = encoder.encode(texts).vectors
    flags = [[turn.user, not turn.user, turn.response, not turn.before] for turn in turns]
    hashed = np.zeros((len(turns), PLACES), np.float32)
    for row, turn in zip(hashed, turns, strict=True):
        places = {zlib.crc32(cue.encode("utf-8", "replace")) % PLACES for cue in cues(turn)}
        row[list(places)] = 1 / np.sqrt(len(places))
    blocks = [vectors[: len(turns)], vectors[len(turns) :], np.reshape(flags, (-1, FLAGS)), hashed]
    return np.hstack(blocks).astype(np.float32)


def cues(turn: Utterance) -> set[str]:
    """Return the words and patterns of a turn, and the last mark of the turn before.

    >>> sorted(cues(Utterance("Why not?", "Go.", True, False)))[:3]
    ['1:why', '2:why not', 'e:not ?']
    """
    words = _WORD.findall(turn.text[:_MOST_CHARACTERS].casefold())
    before = _WORD.findall(turn.before[-_MOST_CHARACTERS:].casefold())
    found = {f"w:{word}" for word in words}
    found |= {f"n:{a} {b}" for a, b in pairwise(words)}
    found |= {f"1:{' '.join(words[:1])}", f"2:{' '.join(words[:2])}", f"e:{' '.join(words[-2:])}"}
    found |= {f"p:{' '.join(before[-1:])}", "q:asked" if "?" in before else "q:told"}
    return found
