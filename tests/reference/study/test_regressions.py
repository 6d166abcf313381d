"""Regressions of ratings on metrics: by hand, and metrics that follow from others."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from tests.reference.study.examples import column, data_of, ratings, simulated

from assize.reference.study.regressions import weights_of


def test_a_coefficient_is_steps_for_one_standard_deviation_by_hand() -> None:
    # x 0 0 2 2: deviation 1; the rating rises by 3 for a step of 2, so by 1.5 for a deviation
    people = ratings([1], [2], [4], [5])
    (row,) = weights_of(people, data_of(people, column([0, 0, 2, 2]))).rows
    assert row.alone.estimate == row.together.estimate == pytest.approx(1.5)


def test_every_rating_is_a_row_and_conversations_are_the_units() -> None:
    people = ratings([1, 1, 1], [2, 2, 3], [4, 5, 5], [5, 4, 4])
    data = data_of(people, column([0, 1, 2, 3]), conversations=["a", "a", "b", "c"])
    found = weights_of(people, data)
    assert (found.n, found.conversations) == (12, 3)
    assert found.rows[0].alone.p_value > found.rows[0].plain_p


def test_a_constant_and_a_copied_metric_say_why_they_have_no_coefficient() -> None:
    people = ratings([1], [2], [4], [4], [1])
    one = column([0, 1, 2, 3, 1])
    copies = [replace(one, name="copy"), replace(column([7.0] * 5), name="flat")]
    rows = weights_of(people, data_of(people, one, *copies)).rows
    assert rows[1].together.reason == "the column follows from those before it"
    assert not np.isnan(rows[1].alone.estimate)
    assert rows[2].alone.reason == rows[2].together.reason == "the column is constant"


def test_no_metric_leaves_nothing() -> None:
    people = ratings([1], [2])
    found = weights_of(people, data_of(people, column([np.nan, np.nan])))
    assert (found.rows, found.n, found.unscored) == ([], 0, 2)


def test_of_simulated_metrics_noise_alone_is_not_significant() -> None:
    data, _ = simulated(conversations=80)
    found = {row.column: row for row in weights_of(data.ratings["content"], data).rows}
    assert found["noise"].alone.p_value > 0.01
    assert max(found[name].alone.p_value for name in ("strong", "middling", "likert")) < 1e-6
