"""Regressions of ratings on metrics: by hand, and metrics that follow from others."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from tests.reference.study.examples import column, data_of, ratings

from assize.reference._study.regressions import regress_ratings


def test_a_coefficient_is_steps_for_one_standard_deviation_by_hand() -> None:
    # x 0 0 2 2: deviation 1; the rating rises by 3 for a step of 2, so by 1.5 for a deviation
    people = ratings([1], [2], [4], [5])
    ((row,), _) = regress_ratings(people, data_of(people, column([0, 0, 2, 2])))
    assert row.alone.estimate == row.together.estimate == pytest.approx(1.5)


def test_every_rating_is_a_row_and_conversations_are_the_units() -> None:
    people = ratings([1, 1, 1], [2, 2, 3], [4, 5, 5], [5, 4, 4])
    data = data_of(people, column([0, 1, 2, 3]), conversations=["a", "a", "b", "c"])
    (row,), explained = regress_ratings(people, data)
    assert (explained.n, explained.conversations) == (12, 3)
    assert row.alone_p > row.independent_p


def test_a_constant_and_a_copied_metric_say_why_they_have_no_coefficient() -> None:
    people = ratings([1], [2], [4], [4], [1])
    one = column([0, 1, 2, 3, 1])
    copies = [replace(one, name="copy"), replace(column([7.0] * 5), name="flat")]
    rows, _ = regress_ratings(people, data_of(people, one, *copies))
    assert rows[1].together.reason == "the column follows from those before it"
    assert not np.isnan(rows[1].alone.estimate)
    assert rows[2].alone.reason == rows[2].together.reason == "the column is constant"


def test_no_metric_leaves_nothing() -> None:
    people = ratings([1], [2])
    rows, explained = regress_ratings(people, data_of(people, column([np.nan, np.nan])))
    assert (rows, explained.n, explained.unscored) == ([], 0, 2)
