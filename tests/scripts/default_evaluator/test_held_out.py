from __future__ import annotations

import numpy as np
import pytest
from scripts.default_evaluator.held_out import HeldOut, verdict, without_means

from assize.stats._arrays import FloatArray


def test_single_turns_count_in_the_average_only() -> None:
    rng = np.random.default_rng(0)
    target, noise = rng.normal(size=(2, 200))

    def one(level: str, head: FloatArray, other: FloatArray) -> HeldOut:
        predicted = {"head": head, "shape": other, "length": other}
        return HeldOut("c", "corpus", level, predicted, target, np.arange(200))

    good, poor = one("conversation", target, noise), one("turn", target + noise, target)
    assert verdict([good, poor], np.random.default_rng(1)).ships
    assert not verdict([poor], np.random.default_rng(1)).ships
    worse = one("conversation", target + noise, target)
    assert not verdict([good, worse], np.random.default_rng(1)).ships


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
