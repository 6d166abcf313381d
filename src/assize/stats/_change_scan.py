"""Whether the mean of rows changes anywhere, with a p-value for having looked everywhere.

Every stretch of rows is held against all others, as in circular binary segmentation. One that
reaches to an end is a change for good, one inside a change that was taken back. The greatest
distance is compared with the greatest ones of rows put in other orders, so that the search is
paid for. At most `GRID` places are looked at: rows are put together in blocks of equal size,
which are as exchangeable as the rows.

Sources: Olshen, Venkatraman, Lucito and Wigler (2004), circular binary segmentation, section 2;
the allowance for the length of a stretch: Frick, Munk and Sieling (2014), equation 4; p-values
of as many draws as they need: Besag and Clifford (1991). Departures: the allowance of stretches
that reach to an end, of which there are few, does not grow; clusters are flipped, not moved.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from assize.results.numbers import LeastP
from assize.stats._arrays import FloatArray, IntArray

GRID = 128
_UNITS = 2_000  # clusters beyond which several are flipped together
_ENOUGH = 20  # draws as extreme as what was observed that settle a p-value
_BATCH = 500
_TIE = 1e-9
_ALONE = math.sqrt(2)


@dataclass(frozen=True, slots=True)
class Scan:
    """What a scan found.

    Args:
        statistic: the greatest standardised distance less its allowance; NaN for none.
        p_value: of no change anywhere; NaN where nothing could be looked at.
        draws: orders that were drawn.
        cuts: rows before which the most distant stretch begins and ends, one or two; where
            it reaches to an end of the rows that end is no cut.
        reason: why there is none.
    """

    statistic: float
    p_value: float
    draws: int = 0
    cuts: tuple[int, ...] = ()
    reason: str | None = None


def scan(
    values: FloatArray,
    places: IntArray,
    *,
    clusters: IntArray | None,
    least: int,
    permutations: int,
    rng: np.random.Generator,
) -> Scan:
    """Looks for a stretch of rows whose mean is apart from that of all others.

    Args:
        values: (N,) in the order of time, none missing.
        places: rows k, rising, before which the mean may change: 0 < k < N.
        clusters: (N,) codes of rows that depend on each other, wherever they stand.
        least: rows that a stretch has at least, and that are left outside of it.
        permutations: orders drawn at most.
    """
    count = len(values)
    if count < 2 * least:
        return _none(f"needs at least {2 * least:,} values; there are {count:,}")
    centred = values - values.mean()
    spread = float(np.sqrt(np.mean(centred**2)))
    if spread <= 1e-12 * max(1.0, float(np.abs(values).max())):
        return _none("all values are the same")
    edges = _edges(count)
    ends = _ends(edges, places, least)
    if len(ends) < 3:
        return _none("no date leaves enough values on both sides")
    arcs = _arcs(edges[ends], spread, least)
    observed, cuts = _farthest(_sums(centred, edges), ends, edges, arcs)
    drawn = (
        _shuffled(_sums(centred, edges), edges, permutations, rng)
        if clusters is None
        else _flipped(centred, clusters, edges, permutations, rng)
    )
    p_value, draws = _p_value(observed, drawn, ends, edges, arcs)
    return Scan(observed, p_value, draws, cuts)


def _none(reason: str) -> Scan:
    return Scan(math.nan, math.nan, reason=reason)


def _edges(count: int) -> IntArray:
    """Rows where blocks begin, and the end: equal ones, but the first, which takes what is left."""
    size = -(-count // GRID)
    rest = count % size
    edges = np.arange(rest, count + 1, size)
    return edges if rest == 0 else np.concatenate([[0], edges])


def _ends(edges: IntArray, places: IntArray, least: int) -> IntArray:
    """Which edges a stretch may begin or end at: both ends, and those next to a place."""
    middles = (edges[1:] + edges[:-1]) / 2
    near = np.unique(np.searchsorted(middles, places))
    far = (edges[near] >= least) & (edges[near] <= edges[-1] - least)
    return np.concatenate([[0], near[far], [len(edges) - 1]])


class _Arc(NamedTuple):
    """Stretches that begin at one end (a place among the ends), with what standardises them."""

    start: int
    stops: IntArray
    scale: FloatArray
    allowance: FloatArray


def _arcs(rows: IntArray, spread: float, least: int) -> list[_Arc]:
    """All stretches; those up to the last row are the complements of those from the first one."""
    count, found = float(rows[-1]), []
    for start in range(len(rows) - 1):
        stops = np.arange(start + 1, len(rows) - 1)
        size = (rows[stops] - rows[start]).astype(np.float64)
        kept = (size >= least) & (count - size >= least)
        stops, size = stops[kept], size[kept]
        if len(stops) == 0:
            continue
        fewer = np.minimum(size, count - size)
        inside = np.sqrt(2 * np.log(math.e * count / fewer))
        allowance = inside if start > 0 else np.full_like(size, _ALONE)
        scale = 1 / (spread * np.sqrt(size * (count - size) / count))
        found.append(_Arc(start, stops, scale, allowance))
    return found


def _sums(centred: FloatArray, edges: IntArray) -> FloatArray:
    """(1, K) the sum of each block."""
    return np.add.reduceat(centred, edges[:-1])[None]


def _farthest(
    sums: FloatArray, ends: IntArray, edges: IntArray, arcs: list[_Arc]
) -> tuple[float, tuple[int, ...]]:
    """The greatest statistic, and where its stretch begins and ends."""
    path = _paths(sums, ends, edges)[0]
    best, cuts = -math.inf, ()
    for arc in arcs:
        value = np.abs(path[arc.stops] - path[arc.start]) * arc.scale - arc.allowance
        at = int(value.argmax())
        if value[at] > best:
            rows = edges[ends[[arc.start, arc.stops[at]]]].tolist()
            best, cuts = float(value[at]), tuple(row for row in rows if row > 0)
    return best, cuts


def _paths(sums: FloatArray, ends: IntArray, edges: IntArray) -> FloatArray:
    """(B, E) sums up to each end, less what they would be if nothing changed."""
    path = np.zeros((len(sums), sums.shape[1] + 1))
    np.cumsum(sums, axis=1, out=path[:, 1:])
    path -= path[:, -1:] * (edges / edges[-1])
    return path[:, ends]


def _p_value(
    observed: float, drawn: Iterator[FloatArray], ends: IntArray, edges: IntArray, arcs: list[_Arc]
) -> tuple[float, int]:
    """The p-value, and of how many draws; few are enough where it is large."""
    least = observed - _TIE * max(1.0, abs(observed))
    extreme = seen = 0
    for sums in drawn:
        hits = np.flatnonzero(_greatest(_paths(sums, ends, edges), arcs) >= least)
        if extreme + len(hits) >= _ENOUGH:
            seen += int(hits[_ENOUGH - extreme - 1]) + 1
            return _ENOUGH / seen, seen
        extreme += len(hits)
        seen += len(sums)
    p = (1 + extreme) / (1 + seen)
    return (p if extreme else LeastP(p)), seen


def _greatest(path: FloatArray, arcs: list[_Arc]) -> FloatArray:
    """(B,) the statistic of each row of paths."""
    best = np.full(len(path), -np.inf)
    for arc in arcs:
        away = path[:, arc.stops] - path[:, [arc.start]]
        np.abs(away, out=away)
        away *= arc.scale
        away -= arc.allowance
        np.maximum(best, away.max(axis=1), out=best)
    return best


def _batches(permutations: int) -> Iterator[int]:
    """Sizes of batches: a small one first, after which most p-values are settled."""
    left, size = permutations, 100
    while left > 0:
        yield min(size, left)
        left, size = left - size, _BATCH


def _shuffled(
    sums: FloatArray, edges: IntArray, permutations: int, rng: np.random.Generator
) -> Iterator[FloatArray]:
    """Block sums in other orders; a first block of another size keeps its place."""
    sizes = np.diff(edges)
    fixed = int(sizes[0] != sizes[-1])
    for size in _batches(permutations):
        block = np.repeat(sums, size, axis=0)
        rng.permuted(block[:, fixed:], axis=1, out=block[:, fixed:])
        yield block


def _flipped(
    centred: FloatArray,
    clusters: IntArray,
    edges: IntArray,
    permutations: int,
    rng: np.random.Generator,
) -> Iterator[FloatArray]:
    """Block sums with the signs of whole clusters flipped."""
    codes = np.unique(clusters, return_inverse=True)[1]
    count = int(codes.max()) + 1
    if count > _UNITS:
        codes, count = rng.integers(0, _UNITS, count)[codes], _UNITS
    width = len(edges) - 1
    block = np.repeat(np.arange(width), np.diff(edges))
    parts = np.bincount(codes * width + block, centred, count * width).reshape(count, width)
    for size in _batches(permutations):
        signs = 2 * rng.integers(0, 2, (size, count)).astype(np.float64) - 1
        yield signs @ parts
