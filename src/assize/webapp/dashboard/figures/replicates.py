"""Numbers counted on a grid, replicate by replicate: what the bands of densities rest on."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from assize.stats.resampling import draw_weights
from assize.webapp.dashboard.figures.densities import CELLS, Grid
from assize.webapp.dashboard.figures.resampling import RaterMeans, Resampler
from assize.webapp.dashboard.prepared.view import FloatArray


def counts_together(
    draws: Resampler, grid: Grid, code: NDArray[np.integer], groups: int
) -> FloatArray:
    """Conversations by the mean over their raters: (B, S, CELLS) of each replicate and group.

    Args:
        code: (U,) the group of each conversation, -1 for none.
        groups: S.
    """
    one = _together(draws, grid, code, groups)
    return np.stack(list(islice(one, draws.how.replicates)))


def counts_apart(
    draws: Resampler, grid: Grid, code: NDArray[np.integer], groups: int
) -> FloatArray:
    """Numbers of conversation and rater: (B, S, CELLS); conversations are drawn with all raters."""
    one = _apart(draws, grid, code, groups)
    return np.stack(list(islice(one, draws.how.replicates)))


def _together(
    draws: Resampler, grid: Grid, code: NDArray[np.integer], groups: int
) -> Iterator[FloatArray]:
    means, inside = RaterMeans(draws), code >= 0
    flat = np.where(inside, code, 0).astype(np.intp) * CELLS
    while True:
        value = means.draw()
        there = inside & ~np.isnan(value)
        place = flat[there] + grid.places(value[there])
        seen = np.bincount(place, minlength=groups * CELLS).reshape(groups, CELLS)
        again = "conversations" in draws.how.sources
        yield drawn_counts(seen, draws.rng) if again else seen.astype(np.float64)


def _apart(
    draws: Resampler, grid: Grid, code: NDArray[np.integer], groups: int
) -> Iterator[FloatArray]:
    units, places = {}, {}
    for rater, mine in draws.spans.items():
        unit = np.asarray(draws.units(rater), dtype=np.intp)
        inside = code[unit] >= 0
        units[rater] = unit[inside]
        value = np.asarray(draws.cells.value[mine])[inside]
        places[rater] = code[units[rater]].astype(np.intp) * CELLS + grid.places(value)
    members = [np.flatnonzero(code == group) for group in range(groups)]
    while True:
        raters, times = draws.raters(), drawn_times(draws, members)
        found = np.zeros(groups * CELLS)
        for rater, weight in raters:
            found += weight * np.bincount(places[rater], times[units[rater]], groups * CELLS)
        yield found.reshape(groups, CELLS)


def drawn_counts(seen: NDArray[np.intp], rng: np.random.Generator) -> FloatArray:
    """(S, W) counts in bins of as many conversations as were seen there, drawn with replacement
    within each of S groups."""
    found = np.zeros(seen.shape)
    for group, counts in enumerate(seen):
        n, held = int(counts.sum()), np.flatnonzero(counts)
        if n:
            found[group, held] = rng.multinomial(n, counts[held] / n)
    return found


def drawn_times(draws: Resampler, members: list[NDArray[np.intp]]) -> FloatArray:
    """(U,) how often each conversation is drawn, within its group; 1 for one of none, and for
    all where conversations are not drawn."""
    times = np.ones(draws.size)
    if "conversations" in draws.how.sources:
        for mine in members:
            if len(mine):
                times[mine] = draw_weights(1, len(mine), draws.rng)[0]
    return times
