from __future__ import annotations

import numpy as np
import pytest

from assize.errors import DataError
from assize.evaluator.heads.linear import CLIP, Linear, Scaling

SCALING = Scaling(np.array([1.0, 0.0]), np.array([2.0, 1.0]))
HEAD = Linear(SCALING, {"one": np.array([1.0, 0.0]), "two": np.array([0.5, -1.0])})


def test_raw_numbers_are_weighted_sums_of_standardised_features() -> None:
    # (3 - 1) / 2 = 1 and 2: one is 1, two is 0.5 - 2
    assert HEAD.raw(np.array([[3.0, 2.0]])).tolist() == [[1.0, -1.5]]
    assert HEAD.raw([np.array([3.0, 2.0])]).tolist() == [[1.0, -1.5]]


def test_a_missing_feature_is_the_mean_and_a_far_one_is_cut() -> None:
    assert SCALING(np.array([[np.nan, 100.0]])).tolist() == [[0.0, CLIP]]


def test_no_rows_have_no_numbers() -> None:
    assert HEAD.raw([]).shape == (0, 2)


def test_what_is_kept_is_the_same_head() -> None:
    arrays = HEAD.arrays()
    assert sorted(arrays) == ["center", "scale", "weight.one", "weight.two"]
    again = Linear.of_arrays(arrays, HEAD.questions, {}, 2)
    rows = np.array([[3.0, 2.0], [0.0, 1.0]])
    np.testing.assert_array_equal(again.raw(rows), HEAD.raw(rows))


@pytest.mark.parametrize("gone", ["center", "weight.two"])
def test_a_missing_array_is_named(gone: str) -> None:
    arrays = {name: array for name, array in HEAD.arrays().items() if name != gone}
    with pytest.raises(DataError, match=f"no array `{gone}`"):
        Linear.of_arrays(arrays, HEAD.questions, {}, 2)
