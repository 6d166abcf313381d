"""Krippendorff's alpha, from how often two values stand at one item together."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from assize.errors import DataError
from assize.stats.agreement import NO_ITEM, ONE_VALUE, Table, of_table, tabulate
from assize.stats.arrays import FloatArray, numbers
from assize.stats.estimate import Estimate, describe, generator_state, missing, sign
from assize.stats.intervals import crossed as crossed_ends
from assize.stats.intervals import ratio
from assize.stats.resampling import (
    AT_MOST_1,
    JACKKNIFE,
    Interval,
    Resampled,
    estimate,
    of_rows,
)

Level = Literal["nominal", "ordinal", "interval"]

_MANY_VALUES = 40  # above it, ordinal alpha is computed from ranks, item by item


def alpha(
    ratings: ArrayLike,
    *,
    level: Level = "nominal",
    clusters: ArrayLike | None = None,
    crossed: bool = False,
    how: Interval = JACKKNIFE,
    rng: np.random.Generator | None = None,
) -> Estimate:
    """Krippendorff's alpha: agreement beyond chance between any number of raters.

    Args:
        ratings: (raters R, items N); NaN marks a missing rating. Items with fewer than two
            ratings count as unscored.
        level: how far apart two ratings are: all alike (`nominal`), by the ranks between
            them (`ordinal`), or by their squared difference (`interval`).
        clusters: (N,) labels of items that are not independent.
        crossed: draw raters as well as items anew, for a statement about other raters; a
            percentile interval, which needs `rng` and takes no clusters.
        how, rng: as in `pearson`.

    Returns:
        At most 1, no unit; 1 is full agreement, 0 is chance level. NaN with a reason when
        no item has two ratings or all ratings are the same.

    Raises:
        DataError: `ratings` is not 2-D or holds an infinite value.

    Source: Krippendorff (2011), section 3. Differs: none. Crossed: Owen (2007); a rater
    drawn twice is not compared with himself.

    >>> alpha([[1, 0], [1, 0]]).estimate
    1.0
    """
    if level not in ("nominal", "ordinal", "interval"):
        raise DataError(f"`level` must be nominal, ordinal or interval; it is {level!r}")
    table = tabulate(ratings, clusters)
    if table.n == 0:
        return missing("alpha", 1, NO_ITEM, unscored=table.unscored)
    if len(table.values) == 1:
        return missing("alpha", 1, ONE_VALUE, n=table.n, unscored=table.unscored)
    if crossed:
        return _crossed_alpha(ratings, table, level, clusters, how, rng)
    if level == "interval":
        columns = _interval_columns(table)
        function: Callable[[FloatArray], FloatArray] = _alpha_of_moments
    elif level == "ordinal" and len(table.values) > _MANY_VALUES:
        return _ordinal_by_ranks(table, how, rng)
    else:
        columns = coincidences(table.counts)
        function = _alpha_of_coincidences(table.values, level)
    return of_table("alpha", table, columns, function, how, rng, AT_MOST_1, level)


def coincidences(counts: FloatArray) -> FloatArray:
    """Coincidences of pairs of values within each item: counts (N, K) -> (N, K * K)."""
    k = counts.shape[1]
    pairs = counts[:, :, None] * counts[:, None, :]
    pairs[:, np.arange(k), np.arange(k)] -= counts
    return np.asarray((pairs / (counts.sum(axis=1) - 1)[:, None, None]).reshape(-1, k * k))


def _alpha_of_coincidences(values: FloatArray, level: Level) -> Callable[[FloatArray], FloatArray]:
    k = len(values)

    def function(sums: FloatArray) -> FloatArray:
        observed = sums.reshape(*sums.shape[:-1], k, k)
        return alpha_of_matrix(observed, values, level)

    return function


def alpha_of_matrix(observed: FloatArray, values: FloatArray, level: Level) -> FloatArray:
    """Alpha of coincidence matrices (..., K, K) of values (K,)."""
    totals = observed.sum(axis=-1)  # (..., K)
    n = totals.sum(axis=-1)
    apart = _distances(totals, values, level)
    expected = (totals[..., :, None] * totals[..., None, :] * apart).sum(axis=(-2, -1))
    seen = (observed * apart).sum(axis=(-2, -1))
    return np.asarray(1 - ratio((n - 1) * seen, np.where(expected < 1e-12 * n**2, 0, expected)))


def _distances(totals: FloatArray, values: FloatArray, level: Level) -> FloatArray:
    """Squared distances between values; the ordinal ones are those of the mean ranks."""
    if level == "nominal":
        return 1 - np.eye(len(values))
    places = values if level == "interval" else np.cumsum(totals, axis=-1) - totals / 2
    return np.asarray((places[..., :, None] - places[..., None, :]) ** 2)


def _interval_columns(table: Table) -> FloatArray:
    """Ratings, their sum, their squares, and the squared differences within, by item."""
    values = table.values - np.average(table.values, weights=table.whole @ table.counts)
    m, first, second = (table.counts @ values**power for power in (0, 1, 2))
    within = 2 * (m * second - first**2) / (m - 1)
    return np.stack([m, first, second, within], axis=1)


def _alpha_of_moments(sums: FloatArray) -> FloatArray:
    n, first, second, within = np.moveaxis(sums, -1, 0)
    expected = 2 * (n * second - first**2)
    flat = expected <= 1e-12 * n * np.abs(second)
    return np.asarray(1 - ratio((n - 1) * within, np.where(flat, 0, expected)))


def _ordinal_by_ranks(table: Table, how: Interval, rng: np.random.Generator | None) -> Estimate:
    """Ordinal alpha of many distinct values: interval alpha of the ranks in each sample."""
    m = table.counts.sum(axis=1)

    def at(weights: FloatArray) -> FloatArray:
        found = np.empty(len(weights))
        for row, weight in enumerate(weights):
            totals = weight @ table.counts
            ranks = np.cumsum(totals) - totals / 2 - totals.sum() / 2
            first, second = table.counts @ ranks, table.counts @ ranks**2
            within = 2 * (m * second - first**2) / (m - 1)
            sums = np.array([weight @ column for column in (m, first, second, within)])
            found[row] = _alpha_of_moments(sums)
        return found

    def left_out() -> FloatArray:
        kinds = range(len(table.counts))
        return np.concatenate([at(table.whole - np.eye(1, len(kinds), one)) for one in kinds])

    if table.clusters.codes is None:
        statistic = Resampled(table.n, at, left_out, table.copies)
    else:
        statistic = of_rows(at, table.clusters, len(table.counts))
    return estimate(
        "alpha", 1, float(at(table.whole[None])[0]), statistic, n=table.n, unscored=table.unscored,
        how=how, rng=rng, scale=AT_MOST_1, settings=("ordinal",), reason=ONE_VALUE,
    )  # fmt: skip


def _crossed_alpha(
    ratings: ArrayLike,
    table: Table,
    level: Level,
    clusters: ArrayLike | None,
    how: Interval,
    rng: np.random.Generator | None,
) -> Estimate:
    if rng is None or clusters is not None:
        raise DataError("`crossed` needs `rng`, and takes no `clusters`")
    matrix = numbers(ratings, "ratings", dimensions=2)
    matrix = matrix[:, (~np.isnan(matrix)).sum(axis=0) >= 2]
    ones = (matrix[:, :, None] == table.values).astype(np.float64)  # (R, N, K)
    k = np.arange(len(table.values))

    def weighted(raters: FloatArray, items: FloatArray) -> float:
        counts = np.tensordot(raters, ones, 1)  # (N, K)
        own = np.tensordot(raters**2, ones, 1)
        m = counts.sum(axis=1)
        partners = ratio(m**2 - own.sum(axis=1), m)
        weight = np.where(partners > 0, items / np.where(partners > 0, partners, 1), 0)
        observed = (counts * weight[:, None]).T @ counts
        observed[k, k] -= weight @ own
        return float(alpha_of_matrix(observed, table.values, level))

    method = describe(
        "alpha", 1, level, f"{how.confidence:.4g}", f"crossed:{how.resamples}",
        f"raters:{matrix.shape[0]}", f"items:{matrix.shape[1]}", generator_state(rng),
    )  # fmt: skip
    value = weighted(np.ones(matrix.shape[0]), np.ones(matrix.shape[1]))
    ends = crossed_ends(
        weighted, *matrix.shape, rng=rng, resamples=how.resamples, confidence=how.confidence
    )
    return Estimate(
        value, ends.interval, table.n, table.unscored, ends.reason, sign(method), method, table.n
    )
