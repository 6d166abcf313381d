"""What the tagger sees of a turn: its meaning, what came before it, who speaks, how it is put.

Meaning is an encoder's; how it is put are words, word pairs, beginnings and endings, hashed
into a fixed number of places, for acts often hang on a `?`, a `thanks` or a first word.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from assize.base.conversation import Conversation, Pair, Turn
from assize.encoders import Encoder

VERSION = 1
PLACES = 2048
FLAGS = 4  # user, assistant, response, first turn
DENSE_WEIGHT, CUE_WEIGHT = 0.3, 6.0  # puts both blocks on one scale for the penalty

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
    """The turns of an item in order: of a pair the context, then both responses."""
    if isinstance(item, Conversation):
        return list(_said(item.turns, "", False))
    last = item.context[-1].text if item.context else ""
    sides = (_said(side, last, True) for side in (item.a, item.b))
    return [*_said(item.context, "", False), *(one for side in sides for one in side)]


def _said(turns: Sequence[Turn], before: str, response: bool) -> Iterator[Utterance]:
    for turn in turns:
        yield Utterance(turn.text, before, turn.role != "assistant", response)
        before = turn.text


def rows(said: Sequence[Utterance], encoder: Encoder) -> tuple[Floats, Floats]:
    """Dense (N, 2D + 4) and cue (N, PLACES) features, as the encoder and the words give them."""
    texts = [one.text for one in said] + [one.before for one in said]
    vectors = encoder.encode(texts).vectors
    flags = np.array(
        [[one.user, not one.user, one.response, not one.before] for one in said], np.float32
    ).reshape(len(said), FLAGS)
    dense = np.hstack([vectors[: len(said)], vectors[len(said) :], flags])
    return dense.astype(np.float32), _hashed(said)


def _hashed(said: Sequence[Utterance]) -> Floats:
    found = np.zeros((len(said), PLACES), np.float32)
    for row, one in zip(found, said, strict=True):
        places = {zlib.crc32(cue.encode("utf-8", "replace")) % PLACES for cue in cues(one)}
        row[list(places)] = 1 / np.sqrt(len(places))
    return found


def cues(one: Utterance) -> set[str]:
    """The words and patterns of a turn, and the last mark of the turn before.

    >>> sorted(cues(Utterance("Why not?", "Go.", True, False)))[:3]
    ['1:why', '2:why not', 'e:not ?']
    """
    words = _WORD.findall(one.text[:_MOST_CHARACTERS].casefold())
    before = _WORD.findall(one.before[-_MOST_CHARACTERS:].casefold())
    found = {f"w:{word}" for word in words}
    found |= {f"n:{a} {b}" for a, b in pairwise(words)}
    found |= {f"1:{' '.join(words[:1])}", f"2:{' '.join(words[:2])}", f"e:{' '.join(words[-2:])}"}
    found |= {f"p:{' '.join(before[-1:])}", "q:asked" if "?" in before else "q:told"}
    return found
