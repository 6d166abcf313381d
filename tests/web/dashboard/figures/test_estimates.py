"""Intervals and tests by the standard error of replicates."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.stats import t

from assize.stats import mean
from assize.stats._estimate import missing
from assize.stats._intervals import wilson_ends
from assize.web._dashboard.figures.estimates import (
    by_percentiles,
    by_replicates,
    difference_test,
    share_by_replicates,
    standard_error,
)
from assize.web._dashboard.figures.resampling import Drawn

TOLD = Drawn(("raters", "conversations"), 0, 100, 0.95, 0, "0")


def test_the_standard_error_makes_up_for_drawing_as_many_as_there_are() -> None:
    """Of 5 values the means of all samples of 5 have 4 / 5 of the variance of a mean."""
    values = np.array([1.0, 2.0, 4.0, 7.0, 11.0])
    drawn = np.random.default_rng(0).choice(values, (40_000, 5)).mean(axis=1)
    assert standard_error(drawn, 5) == pytest.approx(values.std(ddof=1) / 5**0.5, rel=0.02)


def test_where_conversations_alone_are_drawn_the_interval_is_students() -> None:
    values = np.random.default_rng(1).normal(2, 1, 12)
    exact = mean(values)
    drawn = np.random.default_rng(0).choice(values, (40_000, 12)).mean(axis=1)
    found = by_replicates(exact, drawn, 12, TOLD)
    assert found.interval == pytest.approx(exact.interval, rel=0.02)
    assert (found.estimate, found.n) == (exact.estimate, exact.n)
    assert found.signature != exact.signature
    assert "replicates-t|v1|raters+conversations|0.95|100|seed:0" in found.method


def test_the_test_agrees_with_the_interval() -> None:
    drawn = np.random.default_rng(0).normal(0, 1, 4_000)
    error = standard_error(drawn, 30)
    edge = float(t.ppf(0.975, 29)) * error  # where the interval touches 0
    assert difference_test(edge, drawn, 30, TOLD).p_value == pytest.approx(0.05)
    assert difference_test(-2 * edge, drawn, 30, TOLD).p_value < 0.001


def test_what_has_no_interval_over_conversations_gets_none() -> None:
    one = mean([2.0])
    assert by_replicates(one, np.arange(20.0), 1, TOLD) == one
    none = missing("mean", 1, "no values")
    assert by_percentiles(none, np.arange(20.0), TOLD) == none


def test_replicates_that_are_undefined_or_all_alike_give_nothing() -> None:
    drawn = np.r_[np.full(10, np.nan), np.arange(90.0)]
    assert math.isnan(standard_error(drawn, 10))
    found = mean([1.0, 2.0, 3.0])
    assert by_replicates(found, drawn, 3, TOLD) == found
    alike = difference_test(0.0, np.zeros(20), 3, TOLD)
    assert math.isnan(alike.p_value)
    assert alike.reason == "nothing varies"


def test_a_share_has_wilsons_interval_with_the_replicates_error() -> None:
    """200 answers of 50 conversations, whose share varies as that of 80 independent ones does."""
    drawn = 0.3 + np.random.default_rng(0).normal(0, (0.21 / 80 * 49 / 50) ** 0.5, 40_000)
    found = share_by_replicates(0.3, drawn, 50, 200, 50, TOLD)
    critical = float(t.ppf(0.975, 49))
    assert found.interval == pytest.approx(wilson_ends(0.3, 80, critical), abs=0.002)
    assert (found.estimate, found.n, found.clusters) == (0.3, 50, 50)
    held = share_by_replicates(0.3, drawn, 50, 60, 50, TOLD)
    assert held.interval == pytest.approx(wilson_ends(0.3, 60, critical))  # no more than answers


def test_a_share_of_none_or_all_has_its_interval_by_conversations() -> None:
    none, every = (share_by_replicates(p, np.full(40, p), 12, 36, 12, TOLD) for p in (0.0, 1.0))
    assert none.interval == pytest.approx(wilson_ends(0, 12, float(t.ppf(0.975, 11))))
    assert every.interval == pytest.approx([1 - end for end in reversed(none.interval)])
    assert share_by_replicates(0.0, np.zeros(40), 1, 3, 1, TOLD).reason is not None


def test_a_quantile_has_the_percentiles_of_its_replicates() -> None:
    found = by_percentiles(mean([1.0, 2.0, 3.0]), np.arange(101.0), TOLD)
    assert found.interval == pytest.approx((2.5, 97.5))
