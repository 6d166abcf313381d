"""The scan for a stretch of rows apart from all others."""

from __future__ import annotations

import math

import numpy as np
import pytest

from assize.stats._change_scan import GRID, Scan, scan

RNG = np.random.default_rng


def scanned(values: list[float], *, least: int = 1, permutations: int = 999) -> Scan:
    array = np.asarray(values, dtype=float)
    places = np.arange(1, len(array))
    return scan(array, places, clusters=None, least=least, permutations=permutations, rng=RNG(0))


def test_a_change_for_good_by_hand() -> None:
    # Centred -1 -1 1 1, spread 1; the first two sum to -2, of sqrt(2 * 2 / 4) = 1; less sqrt(2).
    found = scanned([0, 0, 2, 2])
    assert found.statistic == pytest.approx(2 - math.sqrt(2))
    assert found.cuts == (2,)


def test_a_change_taken_back_by_hand() -> None:
    # The middle two sum to 2, of 1; less sqrt(2 log(4 e / 2)), for such stretches are more.
    found = scanned([0, 2, 2, 0])
    assert found.statistic == pytest.approx(2 - math.sqrt(2 * math.log(2 * math.e)))
    assert found.cuts == (1, 3)


def test_the_p_value_is_the_share_of_orders_at_least_as_far() -> None:
    # Of the 6 orders of 0 0 2 2 two have the like ones side by side at an end.
    assert scanned([0, 0, 2, 2], permutations=100_000).p_value == pytest.approx(1 / 3, abs=0.15)


def test_as_many_orders_are_drawn_as_a_p_value_needs() -> None:
    assert scanned([0, 0, 2, 2], permutations=100_000).draws < 200
    clear = scanned([0.0] * 40 + [1.0] * 40)
    assert (clear.draws, clear.p_value) == (999, 1 / 1000)


@pytest.mark.parametrize(
    ("values", "reason"),
    [([1.0, 2.0, 3.0], "needs at least 4 values"), ([2.0] * 9, "all values are the same")],
)
def test_too_little_to_look_at_gives_a_reason(values: list[float], reason: str) -> None:
    found = scanned(values, least=2)
    assert math.isnan(found.p_value)
    assert reason in str(found.reason)


def test_a_long_series_is_cut_into_a_grid_and_still_found() -> None:
    count = 20 * GRID + 17
    values = RNG(1).normal(size=count) + (np.arange(count) >= 1500)
    found = scanned(values.tolist(), least=20)
    assert abs(found.cuts[0] - 1500) <= 2 * 21


def test_only_places_where_time_passes_are_cut() -> None:
    values = np.array([0.0] * 10 + [1.0] * 10)
    found = scan(values, np.array([7]), clusters=None, least=2, permutations=99, rng=RNG(0))
    assert found.cuts == (7,)


def test_clusters_that_stand_on_both_sides_cannot_make_a_change() -> None:
    # Two clusters of different height, each in one half: one flip tells nothing.
    values, clusters = np.array([0.0] * 50 + [1.0] * 50), np.repeat([0, 1], 50)
    places = np.arange(1, 100)
    found = scan(values, places, clusters=clusters, least=5, permutations=999, rng=RNG(0))
    assert found.p_value > 0.4


def test_thousands_of_clusters_are_put_together() -> None:
    values = RNG(2).normal(size=6_000) - (np.arange(6_000) >= 3_000)
    clusters = RNG(3).integers(0, 3_000, 6_000)
    places = np.arange(1, 6_000)
    found = scan(values, places, clusters=clusters, least=20, permutations=99, rng=RNG(0))
    assert found.p_value == 0.01
    assert abs(found.cuts[0] - 3_000) < 100
