"""Which of two judges agrees better with gold, and whether the difference is real.

The interval is the jackknife's over clusters, of the difference itself; the test swaps the
two judges within clusters. Both look at the same items, so the comparison is paired.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from assize.base.errors import DataError
from assize.results.types import Estimate, Test
from assize.stats._agreement import kappa_of_counts
from assize.stats._arrays import Clusters, FloatArray, grouped, numbers, same_length
from assize.stats._concordance import resampled_tau, tau
from assize.stats._correlation import correlation_of_sums, moments, resampled_rho
from assize.stats._estimate import missing
from assize.stats._intervals import ratio
from assize.stats._permutation import swap
from assize.stats._ranks import levels, midranks
from assize.stats._resampling import JACKKNIFE, Interval, Resampled, estimate, of_sums

Measure = Literal["pearson", "spearman", "kendall", "kappa", "accuracy", "mae", "rmse"]

_LOWER_IS_BETTER = ("mae", "rmse")


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two judges against gold, on the items that all three answered.

    Args:
        first, second: each judge's figure, with its own interval.
        difference: `first - second`, with the interval of the difference.
        test: whether the two can be exchanged.
        better: `first` or `second` by the estimates, with errors the smaller one; None when
            the test does not reject at the interval's confidence.
    """

    first: Estimate
    second: Estimate
    difference: Estimate
    test: Test
    better: Literal["first", "second"] | None


def compare(
    first: ArrayLike,
    second: ArrayLike,
    gold: ArrayLike,
    *,
    measure: Measure = "spearman",
    clusters: ArrayLike | None = None,
    how: Interval = JACKKNIFE,
    permutations: int = 10_000,
    rng: np.random.Generator,
) -> Comparison:
    """Compares two judges' agreement with gold on their common items.

    Args:
        first, second, gold: (N,) numbers, for `kappa` and `accuracy` codes of answers; NaN
            is missing. Rows with any missing value count as unscored.
        measure: `kappa` is unweighted; `accuracy` is the share of equal values.
        clusters: (N,) labels of rows that are not independent: the unit that is left out,
            drawn and swapped.
        permutations, rng: of the test; `rng` also draws bootstrap intervals.

    Returns:
        Estimates are NaN with a reason where a judge or gold is constant.
    """
    if measure not in _MEASURES:
        raise DataError(f"`measure` must be one of {', '.join(_MEASURES)}; it is {measure!r}")
    columns = [numbers(c, n) for c, n in ((first, "first"), (second, "second"), (gold, "gold"))]
    same_length(first=columns[0], second=columns[1], gold=columns[2])
    keep = ~(np.isnan(columns[0]) | np.isnan(columns[1]) | np.isnan(columns[2]))
    one, two, truth = (column[keep] for column in columns)
    n, unscored = int(keep.sum()), int((~keep).sum())
    groups = grouped(clusters, keep)
    reason = _undefined(one, two, truth, measure)
    if reason is not None:
        nothing = missing(f"compare:{measure}", 1, reason, n=n, unscored=unscored)
        test = Test(np.nan, np.nan, n=n, unscored=unscored, reason=reason)
        return Comparison(nothing, nothing, nothing, test, None)
    build = _MEASURES[measure]
    each = build(one, truth, groups), build(two, truth, groups)
    gap = Resampled(
        groups.count,
        lambda weights: each[0].at(weights) - each[1].at(weights),
        lambda: each[0].left_out() - each[1].left_out(),
    )
    everything = np.ones((1, groups.count))
    first_is, second_is, apart = (
        estimate(
            f"{name}:{measure}",
            1,
            float(one_of.at(everything)[0]),
            one_of,
            n=n,
            unscored=unscored,
            how=how,
            rng=rng,
        )
        for name, one_of in (("judge", each[0]), ("judge", each[1]), ("compare", gap))
    )
    test = swap(
        _difference(measure, one, two, truth),
        _codes(measure, one, two),
        _codes(measure, two, one),
        clusters=groups.codes,
        permutations=permutations,
        rng=rng,
        vectorised=True,
        name=measure,
    )
    better: Literal["first", "second"] | None = None
    if test.p_value < 1 - how.confidence:
        better = "first" if (apart.estimate > 0) != (measure in _LOWER_IS_BETTER) else "second"
    return Comparison(first_is, second_is, apart, test, better)


def _undefined(one: FloatArray, two: FloatArray, gold: FloatArray, measure: str) -> str | None:
    if len(gold) < 3:
        return f"needs at least 3 items that all three answered; there are {len(gold)}"
    if measure in ("pearson", "spearman", "kendall", "kappa"):
        for name, column in (("first", one), ("second", two), ("gold", gold)):
            if np.ptp(column) == 0:
                return f"`{name}` is constant"
    return None


def _pearson(x: FloatArray, gold: FloatArray, groups: Clusters) -> Resampled:
    return of_sums(moments(x, gold), correlation_of_sums, groups)


def _kendall(x: FloatArray, gold: FloatArray, groups: Clusters) -> Resampled:
    return resampled_tau(levels(x).codes, levels(gold).codes, groups)


def _kappa(x: FloatArray, gold: FloatArray, groups: Clusters) -> Resampled:
    values, codes = np.unique(np.concatenate([x, gold]), return_inverse=True)
    k = len(values)
    cells = np.eye(k * k)[codes[: len(x)] * k + codes[len(x) :]]
    apart = 1 - np.eye(k)
    return of_sums(
        cells, lambda sums: kappa_of_counts(sums.reshape(*sums.shape[:-1], k, k), apart), groups
    )


Build = Callable[[FloatArray, FloatArray, Clusters], Resampled]
Rows = Callable[[FloatArray, FloatArray, FloatArray], FloatArray]


def _exact(gap: FloatArray) -> FloatArray:
    return np.asarray(gap == 0, dtype=np.float64)


def _mean_of(error: Callable[[FloatArray], FloatArray], power: float = 1.0) -> Build:
    def build(x: FloatArray, gold: FloatArray, groups: Clusters) -> Resampled:
        columns = np.stack([np.ones(len(x)), error(x - gold)], axis=1)
        return of_sums(
            columns, lambda sums: ratio(np.maximum(sums[..., 1], 0), sums[..., 0]) ** power, groups
        )

    return build


_MEASURES: dict[str, Build] = {
    "pearson": _pearson,
    "spearman": resampled_rho,
    "kendall": _kendall,
    "kappa": _kappa,
    "accuracy": _mean_of(_exact),
    "mae": _mean_of(np.abs),
    "rmse": _mean_of(np.square, 0.5),
}


def _codes(measure: str, column: FloatArray, other: FloatArray) -> FloatArray:
    """The column that is swapped: ranks and kappa need only the place among both judges' values."""
    if measure not in ("spearman", "kendall", "kappa"):
        return column
    return np.searchsorted(np.unique(np.concatenate([column, other])), column).astype(np.float64)


def _difference(
    measure: str, one: FloatArray, two: FloatArray, gold: FloatArray
) -> Callable[[FloatArray, FloatArray], FloatArray]:
    """The figure of (B, N) columns less that of others, against gold: (B,)."""
    values = np.unique(np.concatenate([one, two]))
    figure = _ROWS[measure]
    return lambda x, y: figure(x, gold, values) - figure(y, gold, values)


def _rows_pearson(x: FloatArray, gold: FloatArray, values: FloatArray) -> FloatArray:
    return _row_correlation(x, gold - gold.mean())


def _rows_spearman(x: FloatArray, gold: FloatArray, values: FloatArray) -> FloatArray:
    return _row_correlation(_row_ranks(x, len(values)), midranks(gold) - (len(gold) + 1) / 2)


def _rows_kendall(x: FloatArray, gold: FloatArray, values: FloatArray) -> FloatArray:
    return np.array([tau(levels(row).codes, levels(gold).codes) for row in x])


def _rows_kappa(x: FloatArray, gold: FloatArray, values: FloatArray) -> FloatArray:
    both = np.unique(np.concatenate([values, gold]))
    k = len(both)
    places = np.searchsorted(both, values)[x.astype(np.int64)]
    cells = places * k + np.searchsorted(both, gold) + np.arange(len(x))[:, None] * k * k
    counts = np.bincount(cells.ravel(), minlength=len(x) * k * k).reshape(len(x), k, k)
    return kappa_of_counts(counts.astype(np.float64), 1 - np.eye(k))


def _rows_mean(error: Callable[[FloatArray], FloatArray], power: float = 1.0) -> Rows:
    return lambda x, gold, values: np.asarray(error(x - gold).mean(axis=1) ** power)


_ROWS: dict[str, Rows] = {
    "pearson": _rows_pearson,
    "spearman": _rows_spearman,
    "kendall": _rows_kendall,
    "kappa": _rows_kappa,
    "accuracy": _rows_mean(_exact),
    "mae": _rows_mean(np.abs),
    "rmse": _rows_mean(np.square, 0.5),
}


def _row_ranks(codes: FloatArray, height: int) -> FloatArray:
    """Mid-ranks, less a constant, within each row of places (B, N) among `height` values."""
    rows = np.arange(len(codes))[:, None] * height
    flat = (codes.astype(np.int64) + rows).ravel()
    counts = np.bincount(flat, minlength=len(codes) * height).reshape(len(codes), height)
    middle = np.cumsum(counts, axis=1) - counts / 2
    return np.asarray(middle.ravel()[flat].reshape(codes.shape) - codes.shape[1] / 2)


def _row_correlation(x: FloatArray, centred: FloatArray) -> FloatArray:
    away = x - x.mean(axis=1, keepdims=True)
    spread = np.sqrt(np.einsum("bn,bn->b", away, away) * (centred @ centred))
    return ratio(away @ centred, spread)
