"""Columns, ratings and data sets: missing values, repeats, two-valued scales."""

from __future__ import annotations

import numpy as np
import pytest
from tests.reference.study.examples import NAN, column, data_of, ratings

from assize.reference._ratings import MAJORITY, NO_MODE, PERFECT, PLURALITY, UNSCORED
from assize.reference._study.data import Column


def test_means_and_modes_leave_missing_ratings_out() -> None:
    people = ratings([1, 1, 4], [2, 3], [5], [NAN])
    assert np.array_equal(people.means, [2, 2.5, 5, NAN], equal_nan=True)
    assert np.array_equal(people.modes, [1, NAN, NAN, NAN], equal_nan=True)
    assert len(people) == 3


def test_levels_are_reached_by_the_ratings_that_are_there() -> None:
    people = ratings([1, 1, 1], [1, 1, 2], [1, 1, 2, 3], [1, 2], [1])
    assert people.reached.tolist() == [PERFECT, MAJORITY, PLURALITY, NO_MODE, UNSCORED]
    assert people.several
    assert not ratings([1], [2]).several


@pytest.mark.parametrize(
    ("items", "answers", "binary"),
    [
        (([1, 5], [5]), (1.0, 5.0), True),
        (([1, 1], [1]), (1.0, 5.0), True),  # by its scale, whatever was said
        (([1, 3], [5]), (1.0, 3.0, 5.0), False),
        (([1, 5], [5]), (1.0, 2.0, 3.0, 4.0, 5.0), True),  # reasonableness in UPHELD's table
        (([1, 1], [1]), (1.0, 2.0, 3.0, 4.0, 5.0), False),
        (([0, 1], [1]), (), True),
        (([0.5, 0.75], [1]), (), False),
    ],
)
def test_two_values_make_ratings_binary(
    items: tuple[list[float], ...], answers: tuple[float, ...], binary: bool
) -> None:
    assert ratings(*items, answers=answers).binary == binary


def test_some_of_the_items_keep_all_that_belongs_to_them() -> None:
    people = ratings([1, 1], [2, 3], [5, 5])
    data = data_of(people, column([0.1, 0.2, 0.3]), conversations=["a", "b", "b"])
    some = data.take(np.array([True, False, True]))
    assert list(some.items) == ["i0", "i2"]
    assert some.conversations.tolist() == ["a", "b"]
    assert some.columns[0].values.tolist() == [0.1, 0.3]
    assert some.ratings["content"].means.tolist() == [1, 5]


@pytest.mark.parametrize(
    ("judged", "classes"),
    [
        pytest.param(column([0.25, 0.5]), [0.25, 0.5], id="numbers are their own"),
        pytest.param(
            column([1.0, 1.4, 4.6, NAN], "ordinal", (1.0, 2.0, 3.0, 4.0, 5.0)),
            [1, 1, 5, NAN],
            id="repeats that differ are rounded to an answer",
        ),
        pytest.param(
            column([0.0, 0.5, 0.75, NAN], "binary", (0.0, 1.0)),
            [0, NAN, 1, NAN],
            id="yes half of the time is no answer",
        ),
    ],
)
def test_a_metric_s_values_have_classes(judged: Column, classes: list[float]) -> None:
    assert np.array_equal(judged.classes, classes, equal_nan=True)
