"""Audits of a judge from its stored judgments: does the answer depend on what it should not?"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from assize.base.errors import DataError
from assize.results.types import Estimate, Share, Test
from assize.stats._agreement import raw_agreement
from assize.stats._arrays import FloatArray, complete_rows, grouped, numbers, same_length
from assize.stats._coincidence import Level, alpha
from assize.stats._estimate import missing
from assize.stats._intervals import mean, ratio, share
from assize.stats._permutation import sign_flip
from assize.stats._resampling import FISHER, JACKKNIFE, Interval, estimate, of_sums


@dataclass(frozen=True, slots=True)
class PositionBias:
    """How much a judge of pairs goes by which response it saw first.

    Args:
        dependent: share of pairs whose answer changes with the order.
        reversed: share of pairs whose preference turns round (A in one order, B in the other).
        direction: mean pull towards the response shown first, from -1 (always the second)
            over 0 to 1 (always the first).
        test: whether the direction is 0.
    """

    dependent: Share
    reversed: Share
    direction: Estimate
    test: Test


def position_bias(
    shown_ab: ArrayLike,
    shown_ba: ArrayLike,
    *,
    clusters: ArrayLike | None = None,
    permutations: int = 10_000,
    rng: np.random.Generator,
) -> PositionBias:
    """Measure how a judge's votes on pairs change if B is shown first instead of A.

    Args:
        shown_ab, shown_ba: (N,) 1 for the real A, -1 for the real B, 0 for a tie; NaN if that vote
            is unscored (the pair then counts as unscored).
        clusters: (N,) labels of pairs that are not independent, or None.
        permutations, rng: of the test, as in `sign_flip`.

    >>> rng = np.random.default_rng(0)
    >>> position_bias([1, 1, -1], [1, -1, -1], rng=rng).direction.estimate
    0.3333333333333333
    """
    first, second = np.sign(numbers(shown_ab, "shown_ab")), np.sign(numbers(shown_ba, "shown_ba"))
    same_length(shown_ab=first, shown_ba=second)
    unscored = np.isnan(first) | np.isnan(second)
    pull = (first - second) / 2
    changed = np.where(unscored, np.nan, first != second)
    turned = np.where(unscored, np.nan, np.abs(pull) == 1)
    return PositionBias(
        share(changed, clusters=clusters),
        share(turned, clusters=clusters),
        mean(pull, clusters=clusters),
        sign_flip(pull, clusters=clusters, permutations=permutations, rng=rng),
    )


@dataclass(frozen=True, slots=True)
class LengthBias:
    """How much a judge goes by length.

    Args:
        correlation: of the judge's score with length.
        gold: of the gold score with length; NaN without gold.
        at_equal_gold: of the judge's score with length where gold is the same (the partial
            correlation given gold): length that gold does not reward. NaN without gold.
        longer: for preferences, the share of decided pairs in which the longer wins; NaN
            where scores are not preferences.
    """

    correlation: Estimate
    gold: Estimate
    at_equal_gold: Estimate
    longer: Estimate


def length_bias(
    score: ArrayLike,
    length: ArrayLike,
    *,
    gold: ArrayLike | None = None,
    preference: bool = False,
    clusters: ArrayLike | None = None,
    interval: Interval = JACKKNIFE,
) -> LengthBias:
    """Measure how a judge's scores depend on length, with and without gold held fixed.

    Args:
        score: (N,) scores, or preferences (1 for A, 0 for a tie, -1 for B); NaN is unscored.
        length: (N,) logarithm of the length; for preferences that of A's minus that of B's.
        gold: (N,) in the unit of `score`, or None.
        preference: whether the scores are preferences.
        clusters, interval: as in `pearson`.
    """
    from assize.stats._correlation import pearson

    judged, long = numbers(score, "score"), numbers(length, "length")
    same_length(score=judged, length=long)
    raw = pearson(judged, long, clusters=clusters, interval=interval)
    longer = missing("longer", 1, "the scores are no preferences", n=raw.n)
    if preference:
        decided = (judged != 0) & (long != 0) & ~np.isnan(long)
        wins = np.where(np.isnan(judged), np.nan, np.sign(judged) == np.sign(long))
        kept = None if clusters is None else np.asarray(clusters)[decided]
        longer = share(wins[decided], clusters=kept)
    if gold is None:
        nothing = missing("length_bias", 1, "there is no gold", n=raw.n)
        return LengthBias(raw, nothing, nothing, longer)
    of_gold = pearson(gold, long, clusters=clusters, interval=interval)
    partial = partial_correlation(judged, long, gold, clusters=clusters, interval=interval)
    return LengthBias(raw, of_gold, partial, longer)


def partial_correlation(
    x: ArrayLike,
    y: ArrayLike,
    given: ArrayLike,
    *,
    clusters: ArrayLike | None = None,
    interval: Interval = JACKKNIFE,
) -> Estimate:
    """Return Pearson's correlation of `x` and `y` with `given` held fixed, each (N,).

    Arguments, missing rows and errors are those of `pearson`. NaN with a reason for fewer than 4
    rows, or if `x` or `y` follows from `given`.
    """
    rows = complete_rows(clusters, x=x, y=y, given=given)
    n, unscored = rows.n, rows.unscored
    if n < 4:
        reason = f"needs at least 4 rows with all three values; there are {n}"
        return missing("partial_correlation", 1, reason, n=n, unscored=unscored)
    one, two, three = (_standardised(column) for column in rows.columns)
    products = [np.ones(n), one, two, three, one * two, one * three, two * three]
    sums = np.stack([*products, one**2, two**2, three**2], axis=1)
    return estimate(
        "partial_correlation",
        of_sums(sums, _partial_of_sums, rows.clusters),
        n=n,
        unscored=unscored,
        interval=interval,
        scale=FISHER,
        reason="`x` or `y` is constant, or follows from `given`",
    )


def _standardised(column: FloatArray) -> FloatArray:
    spread = column.std()
    return np.asarray((column - column.mean()) / (spread if spread > 0 else 1.0))


def _partial_of_sums(sums: FloatArray) -> FloatArray:
    n, x, y, z, xy, xz, yz, xx, yy, zz = np.moveaxis(sums, -1, 0)
    cov = {
        "xy": xy - x * y / n,
        "xz": xz - x * z / n,
        "yz": yz - y * z / n,
        "xx": xx - x * x / n,
        "yy": yy - y * y / n,
        "zz": zz - z * z / n,
    }
    known = np.where(cov["zz"] <= 1e-12 * n, np.inf, cov["zz"])  # a constant explains nothing
    left = cov["xy"] - cov["xz"] * cov["yz"] / known
    rest_x = cov["xx"] - cov["xz"] ** 2 / known
    rest_y = cov["yy"] - cov["yz"] ** 2 / known
    flat = (rest_x <= 1e-9 * n) | (rest_y <= 1e-9 * n)
    with np.errstate(invalid="ignore", divide="ignore"):
        value = np.clip(left / np.sqrt(rest_x * rest_y), -1, 1)
    return np.asarray(np.where(flat, np.nan, value))


@dataclass(frozen=True, slots=True)
class SelfPreference:
    """How much a judge favours what it, or its own kind, wrote.

    Args:
        judged: mean advantage of its own over others', by the judge.
        gold: the same by gold; NaN without gold.
        excess: the difference of both: the part that gold does not share.
        test: whether the excess is 0 (preferences only).
    """

    judged: Estimate
    gold: Estimate
    excess: Estimate
    test: Test | None


def self_preference(
    preference: ArrayLike,
    own: ArrayLike,
    gold: ArrayLike | None = None,
    *,
    clusters: ArrayLike | None = None,
    permutations: int = 10_000,
    rng: np.random.Generator,
) -> SelfPreference:
    """Measure, on pairs, whether a judge prefers its own response more often than gold does.

    Args:
        preference: (N,) 1 for A, 0 for a tie, -1 for B; NaN is unscored.
        own: (N,) 1 where A is the judge's own, -1 where B is, 0 where neither or both are
            (such pairs do not enter).
        gold: (N,) as `preference`, or None.
        clusters: (N,) labels of pairs that are not independent, or None.
        permutations: number of random sign flips of the test.
        rng: draws them.

    Returns:
        Advantages in [-1, 1]: the share of own responses that win minus the share that lose.
    """
    judged, side = np.sign(numbers(preference, "preference")), numbers(own, "own")
    same_length(preference=judged, own=side)
    if not np.isin(side, (-1, 0, 1)).all():
        raise DataError("`own` must be -1, 0 or 1")
    rows = side != 0
    kept = None if clusters is None else np.asarray(clusters)[rows]
    by_judge = mean((side * judged)[rows], clusters=kept)
    if gold is None:
        nothing = missing("self_preference", 1, "there is no gold", n=by_judge.n)
        return SelfPreference(by_judge, nothing, nothing, None)
    truth = np.sign(numbers(gold, "gold"))
    same_length(preference=judged, gold=truth)
    excess = (side * (judged - truth))[rows]
    return SelfPreference(
        by_judge,
        mean((side * truth)[rows], clusters=kept),
        mean(excess, clusters=kept),
        sign_flip(excess, clusters=kept, permutations=permutations, rng=rng),
    )


def self_scores(
    score: ArrayLike,
    own: ArrayLike,
    gold: ArrayLike | None = None,
    *,
    clusters: ArrayLike | None = None,
    interval: Interval = JACKKNIFE,
) -> SelfPreference:
    """Measure, on ratings, whether a judge scores its own system higher than gold does.

    Args:
        score: (N,) the judge's scores; NaN is unscored.
        own: (N,) 1 where the judge's own system answered, else 0.
        gold: (N,) in the unit of `score`, or None.
        clusters, interval: as in `pearson`.

    Returns:
        The mean score of its own system minus that of the others, in the unit of `score`, by the
        judge and by gold.
    """
    judged, mine = numbers(score, "score"), numbers(own, "own")
    same_length(score=judged, own=mine)
    if not np.isin(mine, (0, 1)).all():
        raise DataError("`own` must be 0 or 1")

    def gap(values: FloatArray) -> Estimate:
        return _gap(values, mine, clusters, interval)

    if gold is None:
        nothing = missing("self_scores", 1, "there is no gold", n=len(judged))
        return SelfPreference(gap(judged), nothing, nothing, None)
    truth = numbers(gold, "gold")
    same_length(score=judged, gold=truth)
    return SelfPreference(gap(judged), gap(truth), gap(judged - truth), None)


def _gap(
    values: FloatArray,
    mine: FloatArray,
    clusters: ArrayLike | None,
    interval: Interval,
) -> Estimate:
    keep = ~np.isnan(values)
    kept, own = values[keep], mine[keep]
    n, unscored = len(kept), int((~keep).sum())
    if n == 0 or own.min() == own.max():
        return missing("self_scores", 1, "needs own and others'", n=n, unscored=unscored)
    columns = np.stack([own, own * kept, 1 - own, (1 - own) * kept], axis=1)

    def function(sums: FloatArray) -> FloatArray:
        return ratio(sums[..., 1], sums[..., 0]) - ratio(sums[..., 3], sums[..., 2])

    statistic = of_sums(columns, function, grouped(clusters, keep))
    return estimate("self_scores", statistic, n=n, unscored=unscored, interval=interval)


@dataclass(frozen=True, slots=True)
class SelfConsistency:
    """How far a judge agrees with itself when asked again: raw, and beyond chance."""

    agreement: Estimate
    alpha: Estimate


def self_consistency(
    repeats: ArrayLike, *, level: Level = "nominal", clusters: ArrayLike | None = None
) -> SelfConsistency:
    """Measure the agreement of one judge's answers (repeats R, items N); NaN is missing."""
    return SelfConsistency(
        raw_agreement(repeats, clusters=clusters), alpha(repeats, level=level, clusters=clusters)
    )
