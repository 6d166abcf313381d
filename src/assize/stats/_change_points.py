"""When the mean of a series changed: dates, sizes, intervals, and how sure that is.

values in time order ──► the most distant stretch, and its p-value ──► corrected over series ──►
the parts likewise ──► each date found again between its neighbours, with its interval

Every stretch of rows is held against all others. One that reaches to an end is a change for good,
one inside a change that was taken back. A p-value counts the search: the greatest distance is held
against the greatest ones of rows in other orders. Rows are put together in at most `GRID` blocks
of equal size, which are as exchangeable as the rows.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import stdtr, stdtrit

from assize.base.errors import DataError
from assize.base.signature import sign_text
from assize.results.numbers import LeastP
from assize.results.types import Estimate, Test
from assize.stats._arrays import FloatArray, IntArray, complete_rows, grouped, numbers
from assize.stats._estimate import describe, generator_state
from assize.stats._intervals import mean, ratio
from assize.stats._multiplicity import adjust
from assize.stats._resampling import JACKKNIFE, estimate, of_sums

GRID = 128
_BATCH = 250
_ENOUGH = 20  # draws as extreme as what was observed that settle a p-value
_MOST_UNITS = 2_000  # clusters beyond which several are flipped together
_Draw = Callable[[int], FloatArray]
"""So many draws of block sums, (B, K)."""


@dataclass(frozen=True, slots=True)
class ChangePoint:
    """A change of the mean.

    Args:
        at: time of the first value after it.
        interval: earliest and latest such time; never beyond the next change.
        position: how many values of the series stand before it.
        before, after: the mean up to it from the change before, and from it up to the next one.
        difference: `after - before`; its interval takes the date as known.
        p_value: of no change in the part in which it was found, corrected for all searching.
    """

    at: float
    interval: tuple[float, float]
    position: int
    before: Estimate
    after: Estimate
    difference: Estimate
    p_value: float


@dataclass(frozen=True, slots=True)
class ChangePoints:
    """The changes of one series.

    Args:
        test: of no change at all; NaN with a reason where there is too little data.
        p_value: of the same, corrected over the series (Holm).
        changes: in the order of time; none where `p_value` is above the level.
    """

    test: Test
    p_value: float
    changes: Sequence[ChangePoint] = ()


def change_points(
    values: ArrayLike,
    times: ArrayLike,
    *,
    clusters: ArrayLike | None = None,
    level: float = 0.05,
    confidence: float = 0.95,
    permutations: int = 9_999,
    least: int = 20,
    rng: np.random.Generator,
) -> list[ChangePoints]:
    """Find when the means of series changed.

    Args:
        values: (N rows, M series); NaN is missing and counts as unscored.
        times: (N,) the time of each row; rows of one time are not parted.
        clusters: (N,) labels of rows that depend on each other, for instance users.
        level: chance of any false change, in all series together.
        confidence: of the intervals, those of dates too.
        permutations: random orders drawn at most for a p-value.
        least: values on each side of a change.
        rng: a numpy Generator.

    Returns:
        M results. Without clusters a p-value is exact for exchangeable values; with them signs of
        whole clusters are flipped, which is good from some 30 clusters on. Values that depend on
        each other in any other way, such as all those of one day, make false changes likelier.

    Raises:
        DataError: an argument has another shape, or a time is missing.

    Sources: Olshen, Venkatraman, Lucito and Wigler (2004), circular binary segmentation, section
    2; Frick, Munk and Sieling (2014), equation 4, the allowance for the length of a stretch;
    Besag and Clifford (1991), as many draws as a p-value needs; Meinshausen (2008), hierarchical
    testing, a part's p-value counting N / n-fold; Hansen (2000), intervals of dates. Departures:
    stretches that reach to an end, of which there are few, have the least allowance; clusters are
    flipped, not moved; where the parts are cut is itself estimated, which hierarchical testing
    does not allow for (docs/statistics.md has the false alarms).
    """
    table, when = numbers(values, "values", dimensions=2), numbers(times, "times")
    if len(when) != len(table) or np.isnan(when).any():
        raise DataError(f"`times` must be {len(table)} known times; leave rows without one out")
    codes = grouped(clusters, np.ones(len(when), dtype=bool)).codes
    method = describe(
        "change-points",
        2,
        f"{level:.4g}",
        f"permutations:{permutations}",
        f"least:{least}",
        None if codes is None else "clusters",
        generator_state(rng),
    )
    series = [
        _Series.of(column, when, codes, permutations, least, own)
        for column, own in zip(table.T, rng.spawn(table.shape[1]), strict=True)
    ]
    scans = [one.scan(0, len(one.values)) for one in series]
    adjusted = adjust([test.p_value for test, _ in scans])
    results = []
    for one, (test, first), p in zip(series, scans, adjusted, strict=True):
        cuts = one.cuts(first, test.p_value, p / test.p_value, level) if p <= level else {}
        unscored, signature = len(table) - test.n, sign_text(method)
        test = replace(test, unscored=unscored, signature=signature, method=method)
        results.append(ChangePoints(test, p, one.describe(cuts, confidence)))
    return results


@dataclass(frozen=True)
class _Series:
    """Values that are there, in the order of time, and how they are searched."""

    values: FloatArray
    times: FloatArray
    clusters: IntArray | None
    places: IntArray  # rows at which a new time begins
    permutations: int
    least: int
    rng: np.random.Generator

    @classmethod
    def of(
        cls,
        column: FloatArray,
        times: FloatArray,
        clusters: IntArray | None,
        permutations: int,
        least: int,
        rng: np.random.Generator,
    ) -> _Series:
        known = np.flatnonzero(~np.isnan(column))
        # The order within one time is drawn, for that of a file may depend on the values.
        order = known[np.lexsort((rng.random(len(known)), times[known]))]
        places = np.flatnonzero(np.diff(times[order])) + 1
        codes = None if clusters is None else clusters[order]
        return cls(column[order], times[order], codes, places, permutations, least, rng)

    def scan(self, start: int, stop: int) -> tuple[Test, list[int]]:
        """Whether the mean of some rows changes anywhere, and where the most distant stretch is.

        A stretch that reaches to an end has one cut, another two.
        """
        part, groups, n = self.values[start:stop], self._clusters(start, stop), stop - start
        units = n if groups is None else len(np.unique(groups))
        edges, places = _edges(n), self._places(start, stop) - start
        near = np.abs(edges[:, None] - places).argmin(axis=0)
        near = np.unique(near[(edges[near] >= self.least) & (n - edges[near] >= self.least)])
        ends = np.concatenate([[0], near])
        reason = None
        if n < 2 * self.least:
            reason = f"needs at least {2 * self.least:,} values; there are {n:,}"
        elif np.ptp(part) <= 1e-12 * max(1.0, float(np.abs(part).max())):
            reason = "all values are the same"
        elif not len(near):
            reason = "no date leaves enough values on both sides"
        if reason is not None:
            return Test(math.nan, math.nan, n=n, clusters=units, reason=reason), []
        # Stretches up to the last row are the complements of those from the first one.
        first, last = np.triu_indices(len(ends), 1)
        size = (edges[ends[last]] - edges[ends[first]]).astype(np.float64)
        enough = (size >= self.least) & (n - size >= self.least)
        first, last, size = first[enough], last[enough], size[enough]
        scale = 1 / (part.std() * np.sqrt(size * (n - size) / n))
        inside = np.sqrt(2 * np.log(math.e * n / np.minimum(size, n - size)))
        allowance = np.where(first > 0, inside, math.sqrt(2))

        def distances(sums: FloatArray) -> FloatArray:
            path = np.zeros((len(sums), len(edges)))
            np.cumsum(sums, axis=1, out=path[:, 1:])
            path = (path - path[:, -1:] * (edges / n))[:, ends]
            away = path[:, last] - path[:, first]
            np.abs(away, out=away)
            away *= scale
            away -= allowance
            return away

        rest = part - part.mean()
        seen = distances(np.add.reduceat(rest, edges[:-1])[None])[0]
        observed, farthest = float(seen.max()), int(seen.argmax())
        extreme = drawn = 0
        draw = self._draw(rest, groups, edges)
        while drawn < self.permutations and extreme < _ENOUGH:
            batch = draw(min(_BATCH, self.permutations - drawn))
            least = observed - 1e-9 * max(1.0, abs(observed))
            extreme += int((distances(batch).max(axis=1) >= least).sum())
            drawn += len(batch)
        p = (1 + extreme) / (1 + drawn)
        error = math.sqrt(p * (1 - p) / drawn)
        p = p if extreme else LeastP(p)
        rows = edges[ends[[first[farthest], last[farthest]]]]
        cuts = {int(places[np.abs(places - row).argmin()]) + start for row in rows[rows > 0]}
        return Test(observed, p, error, drawn, n=n, clusters=units), sorted(cuts)

    def _draw(self, rest: FloatArray, groups: IntArray | None, edges: IntArray) -> _Draw:
        """Block sums in other orders, or with the signs of whole clusters flipped."""
        width = len(edges) - 1
        if groups is None:
            sums = np.add.reduceat(rest, edges[:-1])
            first = int(edges[1] != edges[-1] - edges[-2])  # of another size, keeps its place

            def shuffle(count: int) -> FloatArray:
                batch = np.repeat(sums[None], count, axis=0)
                self.rng.permuted(batch[:, first:], axis=1, out=batch[:, first:])
                return batch

            return shuffle
        codes = np.unique(groups, return_inverse=True)[1] % _MOST_UNITS
        units = int(codes.max()) + 1
        block = np.repeat(np.arange(width), np.diff(edges))
        parts = np.bincount(codes * width + block, rest, units * width).reshape(units, width)
        return lambda count: (2.0 * self.rng.integers(0, 2, (count, units)) - 1) @ parts

    def cuts(self, first: list[int], p: float, factor: float, level: float) -> dict[int, float]:
        """By row, the corrected p-value of each change.

        Args:
            first, p: the cuts of the whole series, and its p-value.
            factor: by which p-values grow for the number of series.
        """
        found: dict[int, float] = {}
        waiting = [(0, len(self.values), first, p)]
        while waiting:
            start, stop, cuts, p = waiting.pop()
            found |= dict.fromkeys(cuts, min(1.0, p * factor))
            for ends in pairwise([start, *cuts, stop]):
                test, inner = self.scan(*ends)
                # NaN where the part could not be tested
                inside = max(test.p_value * len(self.values) / (ends[1] - ends[0]), p)
                if inside * factor <= level:
                    waiting.append((*ends, inner, inside))
        rows, p_values = sorted(found), [found[row] for row in sorted(found)]
        for index in [*range(len(rows))] * 2:  # found again, each between its neighbours
            around = [0, *rows, len(self.values)]
            places, gain = self._gains(around[index], around[index + 2])
            if len(places):
                rows[index] = int(places[gain.argmax()])
        return dict(zip(rows, p_values, strict=True))

    def _places(self, start: int, stop: int) -> IntArray:
        return self.places[(self.places > start) & (self.places < stop)]

    def _clusters(self, start: int, stop: int) -> IntArray | None:
        return None if self.clusters is None else self.clusters[start:stop]

    def _gains(self, start: int, stop: int) -> tuple[IntArray, FloatArray]:
        """Rows at which a part may be cut, and by how much that lowers its sum of squares."""
        places = self._places(start, stop)
        places = places[(places >= start + self.least) & (places <= stop - self.least)]
        part, before = self.values[start:stop], places - start
        path = np.cumsum(part - part.mean())
        return places, path[before - 1] ** 2 * len(part) / (before * (len(part) - before))

    def describe(self, cuts: dict[int, float], confidence: float) -> list[ChangePoint]:
        """The changes with their sizes and intervals."""
        ends = [0, *cuts, len(self.values)]
        interval = replace(JACKKNIFE, confidence=confidence)
        levels = [
            mean(self.values[one:other], clusters=self._clusters(one, other), interval=interval)
            for one, other in pairwise(ends)
        ]
        return [
            ChangePoint(
                float(self.times[row]),
                self._dates(start, row, stop, confidence),
                row,
                before,
                after,
                step(
                    self.values[start:stop],
                    row - start,
                    clusters=self._clusters(start, stop),
                    confidence=confidence,
                ),
                p,
            )
            for (row, p), start, stop, before, after in zip(
                cuts.items(), ends, ends[2:], levels, levels[1:], strict=False
            )
        ]

    def _dates(self, start: int, row: int, stop: int, confidence: float) -> tuple[float, float]:
        """The times whose likelihood ratio to the best one is below its limit's quantile.

        The quantile is that of the ratio at the true date; Hansen (2000), theorem 2.
        """
        quantile = -2 * math.log(1 - math.sqrt(confidence))
        places, gain = self._gains(start, stop)
        part, after = self.values[start:stop], np.arange(start, stop) >= row
        rest = part - np.where(after, part[after].mean(), part[~after].mean())
        groups = grouped(self._clusters(start, stop), np.ones(len(part), dtype=bool))
        together = float(np.sum(groups.sums(rest[:, None]) ** 2))
        variance = max(float(rest @ rest), together) / max(1, len(part) - 2)
        near = places[gain.max(initial=0.0) - gain <= quantile * max(variance, 1e-300)]
        near = np.append(near, row)
        return float(self.times[near.min()]), float(self.times[near.max()])


def _edges(count: int) -> IntArray:
    """Rows where blocks begin, and the end: equal ones, but the first, which takes what is left."""
    size = max(1, -(-count // GRID))
    edges = np.arange(count % size, count + 1, size)
    return edges if edges[0] == 0 else np.concatenate([[0], edges])


def step(
    values: ArrayLike,
    first: int,
    *,
    clusters: ArrayLike | None = None,
    confidence: float = 0.95,
) -> Estimate:
    """The mean from one row on less the mean of the rows before it, where the row is known.

    Args:
        values: (N,); NaN is missing and counts as unscored.
        first: the first row that counts as after.
        clusters: (N,) labels of rows that depend on each other, on both sides too.
        confidence: of the interval.

    Returns:
        The difference with the jackknife's interval; `details["p_value"]` is that of no
        difference, by Student's t on the same scale, NaN where there is no interval.
    """
    rows = complete_rows(clusters, values=values)
    (part,) = rows.columns
    after = (np.arange(len(rows.keep)) >= first)[rows.keep].astype(np.float64)
    columns = np.stack([1 - after, (1 - after) * part, after, after * part], axis=1)
    difference = estimate(
        "step",
        of_sums(
            columns,
            lambda sums: ratio(sums[..., 3], sums[..., 2]) - ratio(sums[..., 1], sums[..., 0]),
            rows.clusters,
        ),
        n=rows.n,
        unscored=rows.unscored,
        reason="no values on one side",
        interval=replace(JACKKNIFE, confidence=confidence),
    )
    low, high = difference.interval
    p = math.nan
    if low < high:
        free = difference.clusters - 1
        error = (high - low) / 2 / float(stdtrit(free, (1 + confidence) / 2))
        p = float(2 * stdtr(free, -abs(difference.estimate) / error))
    return replace(difference, details={"p_value": p})
