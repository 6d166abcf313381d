"""Perfect agreement, majorities and pluralities: by hand, and as properties."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from assize.stats import agreement_bins

NAN = float("nan")
HOLED = arrays(np.float64, (4, 15), elements=st.sampled_from([0.0, 1, 2, 5, NAN]))


BINS = np.array(
    [
        [1, 1, 1, 1, 1, 1],
        [1, 1, 1, 1, 2, NAN],
        [1, 1, 2, 2, 3, NAN],
        [1, 2, 3, 2, 4, NAN],
        [1, 2, 4, NAN, 5, NAN],
    ]
)  # perfect; 3 of 5; 2 of 5; 2-2; all differ; one rating


def test_bins_by_hand() -> None:
    found = agreement_bins(BINS)
    assert found.reached.tolist() == [3, 2, 1, 0, 0, -1]
    shares = [found.perfect, found.majority, found.plurality, found.none]
    assert [one.estimate for one in shares] == pytest.approx([0.2, 0.2, 0.2, 0.4])
    assert {one.unscored for one in shares} == {1}
    nested = agreement_bins(BINS, exclusive=False)
    assert [nested.perfect.estimate, nested.majority.estimate, nested.plurality.estimate] == (
        pytest.approx([0.2, 0.4, 0.6])
    )


@given(HOLED)
def test_exclusive_bins_add_up_to_one(ratings: np.ndarray) -> None:
    found = agreement_bins(ratings)
    total = sum(
        one.estimate for one in (found.perfect, found.majority, found.plurality, found.none)
    )
    rated = (~np.isnan(ratings)).sum(axis=0) >= 2
    assert total == pytest.approx(1 if rated.any() else NAN, nan_ok=True)
    for item, reached in enumerate(found.reached):
        present = ratings[:, item][~np.isnan(ratings[:, item])]
        if len(present) < 2:
            assert reached == -1
            continue
        _, counts = np.unique(present, return_counts=True)
        top = np.sort(counts)[::-1]
        expected = 3 if len(top) == 1 else 2 if top[0] > len(present) / 2 else top[0] > top[1]
        assert reached == expected


@given(HOLED, st.permutations(range(4)), st.permutations(range(15)))
def test_bins_ignore_the_order_of_raters_and_move_with_the_items(
    ratings: np.ndarray, raters: list[int], items: list[int]
) -> None:
    other = ratings[raters][:, items]
    assert np.array_equal(agreement_bins(other).reached, agreement_bins(ratings).reached[items])


def test_items_of_one_cluster_are_one_unit_of_the_interval() -> None:
    # items 0 and 1 are perfect, 2 and 3 are not; each stands three times in its cluster
    ratings = np.repeat([[1.0, 1, 1, 1], [1, 1, 2, 2]], 3, axis=1)
    apart = agreement_bins(ratings)
    together = agreement_bins(ratings, clusters=np.repeat(np.arange(4), 3))
    assert together.perfect.estimate == apart.perfect.estimate == 0.5
    assert (together.perfect.clusters, apart.perfect.clusters) == (4, 12)
    assert np.diff(together.perfect.interval) > np.diff(apart.perfect.interval)
