"""Least squares with standard errors: which columns go with a score, one by one or together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import stdtr, stdtrit

from assize.base.errors import DataError
from assize.results.types import NAN, NO_INTERVAL
from assize.stats._arrays import Clusters, FloatArray, grouped, numbers

_DEPENDENT = 1e-9  # share of a column's length that others leave of it, below which it is theirs
_EXACT = 1e-18  # share of the squares of y that rounding may leave over


@dataclass(frozen=True, slots=True)
class Coefficient:
    """One coefficient of a regression.

    Args:
        estimate: change of y for one unit of the column, the other columns held.
        standard_error: of `estimate`; NaN where it cannot be told.
        interval: 95%, `estimate` and Student's t either way.
        p_value: two-sided, of the coefficient being 0.
        reason: why there is no coefficient, or no error of it; None where both are there.
    """

    estimate: float
    standard_error: float = NAN
    interval: tuple[float, float] = NO_INTERVAL
    p_value: float = NAN
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class Regression:
    """A fit by least squares.

    Args:
        intercept: what y is where all columns are 0.
        coefficients: one a column.
        r2: share of the variance of y that the columns explain, in [0, 1]; NaN where y is
            constant.
        n: rows without a missing value.
        unscored: rows with one.
        clusters: units that the standard errors take as independent.
    """

    intercept: Coefficient
    coefficients: Sequence[Coefficient]
    r2: float
    n: int
    unscored: int
    clusters: int


def regress(
    columns: ArrayLike,
    y: ArrayLike,
    *,
    clusters: ArrayLike | None = None,
) -> Regression:
    """Fit `y` on columns and an intercept by ordinary least squares.

    Args:
        columns: (N, K); rows with a missing value (NaN) in any of them are unscored.
        y: (N,); NaN is missing.
        clusters: (N,) labels of rows that are not independent, or None.

    Returns:
        A coefficient a column: NaN with a reason for one that is constant, or follows from the
        columns before it. Without clusters the errors are the textbook's, at N - K - 1 degrees
        of freedom; with G clusters they are the sandwich's with the factor
        G / (G - 1) * (N - 1) / (N - K - 1), at G - 1 degrees of freedom.

    Raises:
        DataError: shapes do not fit, or a value is infinite.

    Source: Liang and Zeger (1986) for the sandwich; Cameron and Miller (2015), equation 11 and
    section VI, for the factor and the degrees of freedom. Differs: none.

    >>> found = regress([[0.0], [1.0], [2.0], [3.0]], [1.0, 3.0, 4.0, 8.0])
    >>> round(found.coefficients[0].estimate, 3), round(found.intercept.estimate, 3)
    (2.2, 0.7)
    """
    x, outcome = numbers(columns, "columns", dimensions=2), numbers(y, "y")
    if len(x) != len(outcome):
        raise DataError(f"`columns` has {len(x)} rows, and `y` {len(outcome)}")
    keep = ~(np.isnan(x).any(axis=1) | np.isnan(outcome))
    groups = grouped(clusters, keep)
    x, outcome = x[keep], outcome[keep]
    lost = int((~keep).sum())
    reasons = _unusable(x)
    used = [at for at, reason in enumerate(reasons) if reason is None]
    degrees = len(outcome) - len(used) - 1
    if degrees < 1 or (clusters is not None and groups.count < 2):
        least = "2 clusters" if degrees >= 1 else f"{len(used) + 2} rows; there are {len(outcome)}"
        none = Coefficient(NAN, reason=f"needs at least {least}")
        return Regression(none, [none] * x.shape[1], NAN, len(outcome), lost, groups.count)
    fitted = _fit(x[:, used], outcome, groups if clusters is not None else None)
    each = [Coefficient(NAN, reason=reason) for reason in reasons]
    for place, at in enumerate(used):
        each[at] = fitted[0][place + 1]
    return Regression(fitted[0][0], each, fitted[1], len(outcome), lost, groups.count)


def _unusable(x: FloatArray) -> list[str | None]:
    """Why each column (K,) cannot have a coefficient; None where it can."""
    if not len(x):
        return [None] * x.shape[1]
    centred = x - x.mean(axis=0)
    length = np.sqrt((centred**2).sum(axis=0))
    size = np.sqrt((x**2).sum(axis=0))
    basis = np.empty((len(x), 0))
    found: list[str | None] = []
    for at, column in enumerate(centred.T):
        if length[at] <= _DEPENDENT * max(size[at], 1e-300):
            found.append("the column is constant")
            continue
        left = column / length[at]
        for _ in range(2):  # twice is enough (Giraud et al. 2005)
            left = left - basis @ (basis.T @ left)
        rest = float(np.sqrt(left @ left))
        if rest < _DEPENDENT:
            found.append("the column follows from those before it")
            continue
        basis = np.column_stack([basis, left / rest])
        found.append(None)
    return found


def _fit(x: FloatArray, y: FloatArray, groups: Clusters | None) -> tuple[list[Coefficient], float]:
    """Intercept and coefficients, and R squared; the columns are independent of each other."""
    middle, scale = x.mean(axis=0), np.maximum(np.abs(x - x.mean(axis=0)).max(axis=0), 1e-300)
    design = np.column_stack([np.ones(len(x)), (x - middle) / scale])
    inverse = np.linalg.inv(design.T @ design)
    beta = inverse @ (design.T @ y)
    residuals = y - design @ beta
    n, k = design.shape
    if groups is None:
        degrees, spread = n - k, inverse * (residuals @ residuals) / (n - k)
    else:
        pulls = groups.sums(design * residuals[:, None])
        factor = groups.count / (groups.count - 1) * (n - 1) / (n - k)
        degrees, spread = groups.count - 1, factor * inverse @ (pulls.T @ pulls) @ inverse
    back = np.diag(np.append(1.0, 1 / scale))  # from the columns as they were centred and scaled
    back[0, 1:] = -middle / scale
    beta, spread = back @ beta, back @ spread @ back.T
    total = float(((y - y.mean()) ** 2).sum())
    r2 = 1 - float(residuals @ residuals) / total if total > 0 else NAN
    left = float(residuals @ residuals)
    exact = left <= _EXACT * max(total, float(y @ y) * _EXACT)
    errors = np.zeros(k) if exact else np.sqrt(np.maximum(np.diag(spread), 0))
    return [_coefficient(*one, degrees) for one in zip(beta, errors, strict=True)], r2


def _coefficient(value: float, error: float, degrees: int) -> Coefficient:
    if error == 0:
        return Coefficient(float(value), 0.0, reason="the fit is exact, or `y` is constant")
    reach = float(stdtrit(degrees, 0.975)) * error
    p = 2 * float(stdtr(degrees, -abs(value / error)))
    return Coefficient(float(value), float(error), (float(value - reach), float(value + reach)), p)
