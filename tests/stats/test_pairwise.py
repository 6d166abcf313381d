"""Accuracy over pairs with ties, and win / tie / loss."""

from __future__ import annotations

import numpy as np
import pytest

from assize.base.errors import DataError
from assize.stats import pairwise_accuracy, wilson

GOLD = np.array([1, 1, 0, -1, -1, 0], dtype=float)
PREDICTED = np.array([0.9, -0.2, 0.05, 0.0, -0.6, np.nan])


def test_the_three_forms_by_hand() -> None:
    # A B A tie B -; gold A A tie B B tie
    result = pairwise_accuracy(PREDICTED, GOLD)
    # decided gold: right, wrong, a tie (wrong), right
    parts = (result.with_tie, result.without_tie, result.both_decided, result.coverage)
    assert [part.estimate for part in parts] == pytest.approx([2 / 5, 2 / 4, 2 / 3, 3 / 4])
    assert result.with_tie.unscored == 1


def test_the_intervals_are_wilsons_and_clusters_widen_them() -> None:
    gold, predicted = np.ones(40), np.repeat([1.0, -1.0, 1.0, 1.0], 10)
    clusters = np.repeat(np.arange(4), 10)
    plain = pairwise_accuracy(predicted, gold)
    assert plain.without_tie.interval == wilson(30, 40).interval
    grouped = pairwise_accuracy(predicted, gold, clusters=clusters)
    assert np.diff(grouped.without_tie.interval) > np.diff(plain.without_tie.interval)


def test_exchanging_a_and_b_changes_nothing() -> None:
    assert pairwise_accuracy(-PREDICTED, -GOLD) == pairwise_accuracy(PREDICTED, GOLD)


def test_no_decided_gold_is_nan_with_a_reason_and_lengths_must_agree() -> None:
    result = pairwise_accuracy([1, 0], [0, 0])
    assert (result.without_tie.reason, result.with_tie.estimate) == ("no trials", 0.5)
    with pytest.raises(DataError, match="`predicted` has 1, `gold` has 2"):
        pairwise_accuracy([1], [1, 1])
