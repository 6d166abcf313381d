"""Agreement between raters: raw, Cohen's kappa, Fleiss' kappa, bins of how far it reaches.

Ratings are (raters R, items N), NaN where a rater did not rate. Figures about several
raters need nothing but how often each value stands at an item, so equal items are merged
before anything is resampled. Alpha stands in `coincidence.py`.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from assize.base.errors import DataError
from assize.results.types import Estimate, Share
from assize.stats._arrays import Clusters, FloatArray, IntArray, categories, grouped, numbers
from assize.stats._arrays import same_length as _same_length
from assize.stats._estimate import missing
from assize.stats._intervals import ratio, share
from assize.stats._resampling import (
    AT_MOST_1,
    FROM_0_TO_1,
    JACKKNIFE,
    Interval,
    Resampled,
    Scale,
    estimate,
    of_cells,
    of_sums,
)

Weights = Literal["none", "linear", "quadratic"]


def cohen_kappa(
    first: ArrayLike,
    second: ArrayLike,
    *,
    weights: Weights = "none",
    order: tuple[str | float, ...] | None = None,
    clusters: ArrayLike | None = None,
    interval: Interval = JACKKNIFE,
) -> Estimate:
    """Return Cohen's kappa of two raters: agreement beyond chance, as a share of what is possible.

    Args:
        first, second: (N,) numbers or text; NaN, None and "" are missing.
        weights: how much a disagreement counts: all alike, or by the distance (`linear`)
            or squared distance (`quadratic`) of the two answers' places in the order.
        order: all answers, lowest first; by default those that occur, sorted. With
            weights, name answers that nobody gave too: they take a place.
        clusters: (N,) labels of items that are not independent.
        interval: how the interval is made.

    Returns:
        At most 1; 0 is chance level. NaN with a reason when both raters gave one and the
        same answer throughout.

    Source: Cohen (1960, 1968). Differs: none.

    >>> round(cohen_kappa(list("aabb"), list("aabc")).estimate, 4)
    0.6
    """
    if weights not in ("none", "linear", "quadratic"):
        raise DataError(f"`weights` must be none, linear or quadratic; it is {weights!r}")
    codes, count = _places(first, second, order)
    keep = (codes[0] >= 0) & (codes[1] >= 0)
    n, unscored = int(keep.sum()), int((~keep).sum())
    name = "cohen_kappa"
    if n == 0:
        return missing(name, 1, "no items with both ratings", unscored=unscored)
    apart = np.abs(np.subtract.outer(np.arange(count), np.arange(count))).astype(np.float64)
    apart = {"none": np.minimum(apart, 1), "linear": apart, "quadratic": apart**2}[weights]

    def function(sums: FloatArray) -> FloatArray:
        return kappa_of_counts(sums.reshape(*sums.shape[:-1], count, count), apart)

    cells = codes[0, keep] * count + codes[1, keep]
    return estimate(
        name,
        of_cells(cells, count**2, function, grouped(clusters, keep)),
        n=n,
        unscored=unscored,
        interval=interval,
        scale=AT_MOST_1,
        settings=(f"weights:{weights}",),
        reason="both raters gave one and the same answer",
    )


def _places(
    first: ArrayLike, second: ArrayLike, order: tuple[str | float, ...] | None
) -> tuple[IntArray, int]:
    """Places (2, N) of both raters' answers in the order, -1 where missing; how many there are."""
    one, two = np.asarray(first), np.asarray(second)
    _same_length(first=one, second=two)
    found, codes = categories(np.concatenate([one, two]), "first, second")
    if order is None:
        return codes.reshape(2, -1), len(found)
    place = {value: at for at, value in enumerate(np.asarray(order).tolist())}
    unknown = [value for value in found.tolist() if value not in place]
    if unknown:
        raise DataError(f"`order` lacks the answer {unknown[0]!r}; it holds {list(place)}")
    moved = np.array([place[value] for value in found.tolist()] + [-1])
    return moved[codes].reshape(2, -1), len(place)


def kappa_of_counts(counts: FloatArray, apart: FloatArray) -> FloatArray:
    """Kappa of contingency tables (..., K, K) with disagreement weights (K, K)."""
    n = counts.sum(axis=(-2, -1))
    expected = counts.sum(axis=-1)[..., :, None] * counts.sum(axis=-2)[..., None, :]
    by_chance = (expected * apart).sum(axis=(-2, -1))
    return np.asarray(1 - ratio(n * (counts * apart).sum(axis=(-2, -1)), by_chance))


NO_ITEM = "no item has two ratings"
ONE_VALUE = "all ratings are the same"


@dataclass(frozen=True, slots=True)
class Rated:
    """The items with two ratings or more; `unscored` counts the others."""

    matrix: FloatArray  # (R, N)
    present: NDArray[np.bool_]  # (R, N)
    clusters: Clusters
    unscored: int

    @classmethod
    def of(cls, ratings: ArrayLike, clusters: ArrayLike | None) -> Rated:
        """Return such items of ratings (R, N); raises DataError on bad shapes."""
        matrix = numbers(ratings, "ratings", dimensions=2)
        present = ~np.isnan(matrix)
        keep = present.sum(axis=0) >= 2
        groups = grouped(clusters, keep)
        return cls(matrix[:, keep], present[:, keep], groups, int((~keep).sum()))

    @property
    def n(self) -> int:
        """How many items there are."""
        return int(self.matrix.shape[1])

    def missing(self, name: str, reason: str = NO_ITEM) -> Estimate:
        """Return a statistic that cannot be computed on these items."""
        return missing(name, 1, reason, n=self.n, unscored=self.unscored)

    def estimate(
        self, name: str, statistic: Resampled, interval: Interval, scale: Scale, *settings: str
    ) -> Estimate:
        """Return a statistic of these items."""
        return estimate(
            name,
            statistic,
            n=self.n,
            unscored=self.unscored,
            interval=interval,
            scale=scale,
            settings=settings,
            reason=ONE_VALUE,
        )


@dataclass(frozen=True, slots=True)
class Table:
    """Ratings as counts: how often each value stands at each item."""

    values: FloatArray  # (K,)
    counts: FloatArray  # (D, K), distinct items
    copies: FloatArray | None  # (D,) how many items are alike; None with clusters
    clusters: Clusters

    def of_sums(
        self, columns: FloatArray, function: Callable[[FloatArray], FloatArray]
    ) -> Resampled:
        """Return the statistic that is a function of the sums of `columns` over all items."""
        return of_sums(columns, function, self.clusters, self.copies)


def tabulate(rated: Rated) -> Table:
    """Return the counts of ratings."""
    values, codes = np.unique(rated.matrix[rated.present], return_inverse=True)
    items = np.nonzero(rated.present.ravel())[0] % max(1, rated.n)
    cells = np.bincount(items * len(values) + codes.ravel(), minlength=rated.n * len(values))
    counts = cells.reshape(rated.n, len(values)).astype(np.float64)
    if rated.clusters.codes is not None:
        return Table(values, counts, None, rated.clusters)
    counts, copies = _merged(counts, len(rated.matrix))
    return Table(values, counts, copies, Clusters(None, len(counts)))


def _merged(counts: FloatArray, raters: int) -> tuple[FloatArray, FloatArray | None]:
    """Distinct rows of counts (N, K) and how often each stands, where that saves work."""
    if counts.shape[1] * math.log2(raters + 1) > 62:
        return counts, None
    keys = counts.astype(np.int64) @ (raters + 1) ** np.arange(counts.shape[1], dtype=np.int64)
    _, first, copies = np.unique(keys, return_index=True, return_counts=True)
    return counts[first], copies.astype(np.float64)


def raw_agreement(
    ratings: ArrayLike,
    *,
    clusters: ArrayLike | None = None,
    interval: Interval = JACKKNIFE,
) -> Estimate:
    """Return the share of agreeing pairs of raters, averaged over items.

    Args:
        ratings: (raters R, items N); NaN marks a missing rating. Items with fewer than two
            ratings count as unscored.
        clusters: (N,) labels of items that are not independent.

    >>> raw_agreement([[1, 1, 2], [1, 2, 2], [1, 3, 1]]).estimate
    0.4444444444444444
    """
    rated = Rated.of(ratings, clusters)
    if rated.n == 0:
        return rated.missing("raw_agreement")
    table = tabulate(rated)
    columns = np.stack([np.ones(len(table.counts)), _agreeing(table.counts)], axis=1)

    def function(sums: FloatArray) -> FloatArray:
        return ratio(sums[..., 1], sums[..., 0])

    return rated.estimate("raw_agreement", table.of_sums(columns, function), interval, FROM_0_TO_1)


def _agreeing(counts: FloatArray) -> FloatArray:
    """Share of agreeing pairs of ratings at each item (N, K) -> (N,)."""
    m = counts.sum(axis=1)
    return np.asarray((counts * (counts - 1)).sum(axis=1) / (m * (m - 1)))


def fleiss_kappa(
    ratings: ArrayLike,
    *,
    clusters: ArrayLike | None = None,
    interval: Interval = JACKKNIFE,
) -> Estimate:
    """Return Fleiss' kappa of several raters on a nominal scale.

    Arguments as in `raw_agreement`. Returns NaN with a reason when all ratings are the same.

    Source: Fleiss (1971). Differs: items may have different numbers of ratings (two or
    more); an item's answers then count as shares, as in Gwet (2014), section 2.4.
    """
    rated = Rated.of(ratings, clusters)
    if rated.n == 0:
        return rated.missing("fleiss_kappa")
    table = tabulate(rated)
    shares = table.counts / table.counts.sum(axis=1, keepdims=True)
    columns = np.column_stack([np.ones(len(shares)), _agreeing(table.counts), shares])

    def function(sums: FloatArray) -> FloatArray:
        agreed = ratio(sums[..., 1], sums[..., 0])
        by_chance = (ratio(sums[..., 2:], sums[..., :1]) ** 2).sum(axis=-1)
        spare = 1 - by_chance
        return ratio(agreed - by_chance, np.where(spare < 1e-12, 0, spare))

    return rated.estimate("fleiss_kappa", table.of_sums(columns, function), interval, AT_MOST_1)


@dataclass(frozen=True, slots=True)
class AgreementBins:
    """Shares of the items in which raters agree this far.

    Args:
        perfect: all ratings are the same.
        majority: more than half of them are.
        plurality: one answer is given more often than any other.
        none: no answer is (a tie for the most frequent, or all differ).
        exclusive: whether an item counts only in the first of these bins that it reaches;
            when False, `majority` includes `perfect`, and `plurality` both.
        reached: (N,) bin of each item: 3 perfect, 2 majority, 1 plurality, 0 none, -1
            unscored (fewer than two ratings).
        rated, largest: (N,) ratings of each item, and how many of them are the most frequent one.
    """

    perfect: Share
    majority: Share
    plurality: Share
    none: Share
    exclusive: bool
    reached: IntArray
    rated: IntArray
    largest: IntArray


def agreement_bins(
    ratings: ArrayLike,
    *,
    exclusive: bool = True,
    clusters: ArrayLike | None = None,
    confidence: float = 0.95,
) -> AgreementBins:
    """Return the shares of items with perfect agreement, a majority, or a plurality.

    Args:
        ratings: (raters R, items N); NaN marks a missing rating.
        exclusive: see `AgreementBins`.
        clusters: (N,) labels of items that are not independent.

    Source: UPHELD, table 5 (exclusive) and table 12 (nested). Differs: bins are fractions
    of the ratings present, so any number of raters works.
    """
    matrix = numbers(ratings, "ratings", dimensions=2)
    counts = np.zeros((matrix.shape[1], 2))  # of the most frequent answers, and the next
    ordered = np.sort(matrix, axis=0)  # NaN last
    m = (~np.isnan(matrix)).sum(axis=0)
    run = np.zeros(matrix.shape[1])
    for rater in range(matrix.shape[0]):
        run = np.where(ordered[rater] == ordered[max(0, rater - 1)], run + 1, 1.0)
        ends = (ordered[min(rater + 1, len(ordered) - 1)] != ordered[rater]) | (
            rater == len(ordered) - 1
        )
        longer = np.where(ends & ~np.isnan(ordered[rater]), run, 0)
        counts = np.sort(np.column_stack([counts, longer]), axis=1)[:, 1:]
    next_one, top = counts.T
    level = (top > next_one).astype(np.int64)
    level = np.where(top > m / 2, 2, level)
    level = np.where(top == m, 3, level)
    reached = np.where(m >= 2, level, -1)

    def of(lowest: int) -> Share:
        hit = reached == lowest if exclusive or lowest == 0 else reached >= lowest
        values = np.where(reached < 0, np.nan, hit)
        return share(values, clusters=clusters, confidence=confidence)

    sizes = m.astype(np.int64), top.astype(np.int64)
    return AgreementBins(of(3), of(2), of(1), of(0), exclusive, reached, *sizes)
