"""Counts on a grid, means and quantiles of groups of conversations, replicate by replicate."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from assize.stats._resampling import draw_weights
from assize.web._dashboard.figures.densities import CELLS, Grid
from assize.web._dashboard.figures.resampling import RaterMeans, RaterVotes, Resampler
from assize.web._dashboard.prepared.view import FloatArray


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
    within = Within(code)
    while True:
        raters, times = draws.raters(), within.times(draws)
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


class Within:
    """Conversations, to be drawn with replacement within their groups.

    Args:
        code: (U,) the group of each conversation, -1 for none.
    """

    def __init__(self, code: NDArray[np.integer]) -> None:
        inside = np.flatnonzero(code >= 0)
        self.order = inside[np.argsort(code[inside], kind="stable")]  # a group behind the other
        size = np.bincount(code[inside]) if len(inside) else np.zeros(0, dtype=np.intp)
        self.first = np.repeat(np.cumsum(size) - size, size)
        self.size = np.repeat(size, size)
        self.outside = code < 0

    def times(self, draws: Resampler) -> FloatArray:
        """(U,) how often each conversation is drawn; 1 for one of no group, and for all where
        conversations are not drawn."""
        if "conversations" not in draws.how.sources:
            return np.ones(draws.size)
        place = self.first + (draws.rng.random(len(self.size)) * self.size).astype(np.intp)
        times = np.bincount(self.order[place], minlength=draws.size).astype(np.float64)
        times[self.outside] = 1
        return times


def group_means(
    sums: NDArray[np.floating],
    count: NDArray[np.floating],
    times: FloatArray,
    code: NDArray[np.integer],
    groups: int,
    *,
    disaggregated: bool = False,
) -> FloatArray:
    """(S, K) means of each group, where conversations count (U,) `times`; NaN for none.

    Args:
        sums, count: (K, U) sums over each conversation's raters, and (U,) how many these are.
        disaggregated: whether each rater's number counts, not each conversation's mean.
    """
    there = (count > 0) & (code >= 0)
    if not there.all():
        sums, count, times, code = sums[:, there], count[there], times[there], code[there]
    heavy = times if disaggregated else times / count  # of one rater's number
    total = np.bincount(code, heavy * count, groups)
    found = [np.bincount(code, heavy * one, groups) for one in sums]
    with np.errstate(invalid="ignore"):
        return np.asarray(np.stack(found, axis=1) / total[:, None])


def drawn_means(
    draws: Resampler, code: NDArray[np.integer], groups: int, *, disaggregated: bool = False
) -> FloatArray:
    """(B, S) the mean of each group of conversations in each replicate; NaN for none."""
    means, within = RaterMeans(draws), Within(code)
    found = np.empty((draws.how.replicates, groups))
    for at in range(len(found)):
        total, count = means.sums()
        found[at] = group_means(
            total[None], count, within.times(draws), code, groups, disaggregated=disaggregated
        )[:, 0]
    return found


def drawn_shares(
    draws: Resampler,
    answers: int,
    code: NDArray[np.integer],
    groups: int,
    *,
    disaggregated: bool = False,
) -> FloatArray:
    """(B, S, K) the share of each answer to a nominal question in each group and replicate.

    Args:
        answers: K, how many the question names.
    """
    votes, within = RaterVotes(draws, answers), Within(code)
    found = np.empty((draws.how.replicates, groups, answers))
    for at in range(len(found)):
        given, count = votes.draw()
        found[at] = group_means(
            given, count, within.times(draws), code, groups, disaggregated=disaggregated
        )
    return found


def drawn_pairs(
    draws: Resampler, before: NDArray[np.integer], after: NDArray[np.integer]
) -> FloatArray:
    """(B, 2) the means before and after over pairs, which are drawn as pairs.

    A side of a pair is the mean of its conversations; a pair of which one has no number in a
    replicate does not count there.

    Args:
        before, after: (U,) the pair that each conversation is on that side of, -1 for none.
    """
    means, pairs = RaterMeans(draws), int(max(before.max(), after.max())) + 1
    sides = [(np.flatnonzero(one >= 0), one[one >= 0]) for one in (before, after)]
    found = np.empty((draws.how.replicates, 2))
    for at in range(len(found)):
        mean = means.draw()
        one, other = (_side_means(mean[places], pair, pairs) for places, pair in sides)
        times = np.ones(pairs)
        if "conversations" in draws.how.sources:
            times = draw_weights(1, pairs, draws.rng)[0]
        times[np.isnan(one + other)] = 0
        with np.errstate(invalid="ignore"):
            found[at] = np.array([np.nansum(times * one), np.nansum(times * other)]) / times.sum()
    return found


def _side_means(value: NDArray[np.floating], pair: NDArray[np.integer], pairs: int) -> FloatArray:
    """(P,) the mean of the conversations on one side of each pair; NaN for none."""
    known = ~np.isnan(value)
    if not known.all():
        value, pair = value[known], pair[known]
    with np.errstate(invalid="ignore"):
        return np.asarray(np.bincount(pair, value, pairs) / np.bincount(pair, minlength=pairs))


def drawn_quantiles(
    draws: Resampler, grid: Grid, code: NDArray[np.integer], groups: int, share: float
) -> FloatArray:
    """(B, S) a quantile of each group's means over raters, on the grid; NaN for none."""
    found = np.empty((draws.how.replicates, groups))
    for at, counts in enumerate(islice(_together(draws, grid, code, groups), len(found))):
        up_to = counts.cumsum(axis=1)
        place = (up_to >= share * up_to[:, -1:]).argmax(axis=1)
        found[at] = np.where(up_to[:, -1] > 0, grid.centres[place], np.nan)
    return found
