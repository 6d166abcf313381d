"""A set far from what was fitted: where slopes act, what is kept of levels, what is in doubt."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from assize.calibrate._hierarchical.posterior import Posterior, Variances
from assize.calibrate._hierarchical.shift import Shift, expected, levels_of, moved, with_doubt


def one_rater(level: float, slope: float) -> Posterior:
    """Two thresholds and a slope: a rater, then nobody; nothing in doubt but levels of nobody."""
    mean = np.array([[-1 - level, 1 - level, slope], [-1.0, 1.0, 0.0]])
    covariance = np.zeros((2, 3, 3))
    covariance[1, :2, :2] = 0.25
    return Posterior(mean, covariance, 2, Variances(levels=0.25, thresholds=0.0))


def at(mean: float, count: int) -> Shift:
    return Shift(np.array([mean]), np.array([mean]), count)


def test_far_away_half_and_more_of_a_level_is_given_up() -> None:
    """D = 2: q = 2/3, rho = 1 - 4/9; the rest of the variance is c's."""
    by = expected(one_rater(0.0, 0.0), at(np.sqrt(2 + 1e-9), 10**9))
    assert by.kept == pytest.approx(5 / 9)
    assert by.of_rater == pytest.approx(0.25 * (1 - 25 / 81))
    assert by.of_set == pytest.approx(0.25 * 4 / 9)


def test_near_by_nothing_changes() -> None:
    by = expected(one_rater(0.0, 0.0), at(0.0, 100))
    assert (by.kept, by.of_rater, by.of_set) == (1, 0, 0)


def test_variances_learnt_in_fitting_are_added() -> None:
    given = one_rater(0.0, 0.0)
    given = replace(given, variances=replace(given.variances, sets=0.1, in_sets=0.2))
    by = expected(given, at(0.0, 100))
    assert by.kept == 1
    assert (by.of_rater, by.of_set) == pytest.approx((0.2, 0.1))


def test_the_mean_of_one_item_like_others_is_hardly_believed_and_of_many_it_is() -> None:
    assert at(0.9, 1).believed == pytest.approx(1 / 11)
    assert at(0.9, 1).distance == 0
    assert at(-2.0, 1).believed == pytest.approx(0.75)
    assert at(0.9, 200).believed > 0.99
    assert Shift(np.zeros(1), np.zeros(1), 0).believed == 0


def test_own_slopes_act_around_the_centre_and_levels_are_kept_in_part() -> None:
    """At the centre -2 the rater is at rho times the level; a step from there counts in full."""
    given = one_rater(0.5, 0.3)
    found = moved(given, np.array([-2.0]), 0.4)
    assert levels_of(given) == pytest.approx([0.5])
    middle, _ = found.latent(np.array([[-2.0], [-1.0]]), 0)
    assert middle[0] == pytest.approx([-1 - 0.2, 1 - 0.2])
    assert middle[1] == pytest.approx(middle[0] - 0.3)
    assert found.mean[-1] == pytest.approx(given.mean[-1])


def test_raters_differ_as_much_in_the_new_set_as_before() -> None:
    by = expected(one_rater(0.0, 0.0), at(1.5, 10**6))
    found = with_doubt(moved(one_rater(0.0, 0.0), np.zeros(1), by.kept), by)
    level = found.covariance[-1, :2, :2]
    assert level == pytest.approx(np.full((2, 2), 0.25 + by.of_set), rel=1e-6)
