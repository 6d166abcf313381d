"""Topics and systems are drawn at random."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pytest

from assize.simulate._topics_file import Topic
from assize.web._collect.choosing import Enough, choose_systems, choose_topic
from assize.web._collect.settings import System

TOPICS = [Topic(one, one) for one in ("a", "b", "c")]
SYSTEMS = [System(name=name, model="scripted:first") for name in ("x", "y")]


def topics(counts: Mapping[str, int | None], times: int = 300) -> set[str]:
    rng = np.random.default_rng(7)
    return {choose_topic(TOPICS, counts, rng).id for _ in range(times)}


def test_every_topic_and_system_comes_up() -> None:
    rng = np.random.default_rng(7)
    assert topics({}) == {"a", "b", "c"}
    assert {choose_systems(SYSTEMS, 1, rng) for _ in range(300)} == {("x",), ("y",)}


def test_side_by_side_two_different_systems_answer_in_either_order() -> None:
    rng = np.random.default_rng(7)
    assert {choose_systems(SYSTEMS, 2, rng) for _ in range(300)} == {("x", "y"), ("y", "x")}


def test_topics_that_a_rater_had_come_last() -> None:
    assert topics({"a": 1, "b": 1}) == {"c"}


def test_a_topic_that_was_put_aside_does_not_come_back() -> None:
    assert topics({"a": 1, "b": None, "c": None}) == {"a"}


def test_where_every_topic_was_put_aside_it_is_enough() -> None:
    with pytest.raises(Enough, match="no further topic"):
        topics(dict.fromkeys("abc"), 1)
