from __future__ import annotations

import numpy as np

from assize.evaluator._heads.linear import CLIP, Linear, Scaling

SCALING = Scaling(np.array([1.0, 0.0]), np.array([2.0, 1.0]))
HEAD = Linear(SCALING, {"one": np.array([1.0, 0.0]), "two": np.array([0.5, -1.0])})


def test_raw_numbers_are_weighted_sums_of_standardised_features() -> None:
    # (3 - 1) / 2 = 1 and 2: one is 1, two is 0.5 - 2
    assert HEAD.raw(np.array([[3.0, 2.0]])).tolist() == [[1.0, -1.5]]
    assert HEAD.raw([np.array([3.0, 2.0])]).tolist() == [[1.0, -1.5]]
    assert HEAD.raw([]).shape == (0, 2)


def test_a_missing_feature_is_the_mean_and_a_far_one_is_cut() -> None:
    assert SCALING(np.array([[np.nan, 100.0]])).tolist() == [[0.0, CLIP]]
