"""The mode of ratings, and how often a rating is it: by hand, and from simulated raters."""

from __future__ import annotations

import numpy as np
import pytest

from assize.stats import against_others, at_mode, modes

NAN = np.nan


def columns(*items: list[float]) -> np.ndarray:
    """(raters, items) from the ratings of each item, missing ones last."""
    most = max(map(len, items))
    return np.array([one + [NAN] * (most - len(one)) for one in items], dtype=float).T


def test_the_mode_is_the_one_most_frequent_rating() -> None:
    found = modes(columns([1, 1, 2, 3, 4], [1, 1, 2, 2, 3], [5, 5, 5], [2], []))
    assert np.array_equal(found, [1, NAN, 5, NAN, NAN], equal_nan=True)
    assert np.isnan(modes(np.full((3, 2), NAN))).all()


@pytest.mark.parametrize(
    ("items", "share", "unscored"),
    [
        ([[1, 1, 2, 3, 4], [5, 5, 1, 2, 3]], 0.4, 0),
        # two of four, and two of three: such items lift a plurality above two fifths
        ([[1, 1, 2, 3], [5, 5, 1]], (1 / 2 + 2 / 3) / 2, 0),
        ([[1, 1, 2, 2, 3], [1, 1, 1, 2, 3]], 0.6, 1),  # the first has no mode
    ],
)
def test_people_are_at_the_mode_with_a_share_of_the_ratings_that_are_there(
    items: list[list[float]], share: float, unscored: int
) -> None:
    found = at_mode(columns(*items))
    assert found.estimate == pytest.approx(share)
    assert (found.n, found.unscored) == (2 - unscored, unscored)


def test_a_rating_is_compared_with_the_mode_of_the_others_by_hand() -> None:
    # 1 1 1 2: each 1 meets {1, 1, 2} with mode 1, right; the 2 meets {1, 1, 1}, wrong: 3 of 4.
    # 1 1 2 2: each meets two of the other kind and one of its own, and is wrong: 0 of 4.
    found = against_others(columns([1, 1, 1, 2], [1, 1, 2, 2]))
    assert found.estimate == pytest.approx((3 / 4 + 0) / 2)


def test_two_raters_leave_nobody_to_compare_with() -> None:
    found = against_others([[1, 2], [1, 3]])
    assert np.isnan(found.estimate)
    assert found.reason == "needs three raters; there are 2"
