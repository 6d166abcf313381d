"""How often one sample is above another."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.stats as reference
from hypothesis import given
from hypothesis import strategies as st

from assize.stats import superiority

VALUES = st.lists(st.integers(1, 4), min_size=2, max_size=9)


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


def test_too_little_has_a_reason() -> None:
    assert superiority([], [1.0]).above.reason == "no values on one side"
    below = superiority([1.0], [2.0, 3.0, np.nan]).below
    assert (below.estimate, below.unscored) == (1, 1)
    assert below.reason == "an interval needs at least 2 values on each side"
    assert superiority([2, 2], [1, 1]).above.reason == "no variation to estimate an interval from"
