"""Reading recorded act outputs: whose turn is each label's?

An output repeats the conversation, but never exactly: turns are cut, doubled, invented,
labelled line by line, or named after somebody else. So the pieces of an output are
aligned with the turns of the conversation, in order, by what they repeat and who is said
to speak, and the best alignment as a whole counts.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from assize.acts._labels import Act
from assize.acts._pieces import Piece, Speaker, pieces_of
from assize.acts._taxonomy import Taxonomy, load_taxonomy
from assize.base.conversation import Pair

_SKIPPED = 0.6  # what leaving out a turn costs
_INVENTED = 0.1  # what setting aside a piece costs
_RIGHT_SPEAKER, _WRONG_SPEAKER = 0.3, 0.6
_NOT_ALIKE = 0.8  # a piece begins a turn at no cost from 40% likeness on
_BEGINS_ANEW = 0.3  # what a piece costs that names a speaker and goes on with a turn
_PREFIX = 40  # characters, without blanks and marks, that make a beginning
_SHORTEST = 6
_MOST_PIECES = 400  # more than that, besides four a turn, is no annotation but a runaway output
_LONGEST = 4000  # characters compared


@dataclass(frozen=True, slots=True)
class Spoken:
    """A turn as an output may name it: `side` is 0 in the context, 1 or 2 in a response."""

    speaker: Speaker
    side: int
    text: str


@dataclass(frozen=True, slots=True)
class Reading:
    """What an output says about each turn.

    Args:
        turns: one entry a turn, in order: its acts, or None where it has no label.
        invented: labelled pieces that repeat no turn of the conversation.
        dimensions: one entry a turn: the dimension of each of its labels, as often as it is named.
    """

    turns: tuple[tuple[Act, ...] | None, ...]
    invented: tuple[Piece, ...]
    dimensions: tuple[tuple[str, ...], ...] = ()

    @property
    def exact(self) -> bool:
        """Whether the labels are those of exactly the conversation's turns."""
        return not self.invented and all(acts is not None for acts in self.turns)


def spoken(pair: Pair) -> list[Spoken]:
    """Return the turns of a pair in the order in which a judge sees them: context, A, then B."""
    sides = ((0, pair.context), (1, pair.a), (2, pair.b))
    return [
        Spoken("assistant" if turn.role == "assistant" else "user", side, turn.text)
        for side, turns in sides
        for turn in turns
    ]


def read_recorded(
    recorded: Any, turns: Sequence[Spoken], taxonomy: Taxonomy | None = None
) -> Reading:
    """Read the acts of each turn from a recorded output of a judge.

    Never raises, whatever the output holds.

    Args:
        recorded: the output as text (`turn <SEP> {label} ...`), or a JSON object with the turns'
            texts as keys, as text or parsed. Anything else has no labels.
        turns: T turns, as the judge saw them.
        taxonomy: for the spelling of names; AMULET's when None. Unknown names are kept as written.
    """
    names = load_taxonomy() if taxonomy is None else taxonomy
    pieces = pieces_of(recorded, names, (turn.text for turn in turns))
    pieces = pieces[: _MOST_PIECES + 4 * len(turns)]
    places = _aligned(pieces, turns)
    found: list[Piece | None] = [None] * len(turns)
    invented = []
    for piece, place in zip(pieces, places, strict=True):
        if not piece.acts:
            continue
        if place is None:
            invented.append(piece)
        else:
            found[place] = _joined(found[place], piece)
    _share(found, [piece for piece in pieces if piece.keyed], turns)
    known = {_folded(turn.text) for turn in turns}
    return Reading(
        tuple(None if one is None else tuple(dict.fromkeys(one.acts)) for one in found),
        tuple(one for one in invented if not (one.keyed and _folded(one.text) in known)),
        tuple(() if one is None else one.dimensions for one in found),
    )


def _joined(before: Piece | None, piece: Piece) -> Piece:
    """The labels of one turn, whose pieces may be several."""
    if before is None:
        return piece
    dimensions = (*before.dimensions, *piece.dimensions)
    return replace(before, acts=(*before.acts, *piece.acts), dimensions=dimensions)


def _share(found: list[Piece | None], keyed: Sequence[Piece], turns: Sequence[Spoken]) -> None:
    """Turns without labels take those of the entry with their text, if possible their speaker's."""
    by_text = {_folded(piece.text): piece for piece in keyed}
    exactly = {(piece.speaker, piece.side, _folded(piece.text)): piece for piece in keyed}
    for place, turn in enumerate(turns):
        text = _folded(turn.text)
        piece = exactly.get((turn.speaker, turn.side, text), by_text.get(text))
        if found[place] is None and piece is not None:
            found[place] = piece


def _aligned(pieces: Sequence[Piece], turns: Sequence[Spoken]) -> list[int | None]:
    """The turn that each piece belongs to, None for none: the best alignment in order."""
    best: list[float] = [0.0, *([-math.inf] * len(turns))]  # by the number of turns begun
    steps: list[list[tuple[int, int | None]]] = []
    for piece in pieces:
        scores = [[_begins(piece, turn), _goes_on(piece, turn)] for turn in turns]
        after = [score - (_INVENTED if piece.acts else 0.0) for score in best]
        back: list[tuple[int, int | None]] = [(begun, None) for begun in range(len(best))]
        leaving, left = -math.inf, 0  # the best state before, less what was skipped since
        for begun in range(1, len(best)):
            going_on = best[begun] + scores[begun - 1][1]
            if going_on > after[begun]:
                after[begun], back[begun] = going_on, (begun, begun - 1)
            if best[begun - 1] > leaving:
                leaving, left = best[begun - 1], begun - 1
            value = leaving + scores[begun - 1][0]
            if value > after[begun]:
                after[begun], back[begun] = value, (left, begun - 1)
            leaving -= _SKIPPED
        best = after
        steps.append(back)
    ends = [score - _SKIPPED * (len(turns) - begun) for begun, score in enumerate(best)]
    state = ends.index(max(ends))
    places: list[int | None] = []
    for back in reversed(steps):
        state, place = back[state]
        places.append(place)
    return places[::-1]


def _begins(piece: Piece, turn: Spoken) -> float:
    gain = 2 * _likeness(_folded(piece.text), _folded(turn.text)) - _NOT_ALIKE
    if piece.speaker is not None:
        same = piece.speaker == turn.speaker and (not piece.side or piece.side == turn.side)
        gain += _RIGHT_SPEAKER if same else -_WRONG_SPEAKER
    return gain


def _goes_on(piece: Piece, turn: Spoken) -> float:
    said, whole = _folded(piece.text), _folded(turn.text)
    if not said:
        return -math.inf
    inside = 1.0 if said in whole else _shared(said, whole) / max(1, len(_grams(said)))
    return inside - 0.5 - (_BEGINS_ANEW if piece.speaker is not None else 0.0)


def _likeness(said: str, whole: str) -> float:
    """1 for the same text, 0.95 for the same beginning, else the share of common trigrams."""
    if said == whole:
        return 1.0
    length = min(len(said), len(whole), _PREFIX)
    if length >= _SHORTEST and said[:length] == whole[:length]:
        return 0.95
    total = len(_grams(said)) + len(_grams(whole))
    return 2 * _shared(said, whole) / total if total else 0.0


@lru_cache(maxsize=4096)
def _shared(said: str, whole: str) -> int:
    return len(_grams(said) & _grams(whole))


@lru_cache(maxsize=1024)
def _grams(text: str) -> frozenset[str]:
    return frozenset(text[n : n + 3] for n in range(max(1, len(text) - 2))) if text else frozenset()


@lru_cache(maxsize=1024)
def _folded(text: str) -> str:
    """Letters and digits alone, in lower case."""
    return "".join(filter(str.isalnum, text[:_LONGEST].casefold()))
