"""Krippendorff's alpha, from how often two values stand at one item together."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from assize.base.errors import DataError
from assize.results.types import Estimate
from assize.stats._agreement import ONE_VALUE, Rated, tabulate
from assize.stats._arrays import Clusters, FloatArray
from assize.stats._intervals import ratio
from assize.stats._resampling import (
    AT_MOST_1,
    JACKKNIFE,
    Interval,
    Resampled,
    of_rows,
    of_sums,
)

Level = Literal["nominal", "ordinal", "interval"]

_MANY_VALUES = 40  # above it, ordinal alpha is computed from ranks, item by item
_MOST_WORK = 2_000_000_000  # cells that a jackknife of it may look at
_BLOCKS = 500  # left out one by one where there are more clusters than that allows


def alpha(
    ratings: ArrayLike,
    *,
    level: Level = "nominal",
    clusters: ArrayLike | None = None,
    interval: Interval = JACKKNIFE,
) -> Estimate:
    """Return Krippendorff's alpha: agreement beyond chance between any number of raters.

    Args:
        ratings: (raters R, items N); NaN marks a missing rating. Items with fewer than two
            ratings count as unscored.
        level: how far apart two ratings are: all alike (`nominal`), by the ranks between
            them (`ordinal`), or by their squared difference (`interval`).
        clusters: (N,) labels of items that are not independent.
        interval: as in `pearson`.

    Returns:
        At most 1, no unit; 1 is full agreement, 0 is chance level. NaN with a reason when
        no item has two ratings or all ratings are the same.

    Raises:
        DataError: `ratings` is not 2-D or holds an infinite value.

    Source: Krippendorff (2011), section 3. Differs: none.

    >>> alpha([[1, 0], [1, 0]]).estimate
    1.0
    """
    if level not in ("nominal", "ordinal", "interval"):
        raise DataError(f"`level` must be nominal, ordinal or interval; it is {level!r}")
    rated = Rated.of(ratings, clusters)
    if rated.n == 0:
        return rated.missing("alpha")
    values = np.unique(rated.matrix[rated.present])
    if len(values) == 1:
        return rated.missing("alpha", ONE_VALUE)
    if level == "interval":
        statistic = _interval_alpha(rated)
    elif level == "ordinal" and len(values) > _MANY_VALUES:
        statistic = _ordinal_by_ranks(rated, values)
    else:
        table, k = tabulate(rated), len(values)

        def function(sums: FloatArray) -> FloatArray:
            return alpha_of_matrix(sums.reshape(*sums.shape[:-1], k, k), values, level)

        statistic = table.of_sums(coincidences(table.counts), function)
    return rated.estimate("alpha", statistic, interval, AT_MOST_1, level)


def _interval_alpha(rated: Rated) -> Resampled:
    centre = rated.matrix[rated.present].mean()
    columns = _moments(np.where(rated.present, rated.matrix - centre, 0), rated.present)
    return of_sums(columns, _alpha_of_moments, rated.clusters)


def _moments(values: FloatArray, present: NDArray[np.bool_]) -> FloatArray:
    """Of each item: ratings, their sum, their squares, the squared differences within: (N, 4)."""
    m, first, second = present.sum(axis=0), values.sum(axis=0), (values**2).sum(axis=0)
    within = 2 * (m * second - first**2) / (m - 1)
    return np.stack([m.astype(np.float64), first, second, within], axis=1)


def coincidences(counts: FloatArray) -> FloatArray:
    """Coincidences of pairs of values within each item: counts (N, K) -> (N, K * K)."""
    k = counts.shape[1]
    pairs = counts[:, :, None] * counts[:, None, :]
    pairs[:, np.arange(k), np.arange(k)] -= counts
    return np.asarray((pairs / (counts.sum(axis=1) - 1)[:, None, None]).reshape(-1, k * k))


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


def _alpha_of_moments(sums: FloatArray) -> FloatArray:
    n, first, second, within = np.moveaxis(sums, -1, 0)
    expected = 2 * (n * second - first**2)
    flat = expected <= 1e-12 * n * np.abs(second)
    return np.asarray(1 - ratio((n - 1) * within, np.where(flat, 0, expected)))


def _ordinal_by_ranks(rated: Rated, values: FloatArray) -> Resampled:
    """Ordinal alpha of many distinct values: interval alpha of the ranks in each sample."""
    codes = np.searchsorted(values, np.where(rated.present, rated.matrix, values[0]))
    given = codes[rated.present]
    items = np.nonzero(rated.present)[1]

    def at(weights: FloatArray) -> FloatArray:
        found = np.empty(len(weights))
        for row, weight in enumerate(weights):
            totals = np.bincount(given, weight[items], len(values))
            ranks = np.cumsum(totals) - totals / 2 - totals.sum() / 2
            found[row] = _alpha_of_moments(
                weight @ _moments(np.where(rated.present, ranks[codes], 0), rated.present)
            )
        return found

    exact = of_rows(at, rated.clusters, rated.n)
    if rated.clusters.count * codes.size <= _MOST_WORK:
        return exact
    joined = np.arange(rated.n) if rated.clusters.codes is None else rated.clusters.codes
    blocks = of_rows(at, Clusters(joined % _BLOCKS, _BLOCKS), rated.n)
    return replace(exact, left_out=blocks.left_out)
