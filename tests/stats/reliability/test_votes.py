from __future__ import annotations

import numpy as np
import pytest

from assize.base.errors import DataError
from assize.stats._reliability import Votes


def test_signs_become_counts_and_a_missing_vote_counts_nothing() -> None:
    votes = Votes.from_signs([[1, -1, 0, np.nan]])
    assert votes.shape == (1, 4, 1)
    assert votes.for_a[0, :, 0].tolist() == [1, 0, 0, 0]
    assert votes.for_b[0, :, 0].tolist() == [0, 1, 0, 0]
    assert votes.ties[0, :, 0].tolist() == [0, 0, 1, 0]


def test_pairs_with_ties_alone_have_no_side() -> None:
    votes = Votes.from_signs([[[1.0, 0.0]], [[0.0, np.nan]]])
    assert votes.sided.tolist() == [[True, False], [False, False]]


def test_rows_are_taken_in_order_or_by_mask() -> None:
    votes = Votes.of([[1.0], [2.0], [3.0]], [[0.0], [0.0], [1.0]])
    assert votes.take([2, 0]).for_a[:, 0, 0].tolist() == [3, 1]
    assert votes.take(np.array([False, True, True])).for_b[:, 0, 0].tolist() == [0, 1]


def test_weights_scale_every_count_and_mirrors_exchange_the_sides() -> None:
    votes = Votes.of([[1.0, 1.0]], [[0.0, 1.0]], [[2.0, 0.0]])
    half = votes.weighed(np.array([0.5, 1.0])[:, None])
    assert half.for_a[0, :, 0].tolist() == [0.5, 1]
    assert half.ties[0, :, 0].tolist() == [1, 0]


def test_bad_counts_are_named_with_their_place() -> None:
    with pytest.raises(DataError, match=r"`for_b` holds nan at pair 1, judge 0, question 0"):
        Votes.of([[1.0], [0.0]], [[0.0], [np.nan]])
    with pytest.raises(DataError, match=r"`for_a` holds -1\.0"):
        Votes.of([[-1.0]], [[0.0]])
    with pytest.raises(DataError, match="`ties` has shape"):
        Votes.of([[1.0]], [[0.0]], [[0.0, 1.0]])
    with pytest.raises(DataError, match=r"must be \(pairs, judges, questions\)"):
        Votes.of([1.0], [0.0])
    with pytest.raises(DataError, match="`signs` must hold 1"):
        Votes.from_signs([[2.0]])
    with pytest.raises(DataError, match="`signs` must hold numbers"):
        Votes.from_signs([["A"]])
    with pytest.raises(DataError, match="`for_a` must hold counts"):
        Votes.of([["A"]], [[0.0]])
