"""Intervals over test conversations, the same ones drawn for everything that is compared."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assize.criteria._selection.held_out import strata_of
from assize.criteria._selection.pool import Mask
from assize.criteria._study.measures import MEASURES, Unseen, measured
from assize.results import Estimate
from assize.stats._arrays import FloatArray, IntArray
from assize.stats._resampling import percentile_ends

CONFIDENCE = 0.95


@dataclass(frozen=True, eq=False)
class Drawn:
    """All measures of one method and policy: as they are, and on resamples.

    Args:
        values: (measures,) means over splits.
        draws: (resamples, measures).
        n: test conversations, all splits together.
    """

    values: FloatArray
    draws: FloatArray
    n: int

    def figures(self) -> dict[str, Estimate]:
        """A figure a measure."""
        return _figures(self.values, self.draws, self.n)

    def less(self, other: Drawn) -> dict[str, Estimate]:
        """Each measure less that of another, on the same resamples."""
        return _figures(self.values - other.values, self.draws - other.draws, self.n)


def resampled(
    good: Mask,
    trains: Sequence[Mask],
    count: int,
    rng: np.random.Generator,
    clusters: NDArray[Any] | None = None,
) -> IntArray:
    """How often each conversation is drawn (count, N): with replacement, each class by itself.

    Only conversations that some split tests are drawn, so that the halves of one split keep
    their numbers. Clusters (N,) are drawn whole, see `strata_of`.
    """
    found = np.zeros((count, len(good)), dtype=np.int64)
    ever = np.flatnonzero(~np.logical_and.reduce(list(trains)))
    for stratum in strata_of(good[ever], None if clusters is None else clusters[ever]):
        size = len(stratum)
        times = rng.multinomial(size, np.full(size, 1 / size), size=count)
        lengths = [len(one) for one in stratum]
        found[:, ever[np.concatenate(stratum)]] = np.repeat(times, lengths, axis=1)
    return found


def drawn(tested: Sequence[Unseen], trains: Sequence[Mask], weights: IntArray) -> Drawn:
    """The measures of one method and policy, each split's test half drawn as `weights` say."""
    values = _mean([measured(one) for one in tested])
    draws = np.empty((len(weights), len(MEASURES)))
    for at, row in enumerate(weights):
        draws[at] = _mean(
            [
                measured(one.rows(np.repeat(np.arange(len(one.good)), row[~train])))
                for one, train in zip(tested, trains, strict=True)
            ]
        )
    return Drawn(values, draws, sum(len(one.good) for one in tested))


def _mean(each: Sequence[FloatArray]) -> FloatArray:
    """The mean over splits (measures,) of those in which a measure is defined."""
    stacked = np.stack(each)
    known = ~np.isnan(stacked)
    with np.errstate(invalid="ignore", divide="ignore"):
        found: FloatArray = np.where(known, stacked, 0).sum(axis=0) / known.sum(axis=0)
    return found


def _figures(values: FloatArray, draws: FloatArray, n: int) -> dict[str, Estimate]:
    none = (float("nan"), float("nan"))
    return {
        name: Estimate(
            float(values[at]),
            percentile_ends(draws[:, at], CONFIDENCE).interval if len(draws) else none,
            n,
        )
        for at, name in enumerate(MEASURES)
    }
