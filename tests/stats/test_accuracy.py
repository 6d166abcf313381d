"""Accuracy and balanced accuracy: by hand, and what must hold of them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from assize.stats import accuracy, balanced_accuracy

CODES = arrays(np.float64, 20, elements=st.integers(0, 3).map(float))


def test_balanced_accuracy_is_the_mean_of_the_recalls_by_hand() -> None:
    # class 1: 3 of 4 right; class 5: 1 of 2 right; (0.75 + 0.5) / 2
    gold = [1, 1, 1, 1, 5, 5]
    said = [1, 1, 1, 5, 5, 1]
    assert balanced_accuracy(said, gold).estimate == pytest.approx(0.625)


@given(CODES)
def test_one_answer_for_all_rows_gets_one_over_the_classes(gold: np.ndarray) -> None:
    found = balanced_accuracy(np.full(20, gold[0]), gold)
    classes = len(np.unique(gold))
    if classes == 1:
        assert found.reason == "`gold` holds a single class"
    else:
        assert found.estimate == pytest.approx(1 / classes)


@given(CODES, CODES)
def test_copies_of_the_rows_change_no_value(said: np.ndarray, gold: np.ndarray) -> None:
    for of in (accuracy, balanced_accuracy):
        once, twice = of(said, gold), of(np.tile(said, 2), np.tile(gold, 2))
        assert once.estimate == pytest.approx(twice.estimate, nan_ok=True)


def test_rows_of_a_conversation_widen_the_interval() -> None:
    rng = np.random.default_rng(0)
    gold = np.repeat(rng.integers(0, 2, 60), 10).astype(float)
    said = np.where(np.repeat(rng.random(60) < 0.7, 10), gold, 1 - gold)
    clusters = np.repeat(np.arange(60), 10)
    for of in (accuracy, balanced_accuracy):
        alone, together = of(said, gold), of(said, gold, clusters=clusters)
        assert together.estimate == alone.estimate
        width = np.ptp(together.interval) / np.ptp(alone.interval)
        assert width > 2.5  # the square root of 10 is 3.16
