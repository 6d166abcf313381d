"""Which topic a rater gets, and which systems: at random."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from assize.simulate._topics_file import Topic
from assize.web._collect.settings import System
from assize.web._storage.chats import Counts


class Enough(Exception):
    """No further conversation is wanted of this rater; the text says why."""


def choose_topic(topics: Sequence[Topic], counts: Counts, rng: np.random.Generator) -> Topic:
    """One of the topics that this rater had least often.

    Raises:
        Enough: every topic was put aside.
    """
    wanted = [one for one in topics if one.id not in counts.put_aside]
    if not wanted:
        raise Enough("There is no further topic for you. Thank you!")
    least = min(counts.topics.get(one.id, 0) for one in wanted)
    open_ = [one for one in wanted if counts.topics.get(one.id, 0) == least]
    return open_[int(rng.integers(len(open_)))]


def choose_systems(
    systems: Sequence[System], sides: int, rng: np.random.Generator
) -> tuple[str, ...]:
    """Draw as many systems as there are sides, in random order, without replacement.

    Source: LLM-Rubric, appendix H.
    """
    return tuple(systems[int(index)].name for index in rng.permutation(len(systems))[:sides])
