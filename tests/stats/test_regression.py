"""Least squares: by hand, statsmodels' figures, what must hold, recovery of known coefficients."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from assize.base.errors import DataError
from assize.stats import pearson, regress

X = np.array([[1, 0.5], [2, -1], [3, 0.25], [4, 2], [5, 1], [6, -0.5], [7, 3], [8, 0]], float)
Y = np.array([1.0, 2.5, 2.0, 5.5, 4.0, 5.0, 9.5, 6.0])
GROUPS = np.array([0, 0, 1, 1, 2, 2, 3, 3])
COLUMN = arrays(np.float64, 12, elements=st.integers(-9, 9).map(float))


def test_coefficients_errors_and_p_values_are_those_of_statsmodels() -> None:
    # statsmodels 0.15.0, OLS(y, add_constant(x)).fit()
    found = regress(X, Y)
    each = [found.intercept, *found.coefficients]
    assert [one.estimate for one in each] == pytest.approx(
        [0.33453732948054715, 0.7788623076406147, 0.9113634836368518]
    )
    assert [one.standard_error for one in each] == pytest.approx(
        [0.872806625592726, 0.1807755744867209, 0.3365607613659339]
    )
    assert [one.p_value for one in each] == pytest.approx(
        [0.7172606067648271, 0.007653873696403662, 0.04238369836179573]
    )
    assert found.r2 == pytest.approx(0.8775663378523925)


def test_clustered_errors_are_those_of_statsmodels() -> None:
    # cov_type="cluster", use_correction, df_correction, use_t: four groups, three degrees
    found = regress(X, Y, clusters=GROUPS)
    each = [found.intercept, *found.coefficients]
    assert found.clusters == 4
    assert [one.standard_error for one in each] == pytest.approx(
        [0.5247156420417605, 0.05421840927213245, 0.4344042346443899]
    )
    assert [one.p_value for one in each] == pytest.approx(
        [0.5690879834188944, 0.0007311459993733261, 0.12681107358833063]
    )
    assert each[1].interval == pytest.approx((0.6063151313741568, 0.9514094839070726))


def test_rows_with_a_missing_value_are_unscored() -> None:
    x = np.vstack([X, np.array([[np.nan, 1], [3, 3]])])
    found = regress(x, [*Y, 4.0, np.nan])
    assert (found.n, found.unscored) == (8, 2)
    assert found.coefficients[0].estimate == pytest.approx(regress(X, Y).coefficients[0].estimate)


def test_a_constant_column_and_one_that_follows_from_others_have_no_coefficient() -> None:
    x = np.column_stack([X, np.full(8, 3.0), X[:, 0] - 2 * X[:, 1]])
    found = regress(x, Y)
    assert [one.reason for one in found.coefficients] == [
        None,
        None,
        "the column is constant",
        "the column follows from those before it",
    ]
    assert found.coefficients[1].estimate == pytest.approx(regress(X, Y).coefficients[1].estimate)


def test_too_few_rows_or_clusters_and_other_lengths_say_so() -> None:
    few = regress(X[:3], Y[:3])
    assert few.coefficients[0].reason == "needs at least 4 rows; there are 3"
    alone = regress(X, Y, clusters=np.zeros(8))
    assert alone.coefficients[0].reason == "needs at least 2 clusters"
    assert np.isnan(alone.r2)
    with pytest.raises(DataError, match="`columns` has 8 rows, and `y` 7"):
        regress(X, Y[:7])


def test_an_exact_fit_has_coefficients_and_no_errors() -> None:
    found = regress(X, X @ [2.0, -3.0] + 1)
    assert [one.estimate for one in found.coefficients] == pytest.approx([2, -3])
    assert {one.reason for one in found.coefficients} == {"the fit is exact, or `y` is constant"}


@given(COLUMN, COLUMN)
def test_r2_of_one_column_is_pearsons_squared(x: np.ndarray, y: np.ndarray) -> None:
    if np.ptp(x) and np.ptp(y):
        assert regress(x[:, None], y).r2 == pytest.approx(pearson(x, y).estimate ** 2, abs=1e-9)


@given(COLUMN, COLUMN, st.floats(-1e3, 1e3), st.floats(1e-3, 1e3))
def test_units_of_a_column_change_its_coefficient_alone(
    x: np.ndarray, y: np.ndarray, shift: float, scale: float
) -> None:
    if np.ptp(x) == 0 or regress(x[:, None], y).r2 > 1 - 1e-9:
        return
    one, other = regress(x[:, None], y), regress(shift + scale * x[:, None], y)
    first, second = one.coefficients[0], other.coefficients[0]
    assert second.estimate * scale == pytest.approx(first.estimate, rel=1e-6, abs=1e-9)
    assert second.p_value == pytest.approx(first.p_value, rel=1e-4, abs=1e-9, nan_ok=True)
