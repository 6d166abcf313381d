from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scripts.default_evaluator.held_out import HeldOut, without_means


def test_the_lowest_quarter_by_hand() -> None:
    # predicted lowest: rows 0 and 1; people's lowest: rows 0 and 2
    predicted = np.array([0.0, 1, 2, 3, 4, 5, 6, 7])
    target = np.array([0.0, 5, 1, 6, 7, 8, 9, 10])
    found = HeldOut("c", "corpus", "turn", {"head": predicted}, target, np.arange(8))
    assert found.lowest().estimate == 0.5
    assert found.chance() == 0.25


def test_means_of_groups_are_taken_out() -> None:
    found = without_means(np.array([1.0, 3.0, 10.0]), np.array(["a", "a", "b"]))
    assert found.tolist() == pytest.approx([-1, 1, 0])


def test_systems_told_apart_are_no_conversations_told_apart() -> None:
    rng = np.random.default_rng(0)
    systems = np.repeat(["a", "b", "c"], 50)
    level = np.repeat([0.0, 5.0, 10.0], 50)  # both agree on the systems, and on nothing else
    predicted, target = (level + rng.normal(size=150) for _ in range(2))
    found = HeldOut(
        "c",
        "corpus",
        "conversation",
        {"head": predicted},
        target,
        np.arange(150),
        systems=systems,
    )
    assert found.measure().estimate > 0.8
    assert found.of_systems() == "1.00 of 3"
    within: Any = found.within(found.systems)
    assert within.interval[0] < 0 < within.interval[1]


@pytest.mark.parametrize(("level", "chance"), [("conversation", 0.0), ("pair", 0.5)])
def test_chance_is_zero_or_of_pairs_a_half(level: str, chance: float) -> None:
    rng = np.random.default_rng(1)
    target = np.sign(rng.normal(size=200))
    noise = rng.normal(size=200)
    right = HeldOut("c", "corpus", level, {"head": target + noise}, target, np.arange(200))
    random = HeldOut("c", "corpus", level, {"head": noise}, target, np.arange(200))
    assert (right.above_chance, random.above_chance) == (True, False)
    assert random.measure().interval[0] < chance < random.measure().interval[1]
