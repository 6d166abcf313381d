"""The graph of a dialogue: which utterance is joined to which, and by what kind of edge."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from assize.errors import ConfigError

ALL = -1  # a window without an end
Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Graph:
    """Directed edges between utterances; each carries a message from its source to its target.

    Args:
        sources: (edges E,) utterances, counted from 0.
        targets: (E,) utterances.
        kinds: (E,) between 0 and 2 S^2 - 1 for S speakers: by who speaks at the source, who at the
            target, and whether the source comes before the target (0) or not (1).
    """

    sources: Ints
    targets: Ints
    kinds: Ints


def graph_of(speakers: Sequence[int], count: int, past: int, future: int) -> Graph:
    """The graph of a dialogue; each utterance is also joined to itself.

    Args:
        speakers: who says each utterance, from 0.
        count: how many speakers there can be, S.
        past, future: an utterance is joined to so many before and after it; -1 to all of them.

    Raises:
        ConfigError: a speaker is none of `count`, or a window is below -1.

    Source: Zhang et al. (2021), section 3.3, and its release. Differs: none.

    >>> graph_of([0, 1], 2, 1, 1).kinds.tolist()
    [1, 2, 5, 7]
    """
    if min(past, future) < ALL:
        raise ConfigError(f"windows are {past} and {future}; give 0 or more, or {ALL} for all")
    if not all(0 <= one < count for one in speakers):
        raise ConfigError(f"speakers are {sorted(set(speakers))}; the network knows {count}")
    length = len(speakers)
    edges = [
        (source, target)
        for source in range(length)
        for target in range(
            0 if past == ALL else max(0, source - past),
            length if future == ALL else min(length, source + future + 1),
        )
    ]
    sources = np.array([source for source, _ in edges], dtype=np.int64)
    targets = np.array([target for _, target in edges], dtype=np.int64)
    who = np.array(speakers, dtype=np.int64)
    pair = count * who[sources] + who[targets]
    return Graph(sources, targets, 2 * pair + (sources >= targets))


def first_come(roles: Sequence[str]) -> list[int]:
    """Speakers by when they first speak.

    >>> first_come(["assistant", "user", "assistant"])
    [0, 1, 0]
    """
    known: dict[str, int] = {}
    return [known.setdefault(role, len(known)) for role in roles]
