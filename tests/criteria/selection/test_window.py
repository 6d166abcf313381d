"""Cuts and yields, by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest

from assize.base.errors import ConfigError
from assize.criteria._selection import Window, window, yield_rate

SCORES = np.arange(8.0)
#                bad  bad    bad    good  bad    good  good  good
GOOD = np.array([0, 0, 0, 1, 0, 1, 1, 1], dtype=bool)


def test_the_window_by_hand() -> None:
    # Up to 2 all are bad; up to 3 one of four is good; from 5 on all are good, from 4 four of five.
    found = window(SCORES, GOOD, 3.5, precision=0.9)
    assert (found.low, found.high) == (2, 4)
    rate = yield_rate(found, SCORES, GOOD)
    assert (rate.share, rate.labelled, rate.n, rate.precision) == (6 / 8, 6, 8, 1.0)


@pytest.mark.parametrize(
    ("midpoint", "cut"), [(3.5, 3.5), (0.0, 2.0), (9.0, 4.0), (4.5, 4.5), (5.0, 4.0)]
)
def test_cuts_that_cross_leave_nothing_open(midpoint: float, cut: float) -> None:
    # At 0.75 labels of bad hold up to 4 (4 of 5), labels of good from above 2 (4 of 5).
    found = window(SCORES, GOOD, midpoint, precision=0.75)
    assert found.low == found.high == cut
    assert yield_rate(found, SCORES, GOOD).share == 1


def test_classes_that_do_not_overlap_are_parted_at_the_midpoint() -> None:
    scores, good = np.array([-10.0, 0.0, 15.0, 20.0]), np.array([False, False, True, True])
    assert window(scores, good, 6.25) == Window(6.25, 6.25, 0.9)


def test_where_no_score_is_sure_nothing_is_labelled() -> None:
    found = window(SCORES, ~GOOD, 3.5, precision=0.9)
    assert (found.low, found.high) == (-math.inf, math.inf)
    rate = yield_rate(found, SCORES, ~GOOD)
    assert rate.share == 0
    assert math.isnan(rate.precision)


def test_equal_scores_stand_and_fall_together() -> None:
    scores, good = np.array([0.0, 0, 0, 1, 1, 1]), np.array([0, 0, 1, 1, 1, 1], dtype=bool)
    found = window(scores, good, 0.5, precision=0.9)
    assert (found.low, found.high) == (-math.inf, 0)
    assert found.good(scores).tolist() == [False] * 3 + [True] * 3


def test_an_unscored_conversation_is_not_labelled_and_counts() -> None:
    scores, good = np.append(SCORES, np.nan), np.append(GOOD, True)
    found = window(scores, good, 3.5)
    assert (found.low, found.high) == (2, 4)
    assert yield_rate(found, scores, good).share == 6 / 9


def test_a_window_found_elsewhere_says_what_it_really_reached() -> None:
    found = window(SCORES, GOOD, 3.5)
    rate = yield_rate(found, np.array([0.0, 1.0, 3.0, 7.0]), np.array([True, False, True, True]))
    assert rate.share == 3 / 4
    assert rate.precision == pytest.approx(2 / 3)


def test_prevalence_changes_what_is_sure() -> None:
    rare = window(SCORES, GOOD, 3.5, precision=0.75, prevalence=0.05)
    assert rare.high == rare.low == 4  # hardly anything is good, but above 4 nothing is bad


@pytest.mark.parametrize("precision", [0.0, 1.1])
def test_a_precision_out_of_range_is_refused(precision: float) -> None:
    with pytest.raises(ConfigError, match="precision"):
        window(SCORES, GOOD, 3.5, precision)
