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
from assize.stats._arrays import Clusters, FloatArray, complete_rows
from assize.stats._concordance import resampled_tau, tau
from assize.stats._correlation import Build, resampled_r, resampled_rho, root_mean
from assize.stats._estimate import missing
from assize.stats._intervals import ratio
from assize.stats._permutation import swap
from assize.stats._ranks import levels, midranks
from assize.stats._resampling import JACKKNIFE, Interval, Resampled, estimate, of_sums

Measure = Literal["pearson", "spearman", "kendall", "kappa", "accuracy", "mae", "rmse"]


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
    interval: Interval = JACKKNIFE,
    permutations: int = 10_000,
    rng: np.random.Generator,
) -> Comparison:
    """Compare two judges' agreement with gold on their common items.

    Args:
        first, second, gold: (N,) numbers, for `kappa` and `accuracy` codes of answers; NaN
            is missing. Rows with any missing value count as unscored.
        measure: `kappa` is unweighted; `accuracy` is the share of equal values.
        clusters: (N,) labels of rows that are not independent: the unit that is left out,
            drawn and swapped.
        interval: how intervals are made; the test is at its confidence.
        permutations, rng: of the test.

    Returns:
        Estimates are NaN with a reason where a judge or gold is constant.
    """
    if measure not in _MEASURES:
        raise DataError(f"`measure` must be one of {', '.join(_MEASURES)}; it is {measure!r}")
    rows = complete_rows(clusters, first=first, second=second, gold=gold)
    one, two, truth = rows.columns
    groups = rows.clusters
    reason = _undefined(one, two, truth, measure)
    if reason is not None:
        nothing = missing(f"compare:{measure}", 1, reason, n=rows.n, unscored=rows.unscored)
        test = Test(np.nan, np.nan, n=rows.n, unscored=rows.unscored, reason=reason)
        return Comparison(nothing, nothing, nothing, test, None)
    build = _MEASURES[measure].build
    left, right = build(one, truth, groups), build(two, truth, groups)
    gap = Resampled(
        left.value - right.value,
        groups.count,
        lambda weights: left.at(weights) - right.at(weights),
        lambda: left.left_out() - right.left_out(),
    )
    first_is, second_is, apart = (
        estimate(
            f"{name}:{measure}",
            statistic,
            n=rows.n,
            unscored=rows.unscored,
            interval=interval,
        )
        for name, statistic in (("judge", left), ("judge", right), ("compare", gap))
    )
    test = swap(
        _difference(measure, one, two, truth),
        _codes(measure, one, two),
        _codes(measure, two, one),
        clusters=groups.codes,
        permutations=permutations,
        rng=rng,
        name=measure,
    )
    better: Literal["first", "second"] | None = None
    if test.p_value < 1 - interval.confidence:
        better = "first" if (apart.estimate > 0) != _MEASURES[measure].lower else "second"
    return Comparison(first_is, second_is, apart, test, better)


def _undefined(one: FloatArray, two: FloatArray, gold: FloatArray, measure: str) -> str | None:
    if len(gold) < 3:
        return f"needs at least 3 items that all three answered; there are {len(gold)}"
    if measure in ("pearson", "spearman", "kendall", "kappa"):
        for name, column in (("first", one), ("second", two), ("gold", gold)):
            if np.ptp(column) == 0:
                return f"`{name}` is constant"
    return None


def _kappa(x: FloatArray, gold: FloatArray, groups: Clusters) -> Resampled:
    values, codes = np.unique(np.concatenate([x, gold]), return_inverse=True)
    k = len(values)
    cells = np.eye(k * k)[codes[: len(x)] * k + codes[len(x) :]]
    apart = 1 - np.eye(k)
    return of_sums(
        cells, lambda sums: kappa_of_counts(sums.reshape(*sums.shape[:-1], k, k), apart), groups
    )


@dataclass(frozen=True, slots=True)
class _Measure:
    """A measure of one judge against gold.

    Args:
        build: as a function of the clusters' weights.
        permuted: of rows (B, N) in which judges are swapped, the gold, and all values there are.
        lower: whether less is better.
    """

    build: Build
    permuted: Callable[[FloatArray, FloatArray, FloatArray], FloatArray]
    lower: bool = False


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
    figure = _MEASURES[measure].permuted
    return lambda x, y: figure(x, gold, values) - figure(y, gold, values)


def _rows_kappa(x: FloatArray, gold: FloatArray, values: FloatArray) -> FloatArray:
    both = np.unique(np.concatenate([values, gold]))
    k = len(both)
    places = np.searchsorted(both, values)[x.astype(np.int64)]
    cells = places * k + np.searchsorted(both, gold) + np.arange(len(x))[:, None] * k * k
    counts = np.bincount(cells.ravel(), minlength=len(x) * k * k).reshape(len(x), k, k)
    return kappa_of_counts(counts.astype(np.float64), 1 - np.eye(k))


def _error(
    error: Callable[[FloatArray], FloatArray], *, root: int = 1, lower: bool = True
) -> _Measure:
    def permuted(x: FloatArray, gold: FloatArray, values: FloatArray) -> FloatArray:
        return np.asarray(error(x - gold).mean(axis=1) ** (1 / root))

    return _Measure(root_mean(error, root), permuted, lower)


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


_MEASURES: dict[str, _Measure] = {
    "pearson": _Measure(
        resampled_r, lambda x, gold, values: _row_correlation(x, gold - gold.mean())
    ),
    "spearman": _Measure(
        resampled_rho,
        lambda x, gold, values: _row_correlation(
            _row_ranks(x, len(values)), midranks(gold) - (len(gold) + 1) / 2
        ),
    ),
    "kendall": _Measure(
        resampled_tau,
        lambda x, gold, values: np.array([tau(levels(row).codes, levels(gold).codes) for row in x]),
    ),
    "kappa": _Measure(_kappa, _rows_kappa),
    "accuracy": _error(lambda gap: np.asarray(gap == 0, dtype=np.float64), lower=False),
    "mae": _error(np.abs),
    "rmse": _error(np.square, root=2),
}
