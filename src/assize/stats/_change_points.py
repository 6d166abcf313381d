"""When the mean of a series changed: dates, sizes, intervals, and how sure that is.

values in time order ──► a scan of all rows ──► p-values, corrected over series ──► cut and scan
the parts ──► each date found again between its neighbours, with its interval

A p-value counts the search over all dates (see `change_scan`), that over several changes, and
that over several series: the chance of any false change in any series stays below the level.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import stdtr, stdtrit

from assize.base.errors import DataError
from assize.base.signature import sign_text
from assize.results.numbers import LeastP
from assize.results.types import Estimate, Test
from assize.stats._arrays import Clusters, FloatArray, IntArray, complete_rows, grouped, numbers
from assize.stats._change_scan import Scan, scan
from assize.stats._estimate import describe, generator_state
from assize.stats._intervals import mean, ratio
from assize.stats._multiplicity import holm
from assize.stats._resampling import JACKKNIFE, estimate, of_sums

Correction = Literal["holm", "none"]

_VERSION = 1
_PASSES = 2  # over the dates, each found again between its neighbours


@dataclass(frozen=True, slots=True)
class ChangePoint:
    """A change of the mean.

    Args:
        at: time of the first value after it.
        interval: earliest and latest such time, at 95%; never beyond the next change.
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
        p_value: of the same, corrected over the series.
        changes: in the order of time; none where `p_value` is above the level.
    """

    test: Test
    p_value: float
    changes: Sequence[ChangePoint] = ()


def change_points(
    values: ArrayLike,
    at: ArrayLike,
    *,
    clusters: ArrayLike | None = None,
    level: float = 0.05,
    correction: Correction = "holm",
    permutations: int = 9_999,
    least: int = 20,
    rng: np.random.Generator,
) -> list[ChangePoints]:
    """When the means of series changed.

    Args:
        values: (N rows, M series); NaN is missing and counts as unscored. A single series
            may be (N,).
        at: (N,) the time of each row; rows of one time are not parted.
        clusters: (N,) labels of rows that depend on each other, for instance users.
        level: chance of any false change, in all series together.
        correction: over series.
        permutations: random orders drawn at most for a p-value.
        least: values on each side of a change.
        rng: a numpy Generator.

    Returns:
        M results. Without clusters a p-value is exact for exchangeable values; with them it
        is approximate, and good from some 30 clusters on. Values that depend on each other in
        any other way, such as all those of one day, make false changes likelier.

    Raises:
        DataError: an argument has another shape, or a time is missing.

    Sources: as in `change_scan`; parts of parts: Meinshausen (2008), hierarchical testing, a
    part's p-value counting N / n-fold; intervals of dates: Hansen (2000), likelihood ratios
    below the quantile of their limit. Departure: where the parts are cut is itself estimated,
    which hierarchical testing does not allow for (docs/statistics.md has the false alarms).
    """
    table = np.asarray(values, dtype=np.float64)
    table = numbers(table[:, None] if table.ndim == 1 else table, "values", dimensions=2)
    times = numbers(at, "at")
    if len(times) != len(table):
        raise DataError(f"`at` must have {len(table)} times; it has {len(times)}")
    if np.isnan(times).any():
        raise DataError("`at` holds a missing time; leave such rows out")
    if correction not in ("holm", "none"):
        raise DataError(f"`correction` must be holm or none; it is {correction!r}")
    if not 0 < level < 1 or permutations < 1 or least < 2:
        problem = "`level` lies between 0 and 1, `permutations` is at least 1, `least` 2"
        raise DataError(f"{problem}; they are {level}, {permutations} and {least}")
    codes = grouped(clusters, np.ones(len(times), dtype=bool)).codes
    method = describe(
        "change-points",
        _VERSION,
        f"{level:.4g}",
        correction,
        f"permutations:{permutations}",
        f"least:{least}",
        None if codes is None else "clusters",
        generator_state(rng),
    )
    series = [
        _Series.of(column, times, codes, permutations, least, own)
        for column, own in zip(table.T, rng.spawn(table.shape[1]), strict=True)
    ]
    scans = [one.scan(0, len(one.values)) for one in series]
    raw = np.array([one.p_value for one in scans])
    adjusted = _CORRECTIONS[correction](raw)
    found = []
    for one, whole, p, column in zip(series, scans, adjusted.tolist(), table.T, strict=True):
        cuts = one.cuts(whole, p / whole.p_value, level) if p <= level else {}
        if isinstance(whole.p_value, LeastP) and p < 1:
            p = LeastP(p)
        test = Test(
            whole.statistic,
            whole.p_value,
            _error(whole),
            whole.draws,
            False,
            len(one.values),
            int(np.isnan(column).sum()),
            one.units,
            whole.reason,
            sign_text(method),
            method,
        )
        found.append(ChangePoints(test, p, one.described(cuts)))
    return found


_CORRECTIONS: Mapping[str, Callable[[FloatArray], FloatArray]] = {
    "holm": holm,
    "none": np.copy,
}


def _error(found: Scan) -> float:
    return float(np.sqrt(found.p_value * (1 - found.p_value) / max(1, found.draws)))


@dataclass(frozen=True)
class _Series:
    """Values that are there, in the order of time, and how they are scanned."""

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
        at = times[order]
        places = np.flatnonzero(np.diff(at)) + 1
        codes = None if clusters is None else clusters[order]
        return cls(column[order], at, codes, places, permutations, least, rng)

    @property
    def units(self) -> int:
        """Clusters, or values where each stands for itself."""
        return len(self.values if self.clusters is None else np.unique(self.clusters))

    def scan(self, start: int, stop: int) -> Scan:
        """A scan of some rows; cuts are counted from the series' first row."""
        inside = (self.places > start) & (self.places < stop)
        found = scan(
            self.values[start:stop],
            self.places[inside] - start,
            clusters=None if self.clusters is None else self.clusters[start:stop],
            least=self.least,
            permutations=self.permutations,
            rng=self.rng,
        )
        cuts = {int(self._nearest(cut + start, start, stop)) for cut in found.cuts}
        return Scan(found.statistic, found.p_value, found.draws, tuple(sorted(cuts)), found.reason)

    def _nearest(self, row: int, start: int, stop: int) -> int:
        places = self.places[(self.places > start) & (self.places < stop)]
        return int(places[np.abs(places - row).argmin()])

    def cuts(self, whole: Scan, factor: float, level: float) -> dict[int, float]:
        """By row, the corrected p-value of each change.

        Args:
            factor: by which p-values grow for the number of series.
        """
        found: dict[int, float] = {}
        waiting = [(0, len(self.values), whole, whole.p_value)]
        while waiting:
            start, stop, scanned, p = waiting.pop()
            found |= dict.fromkeys(scanned.cuts, min(1.0, p * factor))
            ends = [start, *scanned.cuts, stop]
            for one, other in pairwise(ends):
                part = self.scan(one, other)
                if not part.cuts:
                    continue
                inside = max(p, part.p_value * len(self.values) / max(1, other - one))
                if inside * factor <= level:
                    waiting.append((one, other, part, inside))
        return self._confirmed(self._again(found), factor, level)

    def _again(self, cuts: dict[int, float]) -> dict[int, float]:
        """Each cut where it is best between its neighbours, in full resolution."""
        rows, p_values = sorted(cuts), [cuts[row] for row in sorted(cuts)]
        for _ in range(_PASSES):
            for at in range(len(rows)):
                ends = [0, *rows, len(self.values)]
                places, gain = self._gains(ends[at], ends[at + 2])
                if len(places):
                    rows[at] = int(places[gain.argmax()])
        return dict(zip(rows, p_values, strict=True))

    def _confirmed(self, cuts: dict[int, float], factor: float, level: float) -> dict[int, float]:
        """The cuts that a scan between their neighbours finds again; the least sure go first.

        Both ends of a stretch are found together, and one of them may be there by chance.
        """
        while len(cuts) > 1:
            ends = [0, *cuts, len(self.values)]
            found = {}
            for (row, p), start, stop in zip(cuts.items(), ends, ends[2:], strict=False):
                once_more = self.scan(start, stop).p_value * len(self.values) / (stop - start)
                found[row] = max(p, min(1.0, once_more * factor))
            worst = max(found, key=lambda row: found[row])
            if found[worst] <= level:
                return found
            cuts = self._again({row: p for row, p in cuts.items() if row != worst})
        return cuts

    def _gains(self, start: int, stop: int) -> tuple[IntArray, FloatArray]:
        """Rows at which a part may be cut, and by how much that lowers its sum of squares."""
        inside = (self.places >= start + self.least) & (self.places <= stop - self.least)
        places, count = self.places[inside], stop - start
        part = self.values[start:stop]
        path = np.cumsum(part - part.mean())
        before = places - start
        return places, path[before - 1] ** 2 * count / (before * (count - before))

    def described(self, cuts: dict[int, float]) -> list[ChangePoint]:
        """The changes with their sizes and intervals."""
        ends = [0, *cuts, len(self.values)]
        levels = [self._mean(one, other) for one, other in pairwise(ends)]
        return [
            ChangePoint(
                float(self.times[row]),
                self._dates(start, row, stop),
                row,
                before,
                after,
                step(self.values[start:stop], row - start, clusters=self._of(start, stop)),
                p,
            )
            for (row, p), start, stop, before, after in zip(
                cuts.items(), ends, ends[2:], levels, levels[1:], strict=False
            )
        ]

    def _of(self, start: int, stop: int) -> IntArray | None:
        return None if self.clusters is None else self.clusters[start:stop]

    def _mean(self, start: int, stop: int) -> Estimate:
        return mean(self.values[start:stop], clusters=self._of(start, stop))

    def _dates(self, start: int, row: int, stop: int) -> tuple[float, float]:
        """The times whose likelihood ratio to the best one is below its limit's quantile."""
        places, gain = self._gains(start, stop)
        near = places[self._ratios(start, row, stop, gain) <= _quantile(0.95)]
        near = np.append(near, row)
        return float(self.times[near.min()]), float(self.times[near.max()])

    def _ratios(self, start: int, row: int, stop: int, gain: FloatArray) -> FloatArray:
        part, after = self.values[start:stop], np.arange(start, stop) >= row
        rest = part - np.where(after, part[after].mean(), part[~after].mean())
        squares = float(rest @ rest)
        groups: Clusters = grouped(self._of(start, stop), np.ones(len(part), dtype=bool))
        together = float(np.sum(groups.sums(rest[:, None]) ** 2))
        variance = max(squares, together) / max(1, len(part) - 2)
        return np.asarray((gain.max(initial=0.0) - gain) / max(variance, 1e-300))


def step(values: ArrayLike, first: int, *, clusters: ArrayLike | None = None) -> Estimate:
    """The mean from one row on less the mean of the rows before it, where the row is known.

    Args:
        values: (N,); NaN is missing and counts as unscored.
        first: the first row that counts as after.
        clusters: (N,) labels of rows that depend on each other, on both sides too.

    Returns:
        The difference with the jackknife's interval; `details["p_value"]` is that of no
        difference, by Student's t on the same scale, NaN where there is no interval.
    """
    rows = complete_rows(clusters, values=values)
    (part,) = rows.columns
    after = (np.arange(len(rows.keep)) >= first)[rows.keep].astype(np.float64)
    columns = np.stack([1 - after, (1 - after) * part, after, after * part], axis=1)
    found = estimate(
        "step",
        of_sums(columns, _less, rows.clusters),
        n=rows.n,
        unscored=rows.unscored,
        reason="no values on one side",
    )
    return replace(found, details={"p_value": _two_sided(found)})


def _two_sided(found: Estimate) -> float:
    low, high = found.interval
    if not low < high:
        return float("nan")
    free = found.clusters - 1
    error = (high - low) / 2 / float(stdtrit(free, (1 + JACKKNIFE.confidence) / 2))
    return float(2 * stdtr(free, -abs(found.estimate) / error))


def _less(sums: FloatArray) -> FloatArray:
    """The mean after less that before, of sums (..., 4)."""
    return ratio(sums[..., 3], sums[..., 2]) - ratio(sums[..., 1], sums[..., 0])


def _quantile(confidence: float) -> float:
    """Of the limit of the likelihood ratio at the true date: P(x) = (1 - exp(-x / 2)) ** 2.

    Source: Hansen (2000), theorem 2.

    >>> round(_quantile(0.95), 2)
    7.35
    """
    return float(-2 * np.log(1 - np.sqrt(confidence)))
