from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from assize.report import intervals


def test_the_mean_and_its_interval_equal_those_of_scipy() -> None:
    values = np.random.default_rng(1).normal(size=40)
    found = intervals.mean(values.tolist())
    low, high = stats.t.interval(0.95, 39, loc=values.mean(), scale=stats.sem(values))
    assert (found.value, found.low, found.high) == pytest.approx((values.mean(), low, high))


def test_a_share_has_wilsons_interval() -> None:
    # 4 of 7: statsmodels.stats.proportion.proportion_confint(4, 7, method="wilson")
    found = intervals.share(4, 7)
    assert (found.low, found.high) == pytest.approx((0.25045836, 0.84178014), abs=1e-7)


def test_too_little_data_gives_nan_and_not_zero() -> None:
    assert math.isnan(intervals.mean([]).value)
    assert intervals.mean([0.3]).value == 0.3
    assert math.isnan(intervals.mean([0.3]).low)
    assert math.isnan(intervals.share(0, 0).value)
    assert intervals.share(0, 5).low == 0
