"""How often one sample is above another."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.stats as reference
from hypothesis import given
from hypothesis import strategies as st

from assize.stats import superiority

VALUES = st.lists(st.integers(1, 4), min_size=2, max_size=9)


def test_shares_by_hand() -> None:
    # 3 x 2 pairs: 2>1, 3>1, 3>1 are above; 3=3 twice; 2<3 once.
    found = superiority([2, 3, 3], [1, 3])
    shares = [one.estimate for one in (found.above, found.equal, found.below)]
    assert shares == pytest.approx([3 / 6, 2 / 6, 1 / 6])


@given(VALUES, VALUES)
def test_shares_are_those_of_all_pairs(first: list[int], second: list[int]) -> None:
    found = superiority(first, second)
    apart = np.subtract.outer(first, second)
    shares = [one.estimate for one in (found.above, found.equal, found.below)]
    expected = [np.mean(apart > 0), np.mean(apart == 0), np.mean(apart < 0)]
    assert shares == pytest.approx(expected)


def test_the_variance_is_brunner_and_munzels() -> None:
    rng = np.random.default_rng(0)
    first, second = rng.normal(size=30), rng.normal(0.5, 2, size=20)
    found = superiority(first, second).above
    theirs = reference.brunnermunzel(first, second)
    # Their statistic is the share's distance from 1/2 in its standard errors.
    reach = (found.interval[1] - found.interval[0]) / 2
    error = abs(found.estimate - 0.5) / abs(theirs.statistic)
    assert reach / error == pytest.approx(reference.t.ppf(0.975, 40), rel=0.05)


def test_intervals_cover_a_true_share() -> None:
    rng = np.random.default_rng(1)
    true = reference.norm.cdf(0.5 / np.sqrt(2))
    held = 0
    for _ in range(500):
        low, high = superiority(rng.normal(0.5, 1, 40), rng.normal(size=40)).above.interval
        held += low <= true <= high
    assert held / 500 == pytest.approx(0.95, abs=0.03)


def test_too_little_has_a_reason() -> None:
    assert superiority([], [1.0]).above.reason == "no values on one side"
    below = superiority([1.0], [2.0, 3.0, np.nan]).below
    assert (below.estimate, below.unscored) == (1, 1)
    assert below.reason == "an interval needs at least 2 values on each side"
    assert superiority([2, 2], [1, 1]).above.reason == "no variation to estimate an interval from"
