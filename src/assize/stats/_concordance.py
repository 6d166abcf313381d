"""Kendall's tau-b in O(n log n), with an exact jackknife over clusters."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from assize.results.types import Estimate
from assize.stats._arrays import Clusters, FloatArray, IntArray
from assize.stats._correlation import correlate
from assize.stats._ranks import levels
from assize.stats._resampling import JACKKNIFE, Interval, Resampled

Weighted = Callable[[FloatArray], FloatArray]


def kendall(
    x: ArrayLike,
    y: ArrayLike,
    *,
    clusters: ArrayLike | None = None,
    interval: Interval = JACKKNIFE,
) -> Estimate:
    """Return Kendall's tau-b: concordant minus discordant pairs, corrected for ties.

    Arguments, range and errors are `pearson`'s. The bootstrap is slow, for each
    resample is sorted anew; the jackknife is fast.

    Source: Kendall (1945).

    >>> round(kendall([1, 2, 3, 4], [1, 3, 2, 4]).estimate, 4)
    0.6667
    """
    return correlate("kendall", resampled_tau, x, y, clusters, interval)


def tau(x: IntArray, y: IntArray) -> float:
    """Tau-b of two columns of dense levels (N,); NaN where one is constant."""
    return float(_tau(_totals(x, y, np.zeros_like(x)), len(x))[0])


def pair_signs(x: IntArray, y: IntArray, block: IntArray) -> IntArray:
    """Concordant less discordant partners of each row, among rows of its block; levels are dense.

    Two rows differ in x at a highest bit; so for each bit, rows that agree above it are sorted by
    y, and the partners on its other side are counted below and above.
    """
    signs = np.zeros(len(x), dtype=np.int64)
    height = int(y.max()) + 1
    for bit in range(int(x.max()).bit_length()):
        prefix = block * (int(x.max() >> (bit + 1)) + 1) + (x >> (bit + 1))
        key = prefix * height + y
        order = np.argsort(key, kind="stable")
        ordered, upper = key[order], ((x >> bit) & 1)[order]
        seen = np.zeros(len(x) + 1, dtype=np.int64)
        np.cumsum(upper, out=seen[1:])  # rows with the bit set, before each place
        tied, alike = _run_ends(ordered), _run_ends(prefix[order])
        ones = seen[tied.start] - seen[alike.start], seen[alike.stop] - seen[tied.stop]
        everyone = tied.start - alike.start, alike.stop - tied.stop
        zeros = everyone[0] - ones[0], everyone[1] - ones[1]
        signs[order] += np.where(upper == 1, zeros[0] - zeros[1], ones[1] - ones[0])
    return signs


class _Runs(NamedTuple):
    """Start and end of the run of equal values that each place of a sorted column is in."""

    start: IntArray
    stop: IntArray


def _run_ends(ordered: IntArray) -> _Runs:
    first = np.flatnonzero(np.append(True, ordered[1:] != ordered[:-1]))
    lengths = np.diff(np.append(first, len(ordered)))
    return _Runs(np.repeat(first, lengths), np.repeat(first + lengths, lengths))


class _Totals(NamedTuple):
    """Of each sample: concordant less discordant pairs, pairs tied in x, pairs tied in y."""

    signs: FloatArray
    tied_x: FloatArray
    tied_y: FloatArray


def _totals(x: IntArray, y: IntArray, block: IntArray) -> _Totals:
    """The totals of each block of rows."""
    count = int(block.max()) + 1
    signs = np.bincount(block, pair_signs(x, y, block), count) / 2

    def tied(codes: IntArray) -> FloatArray:
        height = int(codes.max()) + 1
        found, sizes = np.unique(block * height + codes, return_counts=True)
        pairs = sizes * (sizes - 1) / 2
        return np.bincount(found // height, pairs, count).astype(np.float64)

    return _Totals(signs, tied(x), tied(y))


def _tau(totals: _Totals, n: ArrayLike) -> FloatArray:
    pairs = np.asarray(n, dtype=np.float64) * (np.asarray(n, dtype=np.float64) - 1) / 2
    free_x, free_y = pairs - totals.tied_x, pairs - totals.tied_y
    with np.errstate(divide="ignore", invalid="ignore"):
        value = np.clip(totals.signs / np.sqrt(free_x * free_y), -1, 1)
    return np.asarray(np.where((free_x <= 0) | (free_y <= 0), np.nan, value))


def resampled_tau(first: FloatArray, second: FloatArray, groups: Clusters) -> Resampled:
    """Tau-b of two columns (N,) as a function of the clusters' weights."""
    x, y, n = levels(first).codes, levels(second).codes, len(first)

    def left_out() -> FloatArray:
        whole = np.zeros(n, dtype=np.int64)
        codes = np.arange(n) if groups.codes is None else groups.codes
        totals = _totals(x, y, whole)
        partners = [pair_signs(x, y, whole)]
        partners += [np.bincount(level)[level] - 1 for level in (x, y)]
        zero = np.zeros(groups.count)
        inside = (zero, zero, zero) if groups.codes is None else _totals(x, y, codes)
        rest = [
            total - np.bincount(codes, lost, groups.count) + within
            for total, lost, within in zip(totals, partners, inside, strict=True)
        ]
        return _tau(_Totals(*rest), n - np.bincount(codes, minlength=groups.count))

    return Resampled(tau(x, y), groups.count, _one_by_one(x, y, groups), left_out)


def _one_by_one(x: IntArray, y: IntArray, groups: Clusters) -> Weighted:
    """Weights (B, G) -> tau (B,), each resample written out and sorted."""

    def at(weights: FloatArray) -> FloatArray:
        counts = groups.spread(weights).astype(np.int64)
        drawn = (np.repeat(np.arange(len(x)), row) for row in counts)
        return np.array([tau(x[rows], y[rows]) for rows in drawn])

    return at
