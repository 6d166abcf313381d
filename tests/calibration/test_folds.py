from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assize.calibration import group_folds, one_out
from assize.errors import DataError


@given(st.lists(st.sampled_from("abcdef"), min_size=12, max_size=40), st.integers(2, 3))
def test_a_group_is_in_one_fold_and_folds_are_even(groups: list[str], count: int) -> None:
    if len(set(groups)) < count:
        return
    found = group_folds(groups, count, np.random.default_rng(0))
    fold_of = dict(zip(groups, found.tolist(), strict=True))
    assert [fold_of[group] for group in groups] == found.tolist()
    sizes = np.bincount(list(fold_of.values()), minlength=count)
    assert sizes.max() - sizes.min() <= 1


def test_one_out_has_a_fold_a_group() -> None:
    assert one_out(["x", "y", "x", "z"]).tolist() == [0, 1, 0, 2]


def test_more_folds_than_groups_are_refused() -> None:
    with pytest.raises(DataError, match="3 folds of 2 items or groups"):
        group_folds(["a", "b"], 3, np.random.default_rng(0))
