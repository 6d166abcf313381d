"""Numbers counted in bins, replicate by replicate: what bands and intervals of shares rest on."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from assize.stats.resampling import draw_weights
from assize.webapp.dashboard.figures.resampling import Resampler
from assize.webapp.dashboard.prepared.view import FloatArray


class Bins(Protocol):
    """What numbers are counted in."""

    @property
    def bins(self) -> int:
        """How many there are, W."""
        ...

    def places(self, values: NDArray[np.floating]) -> NDArray[np.intp]:
        """The bin of each number."""
        ...


class Drawn(Protocol):
    """One number a conversation, drawn anew by each call: `RaterMeans`, `RaterVotes`."""

    def draw(self) -> NDArray[np.floating]:
        """(U,) NaN for none."""
        ...


def counts_together(
    draws: Resampler, drawn: Drawn, bins: Bins, code: NDArray[np.integer], groups: int
) -> FloatArray:
    """Conversations by their number of all raters: (B, S, W) of each replicate and group.

    Args:
        code: (U,) the group of each conversation, -1 for none.
        groups: S.
    """
    one = _together(draws, drawn, bins, code, groups)
    return np.stack(list(islice(one, draws.how.replicates)))


def counts_apart(
    draws: Resampler, bins: Bins, code: NDArray[np.integer], groups: int
) -> FloatArray:
    """Numbers of conversation and rater: (B, S, W); conversations are drawn with all raters."""
    one = _apart(draws, bins, code, groups)
    return np.stack(list(islice(one, draws.how.replicates)))


def _together(
    draws: Resampler, drawn: Drawn, bins: Bins, code: NDArray[np.integer], groups: int
) -> Iterator[FloatArray]:
    inside, width = code >= 0, bins.bins
    flat = np.where(inside, code, 0).astype(np.intp) * width
    while True:
        value = drawn.draw()
        there = inside & ~np.isnan(value)
        place = flat[there] + bins.places(value[there])
        seen = np.bincount(place, minlength=groups * width).reshape(groups, width)
        again = "conversations" in draws.how.sources
        yield drawn_counts(seen, draws.rng) if again else seen.astype(np.float64)


def _apart(
    draws: Resampler, bins: Bins, code: NDArray[np.integer], groups: int
) -> Iterator[FloatArray]:
    size, width = len(code), bins.bins
    units, places = {}, {}
    for rater, mine in draws.spans.items():
        unit = np.asarray(draws.units(rater), dtype=np.intp)
        inside = code[unit] >= 0
        units[rater] = unit[inside]
        value = np.asarray(draws.cells.value[mine])[inside]
        places[rater] = code[units[rater]].astype(np.intp) * width + bins.places(value)
    members = [np.flatnonzero(code == group) for group in range(groups)]
    while True:
        raters = draws.raters()
        times = np.ones(size)
        if "conversations" in draws.how.sources:
            times = drawn_times(members, size, draws.rng)
        found = np.zeros(groups * width)
        for rater, weight in raters:
            found += weight * np.bincount(places[rater], times[units[rater]], groups * width)
        yield found.reshape(groups, width)


def drawn_counts(seen: NDArray[np.intp], rng: np.random.Generator) -> FloatArray:
    """(S, W) counts in bins of as many conversations as were seen there, drawn with replacement
    within each of S groups."""
    found = np.zeros(seen.shape)
    for group, counts in enumerate(seen):
        n, held = int(counts.sum()), np.flatnonzero(counts)
        if n:
            found[group, held] = rng.multinomial(n, counts[held] / n)
    return found


def drawn_times(members: list[NDArray[np.intp]], size: int, rng: np.random.Generator) -> FloatArray:
    """(U,) how often each conversation is drawn, within its group; 1 for one of none."""
    times = np.ones(size)
    for mine in members:
        if len(mine):
            times[mine] = draw_weights(1, len(mine), rng)[0]
    return times
