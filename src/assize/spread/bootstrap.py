"""Replicates of any figure: raters, their predicted answers, and conversations drawn anew.

Each replicate draws raters with replacement, draws an answer of each predicted rater about each
conversation, and draws conversations with replacement within their group.

Source: Hashemi et al. (2024), appendix A. Differs: a rater drawn twice gives one answer, which
counts twice, and so does a conversation drawn twice. Chances are right to 1 / 65,536. Raters'
errors about one conversation are taken as independent, as in the paper (footnote 20).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import stdtr, stdtrit

from assize.base.signature import sign_text
from assize.results.types import NO_INTERVAL, Estimate, Test
from assize.spread.density import CELLS, Grid
from assize.spread.options import Resampling
from assize.spread.ratings import Answers, FloatArray
from assize.stats._estimate import describe
from assize.stats._intervals import wilson_ends
from assize.stats._resampling import draw_weights

_UNDEFINED = 0.05  # largest share of replicates in which a figure may be undefined


@dataclass(frozen=True, slots=True, eq=False)
class Sample:
    """What a figure is computed from: as observed, or of one replicate.

    Args:
        total: (C, U) sums of the raters' values.
        count: (U,) how many raters these are.
        times: (U,) how often each conversation counts.
        weights: (R,) how often each rater of the panel counts.
    """

    total: NDArray[np.floating]
    count: NDArray[np.floating]
    times: FloatArray
    weights: FloatArray


def observe(answers: Answers, panel: Sequence[int]) -> Sample:
    """Return the sample with nothing drawn."""
    values = answers.values[:, panel]
    known = ~np.isnan(values[0])
    size = known.shape[1]
    return Sample(
        np.where(known, values, 0).sum(axis=1),
        known.sum(axis=0).astype(float),
        np.ones(size),
        np.ones(len(panel)),
    )


def draw_samples(
    answers: Answers,
    panel: Sequence[int],
    group: NDArray[np.integer],
    how: Resampling,
    rng: np.random.Generator,
) -> Iterator[Sample]:
    """Yield replicates; the arrays of one are filled again by the next.

    Args:
        group: (U,) within which conversations are drawn, -1 for those that are not.
    """
    size, raters = len(group), len(panel)
    worth = answers.levels.astype(np.float32)
    known = [~np.isnan(answers.values[0, rater]) for rater in panel]
    expected = {
        rater: np.where(known[row], answers.values[:, rater], 0).astype(np.float32)
        for row, rater in enumerate(panel)
        if "answers" not in how.sources or not answers.predicted[rater]
    }
    below = {
        rater: np.ascontiguousarray(answers.below[:, rater])
        for rater in panel
        if rater not in expected and answers.below is not None
    }
    total = np.empty((len(worth), size), dtype=np.float32)
    count = np.empty(size, dtype=np.float32)
    weights, times = np.ones(raters), np.ones(size)
    for _ in range(how.replicates):
        if "raters" in how.sources:
            weights = draw_weights(1, raters, rng)[0]
        total[:] = count[:] = 0
        for row in np.flatnonzero(weights).tolist():
            rater, weight = panel[row], np.float32(weights[row])
            if rater in expected:
                values = expected[rater]
            else:
                number = rng.integers(0, 65_536, size, dtype=np.uint16)
                level = np.zeros(size, dtype=np.uint8)
                for cut in below[rater]:
                    level += number >= cut
                values = worth.take(level, axis=1) * known[row]
            total += weight * values
            count += weight * known[row]
        if "conversations" in how.sources:
            times = draw_times(group, rng)
        yield Sample(total, count, times, weights)


def draw_times(group: NDArray[np.integer], rng: np.random.Generator) -> FloatArray:
    """Return how often each conversation (U,) is drawn within its group; 1 for one of none."""
    inside = np.flatnonzero(group >= 0)
    order = inside[np.argsort(group[inside], kind="stable")]  # a group behind the other
    sizes = np.bincount(group[inside])
    first, size = np.repeat(np.cumsum(sizes) - sizes, sizes), np.repeat(sizes, sizes)
    chosen = order[first + (rng.random(len(order)) * size).astype(np.intp)]
    times = np.bincount(chosen, minlength=len(group)).astype(np.float64)
    times[group < 0] = 1
    return times


def group_means(
    sample: Sample, code: NDArray[np.integer], groups: int, *, apart: bool = False
) -> FloatArray:
    """(S, C) the mean of each group in each column; NaN for none.

    Args:
        code: (U,) the group of each conversation, -1 for none.
        apart: whether each rater's answer counts, not each conversation's mean.
    """
    inside = (sample.count > 0) & (code >= 0)
    count, code = sample.count[inside], code[inside]
    heavy = sample.times[inside] if apart else sample.times[inside] / count
    whole = np.bincount(code, heavy * count, groups)
    sums = [np.bincount(code, heavy * column[inside], groups) for column in sample.total]
    with np.errstate(invalid="ignore"):
        return np.asarray(np.stack(sums, axis=1) / whole[:, None])


def grid_counts(sample: Sample, grid: Grid, code: NDArray[np.integer], groups: int) -> FloatArray:
    """(S, CELLS) how many conversations of each group have their mean in each cell."""
    inside = (sample.count > 0) & (code >= 0)
    position = grid.places(sample.total[0, inside] / sample.count[inside])
    flat = np.bincount(code[inside] * CELLS + position, sample.times[inside], groups * CELLS)
    return np.asarray(flat.reshape(groups, CELLS))


def side_means(sample: Sample, pair: NDArray[np.integer]) -> FloatArray:
    """(P,) the mean of the conversations on one side of each pair; NaN for none.

    Args:
        pair: (U,) the pair that each conversation is on that side of, -1 for none.
    """
    inside = (sample.count > 0) & (pair >= 0)
    value, code = sample.total[0, inside] / sample.count[inside], pair[inside]
    size = int(pair.max()) + 1
    with np.errstate(invalid="ignore"):
        return np.asarray(np.bincount(code, value, size) / np.bincount(code, minlength=size))


def standard_error(replicates: FloatArray, conversations: int) -> float:
    """Return the standard error that replicates (B,) show; NaN where 5% of them are undefined.

    Args:
        conversations: N, of the smallest sample; drawing N of N conversations has (N - 1) / N of
            the variance, which is made up for.
    """
    known = replicates[~np.isnan(replicates)]
    if conversations < 2 or len(known) < (1 - _UNDEFINED) * len(replicates):
        return math.nan
    return float(known.std(ddof=1) * math.sqrt(conversations / (conversations - 1)))


def estimate_mean(
    value: float,
    replicates: FloatArray,
    conversations: int,
    how: Resampling,
    *,
    n: int | None = None,
    unscored: int = 0,
) -> Estimate:
    """Return a mean, or a difference of means, with Student's t interval.

    The interval rests on the replicates' (B,) standard error, not on their percentiles: a period
    may have a dozen conversations, of which percentiles are too narrow.

    Args:
        n: what is counted; conversations when None.
    """
    method = _describe("t", how)
    error, n = standard_error(replicates, conversations), conversations if n is None else n
    ends, reason = NO_INTERVAL, "too few conversations vary" if n else "no values"
    if error > 0:
        reach = float(stdtrit(conversations - 1, (1 + how.confidence) / 2)) * error
        ends, reason = (value - reach, value + reach), ""
    signature = sign_text(method)
    return Estimate(value, ends, n, unscored, reason or None, signature, method, conversations)


def estimate_share(
    value: float,
    replicates: FloatArray,
    conversations: int,
    how: Resampling,
    *,
    n: int,
    answers: int,
    unscored: int = 0,
) -> Estimate:
    """Return a share with Wilson's interval at the effective size.

    That is how many independent answers would have the replicates' (B,) standard error. It lies
    between 1 and the number of answers. Where nobody, or everybody, gives the answer, it is the
    number of conversations: replicates are then all alike.

    Args:
        n: what is counted: conversations, or answers of raters.
        answers: of raters about the conversations.

    Source: Korn and Graubard (1998), as `stats.share`.
    """
    method = _describe("wilson", how)
    signature, error = sign_text(method), standard_error(replicates, conversations)
    if math.isnan(error):
        reason = "an interval needs at least 2 conversations"
        return Estimate(value, NO_INTERVAL, n, unscored, reason, signature, method, conversations)
    size = float(conversations)
    if 0 < value < 1:
        size = min(max(1.0, value * (1 - value) / error**2), answers) if error > 0 else answers
    critical = float(stdtrit(conversations - 1, (1 + how.confidence) / 2))
    ends = wilson_ends(value, size, critical)
    return Estimate(value, ends, n, unscored, None, signature, method, conversations)


def difference_test(
    value: float, replicates: FloatArray, conversations: int, how: Resampling
) -> Test:
    """Return the two-sided test of no difference that agrees with `estimate_mean`."""
    method, error = _describe("test", how), standard_error(replicates, conversations)
    if not error > 0:
        reason = "too few conversations vary"
        return Test(math.nan, math.nan, n=conversations, reason=reason, method=method)
    p = 2 * float(stdtr(conversations - 1, -abs(value / error)))
    return Test(value / error, p, n=conversations, signature=sign_text(method), method=method)


def _describe(kind: str, how: Resampling) -> str:
    return describe(
        f"replicates-{kind}",
        2,
        "+".join(how.sources),
        f"{how.confidence:.4g}",
        how.replicates,
        f"seed:{how.seed}",
    )
