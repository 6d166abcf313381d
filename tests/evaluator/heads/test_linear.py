from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from assize.base.errors import DataError
from assize.base.record_parts import from_parts, to_parts
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


def test_what_is_kept_is_the_same_head() -> None:
    facts, arrays = to_parts(HEAD)
    assert list(arrays) == ["scaling.center", "scaling.scale", "weights.one", "weights.two"]
    again = from_parts(Linear, facts, arrays)
    rows = np.array([[3.0, 2.0], [0.0, 1.0]])
    np.testing.assert_array_equal(again.raw(rows), HEAD.raw(rows))


@pytest.mark.parametrize("gone", ["scaling.center", "weights.two"])
def test_a_missing_array_is_named(gone: str) -> None:
    facts, arrays = to_parts(HEAD)
    del arrays[gone]
    with pytest.raises(ValueError, match=f"no array '{gone}'"):
        from_parts(Linear, facts, arrays)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: Scaling(np.zeros(2), np.ones(3)), "a mean and a deviation each"),
        (lambda: Scaling(np.zeros(2), np.array([1.0, 0.0])), "is not above 0"),
        (
            lambda: Linear(SCALING, {"one": np.zeros(3)}),
            r"'one' has weights of shape \(3,\); needed is \(2,\)",
        ),
    ],
)
def test_numbers_that_do_not_fit_each_other_are_refused(
    call: Callable[[], object], message: str
) -> None:
    with pytest.raises(DataError, match=message):
        call()
