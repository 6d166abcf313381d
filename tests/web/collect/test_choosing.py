"""Topics and systems are drawn at random."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pytest

from assize.simulate._topics_file import Topic
from assize.web._collect.choosing import choose_systems, choose_topic
from assize.web._collect.settings import System

TOPICS = [Topic(one, one) for one in ("a", "b", "c")]
SYSTEMS = [System(name=name, model="scripted:first") for name in ("x", "y")]


@pytest.mark.parametrize(
    ("counts", "drawn"),
    [
        ({}, {"a", "b", "c"}),
        ({"a": 1, "b": 1}, {"c"}),
        ({"a": 1, "b": None, "c": None}, {"a"}),
    ],
    ids=["every topic comes up", "those that a rater had come last", "none that was put aside"],
)
def test_topics_are_drawn(counts: Mapping[str, int | None], drawn: set[str]) -> None:
    rng = np.random.default_rng(7)
    assert {choose_topic(TOPICS, counts, rng).id for _ in range(300)} == drawn


@pytest.mark.parametrize(("sides", "drawn"), [(1, {("x",), ("y",)}), (2, {("x", "y"), ("y", "x")})])
def test_every_system_comes_up_and_two_in_either_order(
    sides: int, drawn: set[tuple[str, ...]]
) -> None:
    rng = np.random.default_rng(7)
    assert {choose_systems(SYSTEMS, sides, rng) for _ in range(300)} == drawn
