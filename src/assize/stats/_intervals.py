"""Means and shares with their intervals, and a bootstrap for anything else."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtri, stdtrit

from assize.base.errors import DataError
from assize.base.signature import sign_text
from assize.results.types import NAN, NO_INTERVAL, Estimate, Share
from assize.stats._arrays import Clusters, FloatArray, complete_rows, grouped, same_length
from assize.stats._estimate import describe, missing
from assize.stats._resampling import JACKKNIFE, Interval, Resampled, estimate, of_sums

PERCENTILE = Interval("percentile")


def wilson(successes: int, n: int, *, confidence: float = 0.95, unscored: int = 0) -> Share:
    """Return a share with Wilson's interval, which is sensible for any n and never leaves [0, 1].

    Args:
        successes: how many of `n`.
        n: independent trials; 0 gives NaN with a reason.
        confidence: in (0, 1).
        unscored: trials that were not judged; only carried along.

    Returns:
        The share; its `count` is `successes`.

    Small samples: the mean coverage is close to nominal from n = 5 on, but at single
    values of the true share it dips (to 83% at n = 10, near shares of 0.02 or 0.98).

    Source: Wilson (1927). Differs: none.

    Examples:
        >>> [round(end, 4) for end in wilson(8, 10).interval]
        [0.4902, 0.9433]
    """
    if not 0 < confidence < 1:
        raise DataError(f"`confidence` must lie between 0 and 1; it is {confidence}")
    if not 0 <= successes <= n:
        raise DataError(f"`successes` must lie between 0 and `n`; they are {successes} and {n}")
    method = describe("wilson", 1, f"{confidence:.4g}")
    if n == 0:
        return _share(NAN, NO_INTERVAL, 0, 0, unscored, method, 0, "no trials")
    critical = float(ndtri((1 + confidence) / 2))
    ends = wilson_ends(successes / n, n, critical)
    return _share(successes / n, ends, successes, n, unscored, method, n)


def share(
    values: ArrayLike, *, clusters: ArrayLike | None = None, confidence: float = 0.95
) -> Share:
    """Return the share of ones among zeros and ones, with Wilson's interval, widened for clusters.

    Args:
        values: (N,) 0, 1, booleans, or NaN for an unscored row.
        clusters: (N,) labels of rows that belong together, for instance conversations.
        confidence: in (0, 1).

    Returns:
        The share of the scored rows. With clusters the interval is Wilson's at the
        effective sample size (rows over design effect) with Student's t; where all rows
        agree the design effect is unknown and the number of clusters is used instead.

    Source: Korn and Graubard (1998) for the effective sample size. Differs: Wilson's
    interval where they use Clopper and Pearson's.
    """
    rows = complete_rows(clusters, values=values)
    (kept,), groups, n, unscored = rows.columns, rows.clusters, rows.n, rows.unscored
    if not np.isin(kept, (0, 1)).all():
        raise DataError("`values` must be 0, 1 or NaN")
    hits = int(kept.sum())
    if clusters is None or n == 0:
        return wilson(hits, n, confidence=confidence, unscored=unscored)
    method = describe("wilson-clustered", 1, f"{confidence:.4g}", f"clusters:{groups.count}")
    if groups.count < 2:
        reason = "an interval needs at least 2 clusters"
        return _share(hits / n, NO_INTERVAL, hits, n, unscored, method, groups.count, reason)
    effective = _effective_n(kept, groups)
    critical = float(stdtrit(groups.count - 1, (1 + confidence) / 2))
    ends = wilson_ends(hits / n, effective, critical)
    return _share(hits / n, ends, hits, n, unscored, method, groups.count)


def wilson_ends(p: float, n: float, z: float) -> tuple[float, float]:
    """Wilson's interval of a share `p` of `n` independent trials, which may be a fraction.

    Args:
        z: the critical value.
    """
    centre = (p + z**2 / (2 * n)) / (1 + z**2 / n)
    reach = z / (1 + z**2 / n) * np.sqrt(p * (1 - p) / n + z**2 / (4 * n**2))
    low = 0.0 if p == 0 else max(0.0, float(centre - reach))
    high = 1.0 if p == 1 else min(1.0, float(centre + reach))
    return low, high


def _effective_n(values: FloatArray, groups: Clusters) -> float:
    n, p, count = len(values), values.mean(), groups.count
    if p in (0, 1):
        return float(count)
    residuals = groups.sums((values - p)[:, None])[:, 0]
    variance = count / (count - 1) * np.sum(residuals**2) / n**2
    return float(min(n, max(1.0, p * (1 - p) / variance))) if variance > 0 else float(n)


def _share(
    value: float,
    ends: tuple[float, float],
    count: int,
    n: int,
    unscored: int,
    method: str,
    clusters: int,
    reason: str | None = None,
) -> Share:
    signature = sign_text(method)
    return Share(value, ends, n, unscored, reason, signature, method, clusters, count=count)


def mean(
    values: ArrayLike,
    *,
    clusters: ArrayLike | None = None,
    interval: Interval = JACKKNIFE,
) -> Estimate:
    """Return the mean with an interval; whole clusters are the independent units.

    Args:
        values: (N,); NaN is missing.
        clusters: (N,) labels, or None when every row is independent.
        interval: how it is made; the default is Student's t when there are no clusters.

    >>> result = mean([1.0, 2.0, 3.0, float("nan")])
    >>> result.estimate, result.n, result.unscored
    (2.0, 3, 1)
    """
    rows = complete_rows(clusters, values=values)
    if rows.n == 0:
        return missing("mean", 1, "no values", unscored=rows.unscored)
    (kept,) = rows.columns
    centre = float(kept.mean())
    columns = np.stack([np.ones_like(kept), kept - centre], axis=1)

    def function(sums: FloatArray) -> FloatArray:
        return centre + ratio(sums[..., 1], sums[..., 0])

    exact = replace(of_sums(columns, function, rows.clusters), value=centre)
    return estimate("mean", exact, n=rows.n, unscored=rows.unscored, interval=interval)


def bootstrap_of(
    statistic: Callable[..., float],
    columns: tuple[ArrayLike, ...],
    *,
    clusters: ArrayLike | None = None,
    interval: Interval = PERCENTILE,
    name: str = "statistic",
) -> Estimate:
    """Return any statistic of some columns, with a bootstrap interval over rows or clusters.

    Args:
        statistic: called with one array a column; NaN where undefined.
        columns: each (N,) of any type; rows are kept together, missing ones as well.
        clusters: (N,) labels; whole clusters are drawn.
        interval: how it is made.
        name: stands in the signature.
    """
    arrays = [np.asarray(column) for column in columns]
    n = same_length(**{f"columns[{at}]": array for at, array in enumerate(arrays)})
    if n == 0:
        return missing(name, 1, "no values")
    groups = grouped(clusters, np.ones(n, dtype=bool))
    codes = np.arange(n) if groups.codes is None else groups.codes
    members = np.split(np.argsort(codes, kind="stable"), np.bincount(codes).cumsum()[:-1])

    def at(weights: FloatArray) -> FloatArray:
        values = np.empty(len(weights))
        for row, counts in enumerate(weights.astype(int)):
            drawn = np.repeat(np.arange(groups.count), counts)
            rows = np.concatenate([members[cluster] for cluster in drawn])
            values[row] = statistic(*(array[rows] for array in arrays))
        return values

    def left_out() -> FloatArray:
        return at(np.ones((groups.count, groups.count)) - np.eye(groups.count))

    resampled = Resampled(float(statistic(*arrays)), groups.count, at, left_out)
    return estimate(name, resampled, n=n, interval=interval)


def ratio(top: FloatArray, bottom: FloatArray) -> FloatArray:
    """Elementwise quotient, NaN where the denominator is 0."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(np.where(bottom == 0, np.nan, top / bottom), dtype=np.float64)
