"""Quantiles with intervals that assume nothing."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.stats import quantile_test

from assize.base.errors import DataError
from assize.stats import quantile


@pytest.mark.parametrize(("n", "share"), [(9, 0.5), (40, 0.1), (120, 0.9), (31, 0.25)])
def test_the_interval_is_scipys(n: int, share: float) -> None:
    values = np.random.default_rng(n).normal(size=n)
    expected: Any = quantile_test(values, p=share).confidence_interval(0.95)
    found = quantile(values, share).interval
    if not np.isnan([expected.low, expected.high]).any():
        assert found == pytest.approx((expected.low, expected.high))


def test_too_few_values_have_none() -> None:
    found = quantile([1, 2, 3, np.nan], 0.1)
    assert found.reason == "3 values are too few for an interval"
    assert (found.n, found.unscored) == (3, 1)
    assert quantile([np.nan], 0.5).reason == "no values"
    with pytest.raises(DataError, match="`share` must lie"):
        quantile([1], 1.0)
    with pytest.raises(DataError, match="`confidence` must lie"):
        quantile([1], 0.5, confidence=0)
