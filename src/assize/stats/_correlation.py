"""How two scores go together: Pearson, Spearman, Cramer's V, RMSE, MAE.

Kendall's tau-b stands in `concordance.py`..
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike

from assize.results.types import Estimate
from assize.stats._arrays import (
    Clusters,
    FloatArray,
    Rows,
    categories,
    complete_rows,
    grouped,
    same_length,
)
from assize.stats._estimate import missing
from assize.stats._intervals import ratio
from assize.stats._ranks import influence, weighted_spearman
from assize.stats._resampling import (
    FISHER,
    FROM_0_TO_1,
    JACKKNIFE,
    LOG,
    Interval,
    Resampled,
    estimate,
    of_cells,
    of_rows,
    of_sums,
)

_FLAT = 1e-12  # a variance below this share of its scale is rounding


Build = Callable[[FloatArray, FloatArray, Clusters], Resampled]
"""Of two columns (N,) and their clusters, a statistic as a function of the clusters' weights."""


def correlate(
    name: str,
    build: Build,
    x: ArrayLike,
    y: ArrayLike,
    clusters: ArrayLike | None,
    interval: Interval,
) -> Estimate:
    """Return a correlation of the rows in which both are present, on Fisher's scale."""
    rows = complete_rows(clusters, x=x, y=y)
    reason = _too_little(rows)
    if reason is not None:
        return missing(name, 1, reason, n=rows.n, unscored=rows.unscored)
    statistic = build(rows.columns[0], rows.columns[1], rows.clusters)
    return estimate(
        name, statistic, n=rows.n, unscored=rows.unscored, interval=interval, scale=FISHER
    )


def _too_little(rows: Rows) -> str | None:
    """Why a correlation is undefined, if it is."""
    if rows.n < 3:
        return f"needs at least 3 rows with both values; there are {rows.n}"
    for name, column in zip("xy", rows.columns, strict=True):
        if column.min() == column.max():
            return f"`{name}` is constant"
    return None


def pearson(
    x: ArrayLike,
    y: ArrayLike,
    *,
    clusters: ArrayLike | None = None,
    interval: Interval = JACKKNIFE,
) -> Estimate:
    """Return Pearson's correlation of two columns.

    Args:
        x, y: (N,); NaN is missing, rows with a missing value count as unscored.
        clusters: (N,) labels of rows that are not independent, or None.
        interval: how the interval is made; the jackknife works on Fisher's z.

    Returns:
        In [-1, 1]; NaN with a reason for fewer than 3 rows or a constant column.

    Raises:
        DataError: lengths differ, a column is not 1-D or holds an infinite value.

    >>> pearson([1, 2, 3, 4], [1, 3, 2, 4]).estimate
    0.8
    """
    return correlate("pearson", resampled_r, x, y, clusters, interval)


def resampled_r(x: FloatArray, y: FloatArray, groups: Clusters) -> Resampled:
    """Pearson's r of two columns (N,) as a function of the clusters' weights."""
    return of_sums(moments(x, y), correlation_of_sums, groups)


def moments(x: FloatArray, y: FloatArray) -> FloatArray:
    """Columns 1, x, y, xx, yy, xy of the standardised values: (N, 6)."""
    u, v = ((column - column.mean()) / column.std() for column in (x, y))
    return np.stack([np.ones_like(u), u, v, u * u, v * v, u * v], axis=1)


def correlation_of_sums(sums: FloatArray) -> FloatArray:
    """Pearson's correlation from sums of `moments` (..., 6); NaN for a constant column."""
    n, x, y, xx, yy, xy = np.moveaxis(sums, -1, 0)
    with np.errstate(divide="ignore", invalid="ignore"):
        spread_x, spread_y = xx - x * x / n, yy - y * y / n
        flat = (spread_x <= _FLAT * n) | (spread_y <= _FLAT * n)
        value = (xy - x * y / n) / np.sqrt(spread_x * spread_y)
    return np.asarray(np.where(flat, np.nan, np.clip(np.round(value, 15), -1, 1)))


def spearman(
    x: ArrayLike,
    y: ArrayLike,
    *,
    clusters: ArrayLike | None = None,
    interval: Interval = JACKKNIFE,
) -> Estimate:
    """Return Spearman's rank correlation; ties share their mean rank.

    Arguments, range and errors are `pearson`'s. Ranks are computed anew in each resample.
    Above 20 million cells (rows x clusters) the jackknife is replaced by its limit, the
    influence function; the two differ by a share of about 1 / clusters.

    >>> round(spearman([1, 2, 3, 4], [1, 4, 9, 8]).estimate, 6)
    0.8
    """
    return correlate("spearman", resampled_rho, x, y, clusters, interval)


_EXACT_CELLS = 20_000_000


def resampled_rho(x: FloatArray, y: FloatArray, groups: Clusters) -> Resampled:
    """Spearman's rho of two columns (N,) as a function of the clusters' weights."""
    n = len(x)
    exact = of_rows(weighted_spearman(x, y), groups, n)
    if n * groups.count <= _EXACT_CELLS:
        return exact

    def left_out() -> FloatArray:
        pull = groups.sums(influence(x, y)[:, None])[:, 0]
        return np.clip(exact.value - pull / n, -1, 1)

    return replace(exact, left_out=left_out)


def cramers_v(
    x: ArrayLike,
    y: ArrayLike,
    *,
    corrected: bool = True,
    clusters: ArrayLike | None = None,
    interval: Interval = JACKKNIFE,
) -> Estimate:
    """Return Cramer's V of two categorical columns.

    Args:
        x, y: (N,) numbers or text; NaN, None and "" are missing.
        corrected: subtract the value that is expected by chance.
        clusters, interval: as in `pearson`.

    Returns:
        In [0, 1]; NaN with a reason when a column has a single value. Near 0 no interval
        is reliable: V cannot be negative.

    Source: Cramer (1946); corrected as in Bergsma (2013), equations 5-7.
    """
    names_x, codes_x = categories(x, "x")
    names_y, codes_y = categories(y, "y")
    same_length(x=codes_x, y=codes_y)
    keep = (codes_x >= 0) & (codes_y >= 0)
    n, unscored = int(keep.sum()), int((~keep).sum())
    name = "cramers_v" if corrected else "cramers_v_raw"
    for letter, codes in (("x", codes_x[keep]), ("y", codes_y[keep])):
        if n < 2 or codes.min() == codes.max():
            reason = f"`{letter}` is constant" if n >= 2 else f"needs 2 rows; there are {n}"
            return missing(name, 1, reason, n=n, unscored=unscored)
    shape = len(names_x), len(names_y)
    cells = codes_x[keep] * shape[1] + codes_y[keep]

    def function(sums: FloatArray) -> FloatArray:
        return v_of_counts(sums.reshape(*sums.shape[:-1], *shape), corrected)

    count = shape[0] * shape[1]
    statistic = of_cells(cells, count, function, grouped(clusters, keep))
    return estimate(name, statistic, n=n, unscored=unscored, interval=interval, scale=FROM_0_TO_1)


def v_of_counts(counts: FloatArray, corrected: bool) -> FloatArray:
    """Cramer's V of contingency tables (..., R, C); empty rows and columns do not count."""
    rows, columns = counts.sum(axis=-1), counts.sum(axis=-2)
    n = rows.sum(axis=-1)
    expected = rows[..., :, None] * columns[..., None, :]
    squares = ratio(counts**2, expected)
    phi2 = np.maximum(np.nansum(squares, axis=(-2, -1)) - 1, 0)
    r, c = (rows > 0).sum(axis=-1), (columns > 0).sum(axis=-1)
    if corrected:
        phi2 = np.maximum(0, phi2 - (r - 1) * (c - 1) / (n - 1))
        spare = np.minimum(r - (r - 1) ** 2 / (n - 1), c - (c - 1) ** 2 / (n - 1)) - 1
    else:
        spare = np.minimum(r, c) - 1.0
    return np.minimum(1.0, np.sqrt(ratio(phi2, np.where(spare > 0, spare, 0.0))))


def rmse(
    predicted: ArrayLike,
    gold: ArrayLike,
    *,
    clusters: ArrayLike | None = None,
    interval: Interval = JACKKNIFE,
) -> Estimate:
    """Return the root mean squared error, in the unit of the scores.

    Arguments, missing rows and errors are those of `pearson`. The jackknife works on its logarithm.
    """
    return _error("rmse", root_mean(np.square, 2), predicted, gold, clusters, interval)


def mae(
    predicted: ArrayLike,
    gold: ArrayLike,
    *,
    clusters: ArrayLike | None = None,
    interval: Interval = JACKKNIFE,
) -> Estimate:
    """Return the mean absolute error, in the unit of the scores.

    Arguments, missing rows and errors are those of `pearson`. The jackknife works on its logarithm.
    """
    return _error("mae", root_mean(np.abs), predicted, gold, clusters, interval)


def _error(
    name: str,
    build: Build,
    predicted: ArrayLike,
    gold: ArrayLike,
    clusters: ArrayLike | None,
    interval: Interval,
) -> Estimate:
    rows = complete_rows(clusters, predicted=predicted, gold=gold)
    if rows.n == 0:
        return missing(name, 1, "no rows with both values", unscored=rows.unscored)
    statistic = build(rows.columns[0], rows.columns[1], rows.clusters)
    return estimate(name, statistic, n=rows.n, unscored=rows.unscored, interval=interval, scale=LOG)


def root_mean(error: Callable[[FloatArray], FloatArray], root: int = 1) -> Build:
    """Return what gives a root of the mean error of a column against gold."""

    def function(sums: FloatArray) -> FloatArray:
        return ratio(np.maximum(sums[..., 1], 0), sums[..., 0]) ** (1 / root)

    def build(x: FloatArray, gold: FloatArray, groups: Clusters) -> Resampled:
        return of_sums(np.stack([np.ones(len(x)), error(x - gold)], axis=1), function, groups)

    return build
