"""Change-points: hand-computed, properties, and recovery of changes that were planted."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.stats as reference
from hypothesis import given, settings
from hypothesis import strategies as st

from assize.base.errors import DataError
from assize.stats._change_points import ChangePoints, change_points, step

RNG = np.random.default_rng


def found_in(values: Any, **given: Any) -> list[ChangePoints]:
    array = np.asarray(values, dtype=float)
    times = given.pop("times", np.arange(len(array)))
    table = array[:, None] if array.ndim == 1 else array
    return change_points(table, times, rng=RNG(0), **{"permutations": 999, **given})


def shifted(*sizes: float, length: int = 300, seed: int = 0) -> np.ndarray:
    """Parts of equal length, their means being `sizes`, with a deviation of 1."""
    drawn = [RNG([seed, at]).normal(size, 1, length) for at, size in enumerate(sizes)]
    return np.concatenate(drawn)


def test_a_step_without_noise_is_found_where_it_is() -> None:
    (found,) = found_in([0.0] * 30 + [1.0] * 30)
    (change,) = found.changes
    assert (change.at, change.interval, change.position) == (30, (30, 30), 30)
    parts = (change.before, change.after, change.difference)
    assert [part.estimate for part in parts] == [0, 1, 1]
    assert change.p_value == found.p_value == 0.001


def test_the_step_is_the_difference_of_means_with_welchs_error() -> None:
    values = np.concatenate([RNG(1).normal(0, 1, 400), RNG(2).normal(0.2, 2, 200)])
    found = step(values, 400)
    welch = reference.ttest_ind(values[400:], values[:400], equal_var=False)
    ends = welch.confidence_interval()
    assert found.estimate == pytest.approx(values[400:].mean() - values[:400].mean())
    assert found.interval == pytest.approx((ends.low, ends.high), abs=0.01)
    assert found.details["p_value"] == pytest.approx(welch.pvalue, abs=0.01)


def test_a_step_with_nothing_on_one_side_has_a_reason() -> None:
    found = step([1.0, 2.0, float("nan")], 2)
    assert np.isnan(found.estimate)
    assert np.isnan(found.details["p_value"])
    assert (found.reason, found.unscored) == ("no values on one side", 1)


def test_missing_values_are_counted_and_change_nothing_else() -> None:
    values = shifted(0, 1)
    gaps = np.insert(values, 100, np.nan)
    at = np.insert(np.arange(600.0), 100, 99.5)
    (whole,), (found,) = found_in(values), found_in(gaps, times=at)
    assert (found.test.n, found.test.unscored) == (600, 1)
    assert found.changes[0].at == whole.changes[0].at


def test_conversations_of_one_time_are_not_parted() -> None:
    (found,) = found_in(shifted(0, 1), times=np.arange(600) // 40)
    (change,) = found.changes
    assert (change.at in (7, 8), change.position % 40) == (True, 0)


def test_rows_may_stand_in_any_order() -> None:
    values, order = shifted(0, 1), RNG(5).permutation(600)
    (one,), (other,) = found_in(values), found_in(values[order], times=order)
    assert [change.at for change in one.changes] == [change.at for change in other.changes]


@settings(max_examples=10, deadline=None)
@given(st.floats(0.01, 100), st.floats(-100, 100), st.integers(0, 100))
def test_the_unit_of_measurement_does_not_matter(scale: float, start: float, seed: int) -> None:
    values = shifted(0, 0.8, length=60, seed=seed)
    (one,), (other,) = found_in(values), found_in(start + scale * values)
    assert [change.position for change in one.changes] == [c.position for c in other.changes]
    assert one.p_value == other.p_value


def test_a_dip_that_was_mended_is_two_changes() -> None:
    values = shifted(0, -1, 0, length=150)
    (found,) = found_in(values)
    assert [change.position for change in found.changes] == pytest.approx([150, 300], abs=15)
    assert [np.sign(change.difference.estimate) for change in found.changes] == [-1, 1]


def test_p_values_count_the_series_that_were_searched() -> None:
    noise = RNG(7).normal(size=(600, 9))
    series = np.column_stack([shifted(0, 1), noise])
    many = found_in(series)
    assert many[0].p_value == pytest.approx(10 * many[0].test.p_value)
    assert many[0].changes
    assert not any(one.changes for one in many[1:])


def test_false_alarms_stay_at_the_level() -> None:
    # 150 series without any change; more than 15 below 0.05 happen once in 200 times.
    series = RNG(8).exponential(size=(200, 150))
    found = found_in(series, permutations=199)
    assert sum(one.test.p_value <= 0.05 for one in found) <= 15


def test_a_shift_of_half_a_deviation_in_a_thousand_is_found_and_dated() -> None:
    found = [
        found_in(shifted(0, -0.5, length=500, seed=seed), permutations=199)[0] for seed in range(25)
    ]
    assert all(one.changes for one in found)
    nearest = [min(one.changes, key=lambda each: abs(each.position - 500)) for one in found]
    assert np.median([abs(one.position - 500) for one in nearest]) <= 20
    covered = [one.interval[0] <= 500 <= one.interval[1] for one in nearest]
    assert np.mean(covered) >= 0.8  # 95% in the long run; see docs/statistics-coverage.md


def test_users_who_come_and_go_are_no_change_where_they_are_told() -> None:
    def world(seed: int) -> tuple[np.ndarray, np.ndarray]:
        users = np.repeat(np.arange(60), 10)  # each has a stretch of ten of its own
        return RNG([1, seed]).normal(size=60)[users] + 0.3 * RNG([2, seed]).normal(size=600), users

    told = ignored = 0
    for seed in range(15):
        values, users = world(seed)
        told += bool(found_in(values, clusters=users, permutations=199)[0].changes)
        ignored += bool(found_in(values, permutations=199)[0].changes)
    assert ignored >= 6
    assert told <= 3


@pytest.mark.parametrize(
    ("values", "more", "problem"),
    [
        ([1.0, 2.0], {"times": [1.0]}, "2 known times"),
        ([1.0, 2.0], {"times": [1.0, float("nan")]}, "2 known times"),
        ([1.0, float("inf")], {}, "infinite"),
    ],
)
def test_what_cannot_be_searched_is_refused(values: Any, more: Any, problem: str) -> None:
    with pytest.raises(DataError, match=problem):
        found_in(values, **more)


@pytest.mark.parametrize(
    ("values", "reason"),
    [
        ([1.0, 2.0, 3.0], "needs at least 40 values"),
        (1e9 + 1e-5 * RNG(0).random(60), "all values are the same"),  # but for rounding
    ],
)
def test_too_little_gives_no_p_value_and_says_why(values: Any, reason: str) -> None:
    (found,) = found_in(values)
    assert np.isnan(found.p_value)
    assert (found.changes, reason in str(found.test.reason)) == ([], True)
