"""Topics and systems are drawn at random, within quotas."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from assize.simulate._topics_file import Topic
from assize.web._collect.choosing import Choice, Enough, choose
from assize.web._collect.settings import CollectSettings
from assize.web._storage.chats import Counts

TOPICS = [Topic(one, one) for one in ("a", "b", "c")]
NONE = Counts({}, {})


def settings(*names: str, **more: Any) -> CollectSettings:
    systems = [{"name": name, "model": "scripted:first"} for name in names]
    return CollectSettings.model_validate({"systems": systems, **more})


def drawn(
    given: CollectSettings, counts: Counts = NONE, sides: int = 1, times: int = 300
) -> list[Choice]:
    rng = np.random.default_rng(7)
    return [choose(given, TOPICS, counts, sides, rng) for _ in range(times)]


def test_every_topic_and_system_comes_up() -> None:
    found = drawn(settings("x", "y"))
    assert {one.topic.id for one in found} == {"a", "b", "c"}
    assert {one.systems for one in found} == {("x",), ("y",)}


def test_side_by_side_two_different_systems_answer_in_either_order() -> None:
    assert {one.systems for one in drawn(settings("x", "y"), sides=2)} == {("x", "y"), ("y", "x")}


def test_topics_that_a_rater_had_come_last() -> None:
    counts = Counts({}, {"a": 1, "b": 1})
    assert {one.topic.id for one in drawn(settings("x"), counts)} == {"c"}


def test_a_topic_that_was_put_aside_does_not_come_back() -> None:
    counts = Counts({}, {"a": 1}, ("b", "c"))
    assert {one.topic.id for one in drawn(settings("x"), counts)} == {"a"}


def test_full_quotas_are_not_drawn() -> None:
    given = settings("x", "y", quota={"per_system": 2, "per_rater": 9})
    counts = Counts({"x": 2, "y": 1}, {"a": 1})
    assert {one.systems for one in drawn(given, counts)} == {("y",)}


@pytest.mark.parametrize(
    ("quota", "counts", "sides", "said"),
    [
        ({"per_rater": 2}, Counts({}, {"a": 2}), 1, "wanted of you"),
        ({}, Counts({}, {}, ("a", "b", "c")), 1, "no further topic"),
        ({"per_system": 1}, Counts({"x": 1, "y": 1}, {}), 1, "have been had"),
        ({"per_system": 1}, Counts({"x": 1}, {}), 2, "have been had"),
    ],
)
def test_where_a_quota_leaves_nothing_it_is_enough(
    quota: dict[str, int], counts: Counts, sides: int, said: str
) -> None:
    with pytest.raises(Enough, match=said):
        drawn(settings("x", "y", quota=quota), counts, sides, 1)
