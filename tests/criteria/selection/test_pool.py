"""Pools: orientation, missing evaluations, and what cannot be separated."""

from __future__ import annotations

import numpy as np
import pytest

from assize.base.errors import DataError
from assize.criteria._selection import Pool

GOOD = [True, True, False, False]


def test_dsat_counts_against_a_conversation() -> None:
    scores: list[list[float]] = [[10, 0], [7.5, 2.5], [0, 10], [2.5, 7.5]]
    pool = Pool.of(scores, [True, False], GOOD)
    assert pool.net([0, 1]).tolist() == [10, 5, -10, -5]
    assert pool.net([1]).tolist() == [0, -2.5, -10, -7.5]


def test_what_is_unscored_counts_as_neutral_and_is_counted() -> None:
    scores: list[list[float]] = [[10, np.nan], [10, 0], [np.nan, 10], [0, 10]]
    pool = Pool.of(scores, [True, False], GOOD)
    assert pool.imputed == 2
    assert pool.scores[0, 1] == -5
    assert pool.scores[2, 0] == 5


@pytest.mark.parametrize(
    ("evaluations", "sat", "good", "said"),
    [
        ([[1.0]] * 4, [True], [True] * 4, "0 of 4 conversations are bad; at least 2"),
        ([[1.0]] * 4, [True], [True, False, False, False], "1 of 4 conversations are good"),
        ([[np.inf]] * 4, [True], GOOD, "infinite"),
    ],
)
def test_what_cannot_be_separated_is_told(
    evaluations: list[list[float]], sat: list[bool], good: list[bool], said: str
) -> None:
    with pytest.raises(DataError, match=said):
        Pool.of(evaluations, sat, good)
