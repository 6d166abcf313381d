"""A density over a bounded scale: numbers counted on an even grid, smoothed by a Gaussian kernel.

What the kernel would put beyond an end of the scale is reflected at that end, so that the density
is above 0 on the scale alone and its integral is 1.

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
from assize.judgments.values import scale_ends
from assize.spread.ratings import FloatArray

CELLS = 1441  # of the grid: 1440 steps hold thirds, quarters, ... and 24ths of 3 and of 4 points
POINTS = 201  # at which a density is known
STRIPS = 20  # of a density, at most
FEW = 20  # different values that have a share each, in place of a density
_ANSWERS = 7  # different values up to which these may stand once each, as answers do
_REACH = 4.0  # standard deviations beyond which a kernel is 0
_LEAST = 1.5  # steps of the grid, of a width
_SMOOTH = 0.6  # of the distance between values on a lattice, of a width


@dataclass(frozen=True, slots=True)
class Grid:
    """An even grid over a scale, whose ends are the centres of its first and last cell.

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
        scaled = np.rint((values - self.low) * (1 / self.step))
        return np.asarray(np.clip(scaled, 0, CELLS - 1), dtype=np.intp)


def make_grid(question: Question, values: FloatArray) -> Grid:
    """Return the grid of a question: its scale, widened to hold the numbers (N,) that leave it.

    A question without ends has those of its numbers, with a tenth of their span on either side.
    """
    seen = (float(values.min()), float(values.max())) if len(values) else (0.0, 1.0)
    ends = scale_ends(question)
    if ends is not None:
        return Grid(min(ends[0], seen[0]), max(ends[1], seen[1]))
    room = 0.1 * (seen[1] - seen[0]) or 0.5
    return Grid(seen[0] - room, seen[1] + room, bounded=False)


def kernel_width(values: FloatArray, grid: Grid, apart: float = 0.0) -> float:
    """Return the kernel's standard deviation for numbers (N,).

    Args:
        apart: distance of neighbouring values in replicates, 0 where these differ freely.
    """
    if len(values) < 2:
        return (grid.high - grid.low) / 20
    lower, upper = np.quantile(values, (0.25, 0.75))
    deviation, middle = float(values.std(ddof=1)), float(upper - lower) / 1.34
    narrow = min(deviation, middle) if middle > 0 else deviation
    lattice = max(lattice_step(values, grid), apart)
    return float(max(0.9 * narrow * len(values) ** -0.2, _SMOOTH * lattice, _LEAST * grid.step))


def lattice_step(values: FloatArray, grid: Grid) -> float:
    """Return the usual distance of values that occur often; 0 where values differ freely."""
    count = np.bincount(grid.places(values), minlength=CELLS)
    often = np.flatnonzero(count > count.sum() / CELLS)
    if len(often) < 2 or len(often) > CELLS / 8 or count[often].sum() <= 0.8 * count.sum():
        return 0.0
    return float(np.median(np.diff(often)) * grid.step)


def kernel(grid: Grid, width: float) -> FloatArray:
    """(CELLS, POINTS) the density that one number in each cell adds; each integrates to 1."""
    points, centres = grid.points, grid.centres[:, None]
    weights = _normal((points - centres) / width)
    if grid.bounded:
        weights += _normal((points + centres - 2 * grid.low) / width)
        weights += _normal((points + centres - 2 * grid.high) / width)
    area = np.asarray(np.trapezoid(weights, points, axis=1))
    return weights / area[:, None]


def _normal(away: FloatArray) -> FloatArray:
    return np.where(np.abs(away) < _REACH, np.exp(-0.5 * away**2), 0.0)


def few_values(values: FloatArray) -> FloatArray | None:
    """Return the different numbers, where these are few and not only because there are few."""
    if len(np.unique(values[:5_000])) > FEW:
        return None
    distinct = np.unique(values)
    scattered = len(distinct) > _ANSWERS and len(values) < 2 * len(distinct)
    return None if not 0 < len(distinct) <= FEW or scattered else distinct


def strip_edges(grid: Grid, values: FloatArray) -> FloatArray:
    """Return where the strips of a density begin, and where the last one ends.

    The first holds at least the lowest 5% of the numbers (N,), the last at least the highest 5%.
    No strip is narrower than a twentieth of the scale.
    """
    least = (grid.high - grid.low) / STRIPS
    low, high = np.quantile(values, (0.05, 0.95)) if len(values) else (grid.low, grid.high)
    first = min(max(np.nextafter(low, np.inf), grid.low + least), grid.high - least)
    last = max(min(high, grid.high - least), first)
    between = int((last - first) / least * (1 + 1e-9))
    inner = np.linspace(first, last, between + 1) if between else np.array([first])
    return np.concatenate([[grid.low], inner, [grid.high]])
