"""Which topic a rater gets, and which systems: at random, within quotas."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from assize.simulate._topics_file import Topic
from assize.web._collect.settings import CollectSettings, System
from assize.web._storage.chats import Counts


class Enough(Exception):
    """No further conversation is wanted of this rater; the text says why."""


@dataclass(frozen=True, slots=True)
class Choice:
    """What a chat is about, and with whom; systems in the order of the sides."""

    topic: Topic
    systems: tuple[str, ...]


def choose(
    settings: CollectSettings,
    topics: Sequence[Topic],
    counts: Counts,
    sides: int,
    rng: np.random.Generator,
) -> Choice:
    """Draws a topic and as many systems as there are sides.

    The topic is one of those that this rater had least often, without those they put aside; the
    systems are drawn side by side without replacement and in random order, among those with room
    in their quota.

    Raises:
        Enough: a quota leaves nothing to draw.

    Source: LLM-Rubric, appendix H. Differs: topics that a rater had come last, quotas are ours.
    """
    quota = settings.quota
    if quota.per_rater is not None and counts.of_person >= quota.per_rater:
        raise Enough("You have had all the conversations that are wanted of you. Thank you!")
    return Choice(
        choose_topic(topics, counts, rng),
        choose_systems(settings.systems, counts.systems, quota.per_system, sides, rng),
    )


def choose_topic(topics: Sequence[Topic], counts: Counts, rng: np.random.Generator) -> Topic:
    """One of the topics that this rater had least often.

    Raises:
        Enough: every topic was put aside.
    """
    wanted = [one for one in topics if one.id not in counts.put_aside]
    if not wanted:
        raise Enough("There is no further topic for you. Thank you!")
    least = min(counts.topics_of.get(one.id, 0) for one in wanted)
    open_ = [one for one in wanted if counts.topics_of.get(one.id, 0) == least]
    return open_[int(rng.integers(len(open_)))]


def choose_systems(
    systems: Sequence[System],
    had: Mapping[str, int],
    most: int | None,
    sides: int,
    rng: np.random.Generator,
) -> tuple[str, ...]:
    """As many systems as there are sides, in random order.

    Raises:
        Enough: too few have room in their quota.
    """
    free = [one for one in systems if most is None or had.get(one.name, 0) < most]
    if len(free) < sides:
        raise Enough("All the conversations that are wanted have been had. Thank you!")
    return tuple(free[int(at)].name for at in rng.permutation(len(free))[:sides])
