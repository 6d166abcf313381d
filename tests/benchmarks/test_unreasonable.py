from __future__ import annotations

import numpy as np
import pytest
from benchmarks.unreasonable import (
    REASONABLENESS,
    detection,
    exchanged,
    labels_of,
)
from tests.reference.ensemble.made import continuations

from assize.base.errors import DataError
from assize.judgments.values import numbers


def test_a_candidate_comes_from_another_conversation() -> None:
    given = continuations(40)
    home = {one.candidate: one.conversation for one in given}
    for one, other in zip(given, exchanged(given, np.random.default_rng(0)), strict=True):
        assert other.id == f"{one.id}/exchanged"
        assert (other.context, other.references) == (one.context, one.references)
        assert home[other.candidate] != one.conversation


def test_one_conversation_has_nothing_to_exchange_with() -> None:
    with pytest.raises(DataError, match="give at least two"):
        exchanged(continuations(4), np.random.default_rng(0))


def test_what_is_exchanged_is_labelled_unreasonable_and_all_else_reasonable() -> None:
    given = continuations(8)
    table = labels_of([*given, *exchanged(given, np.random.default_rng(0))])
    assert numbers(table, REASONABLENESS).tolist() == [5.0] * 8 + [1.0] * 8
    assert table.judges == ("exchange",)


def test_the_auc_is_the_share_of_pairs_in_the_right_order() -> None:
    scores = np.array([1.0, 3.0, 2.0, 3.0, 5.0])  # foreign: 1 and 3; of 6 pairs 4 right, 1 equal
    found = detection(scores, [True, True, False, False, False], list("aabbc"))
    assert found.estimate == pytest.approx((3 + 1.5) / 6)


def test_chance_is_a_half_and_the_interval_says_so() -> None:
    rng = np.random.default_rng(0)
    places = [f"c{at // 4}" for at in range(400)]
    found = detection(rng.normal(size=400), rng.random(400) < 0.5, places)
    assert found.interval[0] < 0.5 < found.interval[1]


def test_what_is_unscored_is_counted_and_left_out() -> None:
    scores = np.array([np.nan, 1.0, 2.0, 4.0])
    found = detection(scores, [True, True, False, False], list("abcd"))
    assert (found.estimate, found.n, found.unscored) == (1.0, 3, 1)


def test_one_kind_alone_has_no_auc_and_says_why() -> None:
    found = detection(np.array([1.0, 2.0]), [False, False], ["a", "b"])
    assert np.isnan(found.estimate)
    assert found.reason is not None
