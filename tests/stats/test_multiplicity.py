"""Adjusted p-values."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from statsmodels.stats.multitest import multipletests

from assize.base.errors import DataError
from assize.results.numbers import LeastP
from assize.stats import adjust, holm

P_VALUES = st.lists(st.floats(0, 1), min_size=1, max_size=20)


@settings(max_examples=8)  # statsmodels collects garbage in each call
@given(P_VALUES)
def test_it_is_statsmodels(p: list[float]) -> None:
    assert holm(p) == pytest.approx(multipletests(p, method="holm")[1])


def test_a_test_that_could_not_be_made_does_not_count_and_what_is_no_p_value_is_refused() -> None:
    adjusted = holm([0.01, np.nan, 0.04])
    assert adjusted == pytest.approx([0.02, np.nan, 0.04], nan_ok=True)
    assert holm([]).tolist() == []
    with pytest.raises(DataError, match="`p_values` must lie in"):
        holm([1.2])


def test_adjusted_values_that_come_from_a_floor_are_floors() -> None:
    # by hand: 3 * .02 = .06; 2 * .025 = .05, raised to .06 by the first; .5
    adjusted = adjust([0.5, LeastP(0.02), 0.025])
    assert adjusted == pytest.approx([0.5, 0.06, 0.06])
    assert [isinstance(p, LeastP) for p in adjusted] == [False, True, True]
    assert adjust([]) == []
    assert not isinstance(adjust([LeastP(0.6), LeastP(0.6)])[0], LeastP)  # both are 1


@settings(deadline=None)
@given(st.lists(st.floats(0, 1), max_size=12))
def test_adjusting_is_holm(p: list[float]) -> None:
    assert adjust(p) == (holm(p).tolist() if p else [])
