"""Levels of agreement between people: nested for metrics, exclusive for judges."""

from __future__ import annotations

import numpy as np
import pytest
from tests.reference.study.examples import FIVE, ITEMS, column, data_of, ratings

from assize.reference._study.levels import (
    accuracy_by_level,
    level_figures,
    level_shares,
)

PEOPLE = ratings(*ITEMS, answers=FIVE)


def test_from_plurality_on_the_target_is_the_mode() -> None:
    metric = column([1, 5, 2, 4, 5, 99])  # the mode, where there is one
    (row,) = level_figures(PEOPLE, data_of(PEOPLE, metric), [metric])
    assert row.plurality.estimate == row.majority.estimate == 1.0
    assert (row.plurality.n, row.majority.n, row.all.n, row.means.n) == (5, 4, 30, 6)
    # two items are too few
    assert row.perfect.reason == "needs at least 3 rows with both values; there are 2"


def test_a_change_against_nothing_is_nan() -> None:
    metric = column([5, 1, 4, 2, 1, 0])
    (row,) = level_figures(PEOPLE, data_of(PEOPLE, metric), [metric])
    assert np.isnan([row.plurality_change, row.majority_change, row.perfect_change]).all()


def test_one_rater_leaves_nobody_to_agree() -> None:
    people = ratings([1], [2], [3])
    data = data_of(people, column([1, 2, 3]))
    assert level_figures(people, data, data.columns) == []
    assert level_shares(people, data) == []
    assert accuracy_by_level(people, data) == ([], [])


def test_balanced_accuracy_is_the_mean_over_modes() -> None:
    judge = column([1, 1, 2, 4, 5, 1], "ordinal", FIVE)
    _, balanced = accuracy_by_level(PEOPLE, data_of(PEOPLE, judge))
    # modes 1 2 4 have all right, of the two 5s one is
    assert balanced[-1].judges["metric"].estimate == pytest.approx((1 + 1 + 1 + 0.5) / 4)


def test_yes_means_above_the_middle_of_the_scale() -> None:
    people = ratings([3, 3, 3], [4, 4, 4], [1, 1, 1], answers=FIVE)
    judge = column([0, 1, 1], "binary", (0, 1))
    rows, _ = accuracy_by_level(people, data_of(people, judge))
    found = {row.level: row.judges["metric"] for row in rows}
    assert found["perfect"].estimate == pytest.approx(2 / 3)


def test_a_judge_on_another_scale_is_unscored() -> None:
    people = ratings([1, 1, 5], [5, 5, 1], [5, 5, 5], answers=(1.0, 5.0))
    judge = column([0, 0.5, 1], "ordinal", (0.0, 0.5, 1.01))
    found = accuracy_by_level(people, data_of(people, judge))[0][-1].judges["metric"]
    assert found.reason == "its answers are not those of the raters"
