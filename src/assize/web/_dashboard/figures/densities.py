"""How numbers are spread: a density over a bounded scale, or bars where there are few values.

Numbers are counted on an even grid, and the counts are smoothed by a Gaussian kernel. What the
kernel would put beyond an end of the scale is reflected at that end, so that the density is
above 0 on the scale alone and its integral is 1.

Sources: Silverman (1986), sections 2.10 (reflection), 3.4.1 (width) and 3.5 (counting first).
Differs: a width is at least 0.6 of the distance between neighbouring values where these stand on
a lattice, such as means of 24 answers: what a narrower kernel shows is the lattice (at 0.6 it is
a ripple of 0.2%).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from assize.base.judgment import Question
from assize.judgments.values import scale_of
from assize.web._dashboard.prepared.view import FloatArray

CELLS = 1441  # of the grid: 1440 steps hold thirds, quarters, ... and 24ths of 3 and of 4 points
POINTS = 201  # at which a density is known
FEW = 20  # different values up to which bars are drawn for each
_ANSWERS = 7  # different values up to which these may stand once each, as answers do
BARS = 20  # of a histogram of more
_REACH = 4.0  # standard deviations beyond which a kernel is 0
_LEAST = 1.5  # steps of the grid, of a width
_SMOOTH = 0.6  # of the distance between values on a lattice, of a width


@dataclass(frozen=True, slots=True)
class Grid:
    """An even grid over a scale, from `low` to `high`, both of which are centres of cells.

    Args:
        bounded: whether the scale ends there; a question without ends has those of what was seen.
    """

    low: float
    high: float
    bounded: bool = True

    @property
    def step(self) -> float:
        """Distance of two centres."""
        return (self.high - self.low) / (CELLS - 1)

    @property
    def centres(self) -> FloatArray:
        """(CELLS,)"""
        return np.linspace(self.low, self.high, CELLS)

    @property
    def points(self) -> FloatArray:
        """(POINTS,) at which a density is known."""
        return np.linspace(self.low, self.high, POINTS)

    def places(self, values: NDArray[np.floating]) -> NDArray[np.intp]:
        """The cell of each value; what lies beyond the ends is in the last ones."""
        scaled = (values - self.low) * (1 / self.step)
        found: NDArray[np.intp] = np.clip(np.rint(scaled), 0, CELLS - 1).astype(np.intp)
        return found


def scale_ends(question: Question) -> tuple[float, float] | None:
    """The lowest and the highest number of a question; None where it says neither."""
    known = list(scale_of(question).values())
    if question.range is None and known:
        return min(known), max(known)
    return question.range


def grid_of(question: Question, values: FloatArray) -> Grid:
    """The grid of a question: its scale, else what was seen, with a tenth of that on either side.

    A scale that numbers leave is widened to hold them.
    """
    seen = (float(np.nanmin(values)), float(np.nanmax(values))) if len(values) else (0.0, 1.0)
    ends = scale_ends(question)
    if ends is not None and ends[0] < ends[1]:
        return Grid(min(ends[0], seen[0]), max(ends[1], seen[1]))
    room = 0.1 * (seen[1] - seen[0]) or 0.5
    return Grid(seen[0] - room, seen[1] + room, bounded=False)


def width_of(values: FloatArray, grid: Grid, apart: float = 0.0) -> float:
    """The kernel's standard deviation for numbers without gaps (N,).

    Args:
        apart: distance of neighbouring values in replicates, 0 where these differ freely.
    """
    if len(values) < 2:
        return (grid.high - grid.low) / 20
    lower, upper = (float(np.quantile(values, share)) for share in (0.25, 0.75))
    spread = float(values.std(ddof=1))
    middle = (upper - lower) / 1.34
    narrow = min(spread, middle) if middle > 0 else spread
    lattice = max(_lattice(values, grid), apart)
    return float(max(0.9 * narrow * len(values) ** -0.2, _SMOOTH * lattice, _LEAST * grid.step))


def _lattice(values: FloatArray, grid: Grid) -> float:
    """The usual distance of neighbouring values that occur often; 0 where values differ freely."""
    count = np.bincount(grid.places(values), minlength=CELLS)
    often = np.flatnonzero(count > count.sum() / CELLS)
    if len(often) < 2 or len(often) > CELLS / 8:
        return 0.0
    held = count[often].sum() / count.sum()
    return float(np.median(np.diff(often)) * grid.step) if held > 0.8 else 0.0


def kernel(grid: Grid, width: float) -> FloatArray:
    """(CELLS, POINTS) the density that one number in each cell adds; each integrates to 1."""
    apart = grid.points - grid.centres[:, None]
    found = _normal(apart / width)
    if grid.bounded:
        found += _normal((grid.points + grid.centres[:, None] - 2 * grid.low) / width)
        found += _normal((grid.points + grid.centres[:, None] - 2 * grid.high) / width)
    area: FloatArray = np.trapezoid(found, grid.points, axis=1)  # type: ignore[assignment]
    return found / area[:, None]


def _normal(away: FloatArray) -> FloatArray:
    return np.where(np.abs(away) < _REACH, np.exp(-0.5 * away**2), 0.0)


@dataclass(frozen=True, slots=True, eq=False)
class Shape:
    """How counts on the grid become what is drawn.

    Args:
        kind: `density`, or `bars` with shares.
        at: (P,) where a density is known; of bars the middles, or the only value of each.
        weights: (CELLS, P) what a number in each cell adds.
        ends: (P, 2) first and last number of each bar, both within it; None of a density.
        width: of the kernel; 0 of bars.
    """

    kind: str
    at: FloatArray
    weights: FloatArray
    ends: FloatArray | None
    width: float

    def of(self, counts: FloatArray) -> FloatArray:
        """(..., P) heights from counts (..., CELLS); NaN where nothing was counted."""
        total = counts.sum(axis=-1, keepdims=True)
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.asarray((counts @ self.weights) / total)


def shape_of(grid: Grid, values: FloatArray, kind: str | None = None, apart: float = 0.0) -> Shape:
    """How numbers without gaps (N,) are drawn.

    Args:
        kind: `density` or `bars`; None takes bars where there are few different values.
        apart: as of `width_of`.
    """
    distinct = _few(values)
    if kind is None:
        kind = "density" if distinct is None else "bars"
    if kind == "density":
        width = width_of(values, grid, apart)
        return Shape("density", grid.points, kernel(grid, width), None, width)
    if distinct is None:
        edges = np.linspace(grid.low, grid.high, BARS + 1)
        at = (edges[1:] + edges[:-1]) / 2
    else:
        edges = np.r_[grid.low, (distinct[1:] + distinct[:-1]) / 2, grid.high]
        at = distinct
    place = np.clip(np.searchsorted(edges, grid.centres, side="right") - 1, 0, len(at) - 1)
    weights = np.zeros((CELLS, len(at)))
    weights[np.arange(CELLS), place] = 1
    last = np.r_[np.nextafter(edges[1:-1], -np.inf), edges[-1]]
    return Shape("bars", at, weights, np.stack([edges[:-1], last], axis=1), 0.0)


def _few(values: FloatArray) -> FloatArray | None:
    """The different values, where these are few and not only because there are few numbers."""
    if len(values) == 0:
        return np.array([0.5])
    if len(np.unique(values[:5_000])) > FEW:
        return None
    found = np.unique(values)
    scattered = len(found) > _ANSWERS and len(values) < 2 * len(found)
    return None if len(found) > FEW or scattered else found


def counted(grid: Grid, values: FloatArray, code: NDArray[np.integer], groups: int) -> FloatArray:
    """(S, CELLS) how many numbers without gaps (N,) of each group are in each cell."""
    flat = code.astype(np.intp) * CELLS + grid.places(values)
    return np.bincount(flat, minlength=groups * CELLS).reshape(groups, CELLS).astype(np.float64)
