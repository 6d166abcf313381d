"""The figures by hand."""

from __future__ import annotations

import numpy as np
import pytest
from tests.evaluator.measuring.tasks_of import NAN, said, task

from assize.evaluator._measuring.figures import average, figures_of


def test_pairs_with_ties_without_them_and_beyond_chance_by_hand() -> None:
    # gold    A  A   B  tie tie  A  A; the last one is not scored
    # said    A  tie B  tie A    A  -
    # with ties: 4 of 6 are right. Without: gold's ties and the unscored one go; of A, A, B, A the
    # signs of the leans are A, B, B, none: 2 of 4.
    # kappa: observed 4/6; by chance 3/6*3/6 (A) + 2/6*2/6 (tie) + 1/6*1/6 (B) = 14/36;
    # (24/36 - 14/36) / (22/36) = 10/22
    gold = task([1, 1, -1, 0, 0, 1, 1])
    one = said([1, 0, -1, 0, 1, 1, NAN], [2, -0.1, -2, 0.1, 2, 0, NAN])
    found = {
        name: (figure.estimate, figure.n, figure.unscored)
        for name, figure in figures_of(one, gold).items()
    }
    assert found == {
        "with_tie": (pytest.approx(4 / 6), 6, 1),
        "without_tie": (0.5, 4, 1),
        "kappa": (pytest.approx(10 / 22), 6, 1),
    }


def test_ratings_have_both_correlations_by_hand() -> None:
    # rated 1, 2, 4 where the truth is 1, 3, 2: deviations (-4, -1, 5) / 3 and (-1, 1, 0), of which
    # products add up to 1 and squares to 14/3 and 2; of ranks 1, 2, 3 with 1, 3, 2
    found = figures_of(said([1, 2, 4, NAN]), task([1, 3, 2, 5], "conversation"))
    estimates = {name: one.estimate for name, one in found.items()}
    assert estimates == pytest.approx({"pearson": np.sqrt(3 / 28), "spearman": 0.5})
    assert {(one.n, one.unscored) for one in found.values()} == {(3, 1)}


def test_the_average_counts_each_dimension_alike() -> None:
    # 1 of 1 in one dimension and 1 of 3 in the other: the mean of 1 and 1/3
    parts = [
        (said([1, NAN, NAN]), task([1, 1, 1])),
        (said([1, -1, -1]), task([1, 1, 1])),
    ]
    assert average(parts).estimate == pytest.approx((1 + 1 / 3) / 2)
