"""Which topic a rater gets, and which systems: at random."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from assize.simulate._topics_file import Topic
from assize.web._collect.settings import System


class Enough(Exception):
    """No further conversation is wanted of this rater; the text says why."""


def choose_topic(
    topics: Sequence[Topic], counts: Mapping[str, int | None], rng: np.random.Generator
) -> Topic:
    """One of the topics that this rater had least often.

    Args:
        counts: by topic, as `count_topics` has them.

    Raises:
        Enough: every topic was put aside.
    """
    had = [(counts.get(topic.id, 0), topic) for topic in topics]
    least = min((times for times, _ in had if times is not None), default=None)
    if least is None:
        raise Enough("There is no further topic for you. Thank you!")
    rarest = [topic for times, topic in had if times == least]
    return rarest[int(rng.integers(len(rarest)))]


def choose_systems(
    systems: Sequence[System], sides: int, rng: np.random.Generator
) -> tuple[str, ...]:
    """Draw as many systems as there are sides, in random order, without replacement.

    Source: LLM-Rubric, appendix H.
    """
    return tuple(systems[int(index)].name for index in rng.permutation(len(systems))[:sides])
