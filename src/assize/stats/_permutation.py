"""Permutation tests: sign flips and swaps within clusters; and McNemar's test.

A Monte Carlo p-value is (1 + as extreme) / (1 + permutations), which never rejects too
often (Phipson and Smyth, 2010); its Monte Carlo error is reported beside it. Where there are
no more arrangements than permutations asked for, all are looked at and the test is exact.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import bdtr

from assize.base.errors import DataError
from assize.base.signature import sign_text
from assize.results.numbers import LeastP
from assize.results.types import NAN, Test
from assize.stats._arrays import FloatArray, complete_rows, grouped, numbers, same_length
from assize.stats._estimate import describe, generator_state
from assize.stats._resampling import blocks

_TIE = 1e-10  # relative difference below which two statistics are equal but for rounding


def sign_flip(
    differences: ArrayLike,
    *,
    clusters: ArrayLike | None = None,
    permutations: int = 10_000,
    rng: np.random.Generator,
) -> Test:
    """Test whether the mean of paired differences is 0, by flipping signs cluster by cluster.

    Args:
        differences: (N,) one judge's figure minus the other's on the same row; NaN is missing and
            counts as unscored.
        clusters: (N,) labels; all rows of a cluster are flipped together.
        permutations: number of random flips. If there are no more than that, all 2 ** clusters are
            computed instead.
        rng: draws the flips.

    Returns:
        The mean difference and its two-sided p-value; NaN with a reason without any difference.

    >>> sign_flip([1, 2, 3], rng=np.random.default_rng(0)).p_value
    0.25
    """
    rows = complete_rows(clusters, differences=differences)
    codes = np.arange(rows.n) if rows.clusters.codes is None else rows.clusters.codes
    column = rows.columns[0][:, None]
    (test,) = sign_flips(column, clusters=codes, permutations=permutations, rng=rng)
    return replace(test, unscored=rows.unscored)


def sign_flips(
    differences: ArrayLike,
    *,
    clusters: ArrayLike,
    permutations: int = 10_000,
    rng: np.random.Generator,
) -> list[Test]:
    """Return `sign_flip` of many columns at once, two-sided; all share their random flips.

    Args:
        differences: (N, M) one column a test; NaN is missing and counts as unscored.
        clusters: (N,) labels, the same for all columns; a cluster that a column misses
            altogether is flipped without effect.
        permutations, rng: as in `sign_flip`.

    Returns:
        M tests; NaN with a reason where a column has no difference.
    """
    _check(permutations)
    array = numbers(differences, "differences", dimensions=2)
    known = ~np.isnan(array)
    groups = grouped(clusters, np.ones(len(array), dtype=bool))
    state = generator_state(rng)
    n = known.sum(axis=0)
    sums = groups.sums(np.where(known, array, 0)) / np.maximum(n, 1)  # (clusters, M)
    observed = sums.sum(axis=0)
    drawn = _flips(groups.count, permutations, rng, width=array.shape[1])
    least = np.abs(observed) - _TIE * np.maximum(1e-300, np.abs(observed))
    extreme, seen = np.zeros(array.shape[1], dtype=np.int64), 0
    for flips in drawn.blocks:
        extreme += (np.abs((1 - 2 * flips) @ sums) >= least).sum(axis=0)
        seen += len(flips)
    found = []
    for count, value, rows in zip(extreme.tolist(), observed.tolist(), n.tolist(), strict=True):
        about = Test(NAN, NAN, NAN, n=rows, unscored=len(array) - rows, clusters=groups.count)
        value = value if rows else NAN
        found.append(_outcome("sign_flip", about, value, count, seen, drawn, state))
    return found


def swap(
    statistic: Callable[[FloatArray, FloatArray], FloatArray],
    first: ArrayLike,
    second: ArrayLike,
    *,
    clusters: ArrayLike | None = None,
    permutations: int = 10_000,
    rng: np.random.Generator,
    name: str = "statistic",
) -> Test:
    """Test whether two judges (or systems) can be exchanged, by swapping them cluster by cluster.

    Args:
        statistic: a figure of both that is 0 on average if they are alike, for example a difference
            of correlations; takes two arrays (B, N) and returns (B,).
        first, second: (N,) what each said of the same rows; NaN is passed on.
        clusters: (N,) labels; all rows of a cluster are swapped together.
        permutations, rng: as in `sign_flip`.
        name: of the statistic, for the signature.

    Returns:
        The statistic and its two-sided p-value.
    """
    _check(permutations)
    one, two = numbers(first, "first"), numbers(second, "second")
    n = same_length(first=one, second=two)
    groups = grouped(clusters, np.ones(n, dtype=bool))
    state = generator_state(rng)

    def value_of(flips: FloatArray) -> FloatArray:
        swapped = groups.spread(flips) == 1
        return statistic(np.where(swapped, two, one), np.where(swapped, one, two))

    drawn = _flips(groups.count, permutations, rng, width=n)
    observed = float(value_of(np.zeros((1, groups.count)))[0]) if n else NAN
    least = abs(observed) - _TIE * max(1e-300, abs(observed))
    extreme = seen = 0
    for flips in drawn.blocks if not math.isnan(observed) else ():
        values = value_of(flips)
        extreme += int(np.sum(np.abs(values) >= least))
        seen += int(np.sum(~np.isnan(values)))
    about = Test(NAN, NAN, NAN, n=n, clusters=groups.count)
    return _outcome(f"swap:{name}", about, observed, extreme, seen, drawn, state)


@dataclass(frozen=True, slots=True)
class _Drawn:
    """Arrangements in blocks; an exact set holds the observed one too."""

    blocks: Iterator[NDArray[Any]]
    count: int
    exact: bool


def _flips(count: int, permutations: int, rng: np.random.Generator, width: int = 0) -> _Drawn:
    """Which clusters are flipped: arrays (B, count) of 0 and 1."""
    if count < 60 and 2**count <= permutations:
        bits = np.arange(2**count)[:, None] >> np.arange(count) & 1
        return _Drawn(iter([bits.astype(np.float64)]), 2**count, True)
    sizes = blocks(permutations, max(count, width))
    drawn = (rng.integers(0, 2, (len(size), count), dtype=np.int8) for size in sizes)
    return _Drawn((flips.astype(np.float64) for flips in drawn), permutations, False)


def _outcome(
    name: str, about: Test, observed: float, extreme: int, seen: int, drawn: _Drawn, state: str
) -> Test:
    """The test of what was observed, given in how many arrangements it was as extreme.

    Args:
        about: its n, unscored and clusters.
    """
    reason = None
    if math.isnan(observed):
        reason = "the statistic is undefined on these values"
    elif seen == 0:
        reason = "the statistic is undefined in every arrangement"
    exact = drawn.exact and reason is None
    how = "exact" if exact else f"permutations:{drawn.count if reason is None else 0}"
    clusters = f"clusters:{about.clusters}"
    method = describe(name, 1, "two-sided", how, clusters, None if exact else state)
    about = replace(about, reason=reason, method=method, signature=sign_text(method))
    if reason is not None:
        return about
    p = extreme / seen if exact else (1 + extreme) / (1 + seen)
    error = 0.0 if exact else math.sqrt(p * (1 - p) / seen)
    p = LeastP(p) if extreme == 0 and not exact else p
    return replace(
        about,
        statistic=observed,
        p_value=p,
        monte_carlo_error=error,
        permutations=seen,
        exact=exact,
    )


def _check(permutations: int) -> None:
    if permutations < 1:
        raise DataError(f"`permutations` must be at least 1; it is {permutations}")


def mcnemar(first: ArrayLike, second: ArrayLike) -> Test:
    """Test whether two judges are right equally often on the same items: McNemar's exact test.

    Items must be independent; if conversations are clusters, use `sign_flip`.

    Args:
        first, second: (N,) 1 where the judge is right, 0 where wrong, NaN where unscored.

    Returns:
        The difference of the shares of right answers, and its two-sided p-value. `details` has how
        often only the `first` and only the `second` is right.

    Source: McNemar (1947).
    """
    for name, values in (("first", first), ("second", second)):
        column = numbers(values, name)
        if not np.isin(column[~np.isnan(column)], (0, 1)).all():
            raise DataError(f"`{name}` must be 0, 1 or NaN")
    rows = complete_rows(first=first, second=second)
    (one, two), n, unscored = rows.columns, rows.n, rows.unscored
    method = describe("mcnemar", 1, "exact")
    test = Test(NAN, NAN, n=n, unscored=unscored, method=method, signature=sign_text(method))
    if n == 0:
        return replace(test, reason="no items with both")
    only_first = int(np.sum(one > two))
    only_second = int(np.sum(one < two))
    decided, fewer = only_first + only_second, min(only_first, only_second)
    p = min(1.0, 2 * float(bdtr(fewer, decided, 0.5))) if decided else 1.0
    return replace(
        test,
        statistic=(only_first - only_second) / n,
        p_value=p,
        exact=True,
        clusters=n,
        details={"only_first": only_first, "only_second": only_second},
    )
