from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from assize.base.errors import DataError
from assize.stats._reliability import Votes


def test_signs_become_counts_and_a_missing_vote_counts_nothing() -> None:
    votes = Votes.from_signs([[1, -1, 0, np.nan]])
    assert votes.shape == (1, 4, 1)
    counts = [rows[0, :, 0].tolist() for rows in (votes.for_a, votes.for_b, votes.ties)]
    assert counts == [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0]]


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


@pytest.mark.parametrize(
    ("counts", "message"),
    [
        (([[1.0], [0.0]], [[0.0], [np.nan]]), "`for_b` holds nan at pair 1, judge 0, question 0"),
        (([[-1.0]], [[0.0]]), r"`for_a` holds -1\.0"),
        (([[1.0]], [[0.0]], [[0.0, 1.0]]), "`ties` has shape"),
        (([1.0], [0.0]), r"must be \(pairs, judges, questions\)"),
        (([["A"]], [[0.0]]), "`for_a` must hold counts"),
    ],
)
def test_bad_counts_are_named_with_their_place(counts: Any, message: str) -> None:
    with pytest.raises(DataError, match=message):
        Votes.of(*counts)


@pytest.mark.parametrize(("sign", "message"), [(2.0, "must hold 1"), ("A", "must hold numbers")])
def test_bad_signs_are_refused(sign: Any, message: str) -> None:
    with pytest.raises(DataError, match=f"`signs` {message}"):
        Votes.from_signs([[sign]])
