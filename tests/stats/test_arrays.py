"""What may come in: numbers, lengths, clusters and categories."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from assize.base.errors import DataError
from assize.stats import mean
from assize.stats._arrays import categories, grouped, numbers, same_length, sum_rows

NAN = float("nan")


def test_none_is_a_missing_number_and_yes_is_1() -> None:
    column: Any = [1, None, 2.5]
    assert numbers(column, "x") == pytest.approx([1, NAN, 2.5], nan_ok=True)
    assert numbers(np.array([True, False]), "x").tolist() == [1, 0]


@pytest.mark.parametrize(
    ("values", "told"),
    [
        (["one"], "`x` must hold numbers"),
        ([[1.0]], r"`x` must have 1 dimension\(s\); its shape is \(1, 1\)"),
        ([np.inf], "`x` holds an infinite value; a missing one is written NaN"),
        ([-2e150], r"`x` holds a value beyond 1e\+150"),
    ],
)
def test_what_is_no_column_of_finite_numbers_is_refused_by_name(values: Any, told: str) -> None:
    with pytest.raises(DataError, match=told):
        numbers(values, "x")


def test_arguments_of_different_lengths_are_named() -> None:
    three, two = np.zeros(3), np.zeros(2)
    assert same_length(x=three, y=three) == 3
    with pytest.raises(DataError, match="one length are needed: `x` has 3, `y` has 2"):
        same_length(x=three, y=two)
    with pytest.raises(DataError, match=r"`clusters` must have shape \(3,\); it has \(2,\)"):
        grouped(["a", "b"], np.ones(3, dtype=bool))
    with pytest.raises(DataError, match=r"`x` must have 1 dimension\(s\)"):
        categories([["a"]], "x")


def test_rows_of_one_cluster_are_summed_and_a_cluster_that_is_left_out_does_not_count() -> None:
    # a: the third row; b: the second and the fourth; all rows of A are left out
    found = grouped(["A", "b", "a", "b"], np.array([False, True, True, True]))
    assert found.count == 2
    sums = found.sums(np.array([[1.0, 10], [2, 20], [3, 30]]))
    assert sums.tolist() == [[2, 20], [4, 40]]
    assert found.spread(np.array([5.0, 7])).tolist() == [7, 5, 7]


def test_without_clusters_every_kept_row_is_its_own() -> None:
    found = grouped(None, np.array([True, False, True]))
    columns = np.array([[1.0], [3.0]])
    assert (found.count, found.sums(columns).tolist()) == (2, [[1], [3]])
    assert found.spread(np.array([5.0, 7])).tolist() == [5, 7]


def test_a_cluster_whose_rows_are_all_left_out_does_not_count() -> None:
    found: Any = grouped(["a", "b", "c"], np.array([True, False, True]))
    assert (found.count, found.codes.tolist()) == (2, [0, 1])


@pytest.mark.parametrize(
    ("values", "found", "codes"),
    [
        (["b", "", "a", "b"], ["a", "b"], [1, -1, 0, 1]),
        ([10.0, NAN, 9.0], [9.0, 10.0], [1, -1, 0]),  # by size, not as text
        (np.array(["b", None, NAN], dtype=object), ["b"], [0, -1, -1]),
    ],
)
def test_categories_stand_in_order_and_missing_ones_at_minus_1(
    values: Any, found: list[Any], codes: list[int]
) -> None:
    distinct, places = categories(values, "x")
    assert (distinct.tolist(), places.tolist()) == (found, codes)


def test_a_row_without_a_cluster_is_refused() -> None:
    absent: list[Any] = [[1.0, np.nan], ["a", None], np.array(["a", np.nan], dtype=object)]
    for clusters in absent:
        with pytest.raises(DataError, match="`clusters` holds NaN or None"):
            mean([1.0, 2.0], clusters=clusters)
    # a missing value needs none
    assert mean([1.0, 2.0, np.nan], clusters=np.array(["a", "b", None])).n == 2


def test_rows_of_a_group_are_added_and_a_group_without_rows_is_0() -> None:
    values = np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
    found = sum_rows(values, np.array([2, 0, 2]), 3)
    assert found.tolist() == [[3.0, 4.0], [0.0, 0.0], [6.0, 8.0]]
