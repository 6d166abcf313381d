"""Consecutive turns of a user whose acts change: what AMULET's table 5 shows of conversations."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from assize.acts._annotations import Acts, Annotation
from assize.base.conversation import Conversation, Pair

MOST = 2  # examples shown
LONGEST = 4  # turns of one, the first that change
SHORTEST = 3
_ROOM = 600  # characters of the turns of one, together


@dataclass(frozen=True, slots=True)
class Example:
    """Some consecutive turns of the user in one conversation."""

    item: str
    turns: Sequence[tuple[str, Acts]]  # what was said, and the acts in it


def examples(
    annotations: Iterable[Annotation], items: Mapping[str, Pair | Conversation]
) -> list[Example]:
    """The short stretches in which the user's acts change most; equals in the order of ids."""
    found = [one for held in annotations for one in _stretch(held, items[held.item])]
    return sorted(found, key=_place)[:MOST]


def _place(example: Example) -> tuple[int, int, str]:
    kinds = {frozenset(acts) for _, acts in example.turns}
    return -len(kinds), sum(len(text) for text, _ in example.turns), example.item


def _stretch(annotation: Annotation, item: Pair | Conversation) -> Iterator[Example]:
    """The first turns of the user, if they are few words and each does something else."""
    said = item.context if isinstance(item, Pair) else item.turns
    turns = [
        (turn.text, acts)
        for turn, acts in zip(said[annotation.left_out :], annotation.context, strict=False)
        if turn.role == "user"
    ][:LONGEST]
    changes = all(set(one) != set(two) for (_, one), (_, two) in pairwise(turns))
    if len(turns) >= SHORTEST and changes and sum(len(text) for text, _ in turns) <= _ROOM:
        yield Example(annotation.item, turns)
