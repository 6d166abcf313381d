"""How far a density can be trusted: raters, conversations and predicted answers drawn anew.

Each replicate draws raters with replacement, draws an answer of each calibrated rater for each
conversation from its predicted distribution, and draws conversations with replacement. Band
ends are quantiles of the replicates at each point.

What makes it quick, none of it an approximation but the first:

- An answer is drawn by one of 65,536 equally likely numbers, so chances are right to 1 / 65,536.
- Drawing N conversations with replacement and counting them on the grid is drawing the counts
  from a multinomial distribution with the shares on the grid (aggregated view).
- A rater who was not drawn in a replicate is not looked at: a third of them.

Source: Hashemi et al. (2024), appendix A. Differs: a rater drawn twice gives one answer, which
counts twice, and so does a conversation drawn twice; the kernel stays that of the whole, so a
band is that of the smoothed density. In the disaggregated view no answers are drawn: a drawn
answer is one of few, and would not be a replicate of the expected answers whose density is
shown; conversations are drawn with all their raters. Raters' errors about one conversation are
taken as independent, as in the paper (footnote 20).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from assize.stats.resampling import draw_weights
from assize.webapp.dashboard.figures.densities import CELLS, Grid
from assize.webapp.dashboard.prepared.cells import STEPS
from assize.webapp.dashboard.prepared.view import Cells, FloatArray

REPLICATES = 200
SOURCES = ("raters", "conversations", "answers")
_A_WORD = 64 // (STEPS.bit_length() - 1)  # numbers that answers are drawn by, in 64 bits


@dataclass(frozen=True, slots=True)
class Drawing:
    """What is drawn anew.

    Args:
        sources: any of `SOURCES`.
        replicates: at least 20.
        confidence: of the bands, pointwise, in (0, 1).
    """

    sources: tuple[str, ...] = SOURCES
    replicates: int = REPLICATES
    confidence: float = 0.95


def replicates(
    cells: Cells,
    panel: tuple[int, ...],
    grid: Grid,
    code: NDArray[np.integer],
    groups: int,
    how: Drawing,
    rng: np.random.Generator,
    *,
    disaggregated: bool = False,
) -> FloatArray:
    """Counts on the grid of each replicate and group: (B, S, CELLS).

    Args:
        code: (U,) the group of each conversation, -1 for none.
        groups: S.
        disaggregated: counts numbers of conversation and rater instead of means over raters.
    """
    group: NDArray[np.intp] = np.asarray(code, dtype=np.intp)
    found = np.empty((how.replicates, groups, CELLS))
    one: Callable[[FloatArray], FloatArray]
    if disaggregated:
        one = _Apart(cells, panel, grid, group, groups, how, rng).draw
    else:
        one = _Together(cells, panel, grid, group, groups, how, rng).draw
    for at in range(how.replicates):
        weights = np.ones(len(panel))
        if "raters" in how.sources and len(panel) > 1:
            weights = draw_weights(1, len(panel), rng)[0]
        found[at] = one(weights)
    return found


@dataclass(eq=False)
class _Together:
    """Means over raters, by replicate."""

    cells: Cells
    panel: tuple[int, ...]
    grid: Grid
    code: NDArray[np.intp]
    groups: int
    how: Drawing
    rng: np.random.Generator

    def __post_init__(self) -> None:
        size, cells = len(self.code), self.cells
        self.size = size
        self.inside = self.code >= 0
        self.flat = np.where(self.inside, self.code, 0) * CELLS
        self.spans = {rater: cells.of(rater) for rater in self.panel}
        self.whole = {rater: one.stop - one.start == size for rater, one in self.spans.items()}
        self.complete = all(self.whole.values()) and bool(self.inside.all())
        self.total = np.empty(size, dtype=np.float32)
        self.count = np.empty(size, dtype=np.float32)
        drawing = "answers" in self.how.sources
        self.cuts, self.values = {}, {}
        for rater, mine in self.spans.items():
            if drawing and cells.drawn[rater] and cells.cuts is not None:
                self.cuts[rater] = [np.asarray(one) for one in cells.cuts[:, mine]]
            else:
                self.values[rater] = np.asarray(cells.value[mine], dtype=np.float32)
        steps = np.diff(cells.levels)
        self.even = bool(len(steps)) and bool(np.allclose(steps, steps[0], rtol=1e-12))
        self.answer = np.empty(size, dtype=np.uint8)
        self.above = np.empty(size, dtype=np.bool_)
        self.places = np.empty(size, dtype=np.uint16)

    def draw(self, weights: FloatArray) -> FloatArray:
        """(S, CELLS) counts of one replicate."""
        mean, there = self._means(weights)
        place = (self.flat if there is None else self.flat[there]) + self.grid.places(mean)
        seen = np.bincount(place, minlength=self.groups * CELLS)
        seen = seen.reshape(self.groups, CELLS)
        if "conversations" not in self.how.sources:
            return seen.astype(np.float64)
        return np.stack([self._again(one) for one in seen])

    def _means(self, weights: FloatArray) -> tuple[NDArray[np.float32], NDArray[np.bool_] | None]:
        """Means of those conversations that have one, and which these are; None for all."""
        self.total[:] = 0
        self.count[:] = 0
        self.places[:] = 0
        drawn = 0.0  # weight of whole raters whose answers stand in `places`
        for rater, weight in zip(self.panel, weights.tolist(), strict=True):
            if not weight:
                continue
            if self.even and self.whole[rater] and rater in self.cuts:
                self._answers(rater)
                self.places += self.answer * np.uint16(weight)
                drawn += weight
            else:
                self._add(rater, weight)
        if drawn:
            step = self.cells.levels[1] - self.cells.levels[0]
            self.total += self.places * np.float32(step) + np.float32(self.cells.levels[0] * drawn)
            self.count += np.float32(drawn)
        if self.complete:
            return self.total / np.float32(weights.sum()), None
        there = self.inside & (self.count > 0)
        return self.total[there] / self.count[there], there

    def _add(self, rater: int, weight: float) -> None:
        mine, heavy = self.spans[rater], np.float32(weight)
        if rater in self.cuts:
            worth = self.cells.levels.astype(np.float32).take(self._answers(rater)) * heavy
        else:
            worth = self.values[rater] * heavy
        if self.whole[rater]:
            self.total += worth
            self.count += heavy
        else:
            unit = self.cells.unit[mine]
            self.total[unit] += worth
            self.count[unit] += heavy

    def _answers(self, rater: int) -> NDArray[np.uint8]:
        """A drawn answer for each cell of a rater, as a place among the levels."""
        size = self.spans[rater].stop - self.spans[rater].start
        raw = self.rng.integers(0, 1 << 64, -(-size // _A_WORD), dtype=np.uint64)
        number = raw.view(np.uint16)[:size]
        answer, above = self.answer[:size], self.above[:size]
        answer[:] = 0
        for cut in self.cuts[rater]:
            np.greater_equal(number, cut, out=above)
            answer += above.view(np.uint8)
        return answer

    def _again(self, seen: NDArray[np.intp]) -> FloatArray:
        """The counts of as many conversations, drawn with replacement."""
        n = int(seen.sum())
        found = np.zeros(CELLS)
        held = np.flatnonzero(seen)
        if n:
            found[held] = self.rng.multinomial(n, seen[held] / n)
        return found


@dataclass(eq=False)
class _Apart:
    """Numbers of conversation and rater, by replicate; conversations are drawn with all raters."""

    cells: Cells
    panel: tuple[int, ...]
    grid: Grid
    code: NDArray[np.intp]
    groups: int
    how: Drawing
    rng: np.random.Generator

    def __post_init__(self) -> None:
        self.units: dict[int, NDArray[np.intp] | None] = {}
        self.places = {}
        for rater in self.panel:
            mine = self.cells.of(rater)
            unit = np.asarray(self.cells.unit[mine], dtype=np.intp)
            inside = self.code[unit] >= 0
            unit = unit[inside]
            value = np.asarray(self.cells.value[mine])[inside]
            self.units[rater] = None if len(unit) == len(self.code) else unit
            self.places[rater] = self.code[unit] * CELLS + self.grid.places(value)
        self.members = [np.flatnonzero(self.code == group) for group in range(self.groups)]

    def draw(self, weights: FloatArray) -> FloatArray:
        """(S, CELLS) counts of one replicate."""
        times = self._times()
        found = np.zeros(self.groups * CELLS)
        for rater, weight in zip(self.panel, weights.tolist(), strict=True):
            if weight:
                unit = self.units[rater]
                mine = times if unit is None else times[unit]
                found += weight * np.bincount(self.places[rater], mine, self.groups * CELLS)
        return found.reshape(self.groups, CELLS)

    def _times(self) -> FloatArray:
        """(U,) how often each conversation is drawn, within its group."""
        times = np.ones(len(self.code))
        if "conversations" in self.how.sources:
            for mine in self.members:
                if len(mine):
                    times[mine] = draw_weights(1, len(mine), self.rng)[0]
        return times
