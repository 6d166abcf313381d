"""Ranks with ties, ranks in weighted samples, and the influence function of Spearman's rho."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from assize.stats._arrays import FloatArray, IntArray


class Levels(NamedTuple):
    """A column in sorted order; `starts` is where each run of equal values begins."""

    order: IntArray  # (N,) rows, lowest first
    starts: IntArray  # (L,) into `order`
    codes: IntArray  # (N,) level of each row


def levels(values: FloatArray) -> Levels:
    """The runs of equal values of a column (N,) without missing ones."""
    order = np.argsort(values, kind="stable")
    ordered = values[order]
    first = np.ones(len(values), dtype=bool)
    first[1:] = ordered[1:] != ordered[:-1]
    codes = np.empty(len(values), dtype=np.int64)
    codes[order] = np.cumsum(first) - 1
    return Levels(order, np.flatnonzero(first), codes)


def midranks(values: FloatArray) -> FloatArray:
    """Ranks from 1; equal values share the mean of their ranks.

    >>> midranks(np.array([10.0, 20.0, 20.0, 5.0])).tolist()
    [2.0, 3.5, 3.5, 1.0]
    """
    found = levels(values)
    ends = np.append(found.starts[1:], len(values))
    return np.asarray(((found.starts + ends + 1) / 2)[found.codes])


def weighted_midranks(found: Levels, weights: FloatArray) -> FloatArray:
    """Mid-ranks, less a constant, of samples in which row i stands `weights[b, i]` times."""
    by_level = weights[:, found.order]
    if len(found.starts) < by_level.shape[1]:
        by_level = np.add.reduceat(by_level, found.starts, axis=1)
    below = np.cumsum(by_level, axis=1)
    below -= by_level / 2
    return below[:, found.codes]


def weighted_spearman(x: FloatArray, y: FloatArray) -> Callable[[FloatArray], FloatArray]:
    """Spearman's rho of the rows (N,) as a function of weights (B, N)."""
    in_x, in_y = levels(x), levels(y)

    def at(weights: FloatArray) -> FloatArray:
        u, v = weighted_midranks(in_x, weights), weighted_midranks(in_y, weights)
        total = weights.sum(axis=1, keepdims=True)
        u -= total / 2  # the weighted mean of mid-ranks is half the total
        v -= total / 2
        weighted_u = weights * u
        xx, yy, xy = (
            np.einsum("bn,bn->b", *pair)
            for pair in ((weighted_u, u), (weights * v, v), (weighted_u, v))
        )
        with np.errstate(divide="ignore", invalid="ignore"):
            value = xy / np.sqrt(xx * yy)
        flat = np.minimum(xx, yy) <= 1e-12 * total[:, 0] ** 3
        return np.asarray(np.where(flat, np.nan, np.clip(np.round(value, 15), -1, 1)))

    return at


def influence(x: FloatArray, y: FloatArray) -> FloatArray:
    """Influence of each row (N,) on Spearman's rho; its mean is 0.

    With u, v the mid-distribution functions less 1/2, rho = E[uv] / sqrt(E[uu] E[vv]), and
    a row at (x, y) moves E[uv] by u v + E[H(x, X) v] + E[u H(y, Y)] less thrice its value,
    H being 1 below, 1/2 at and 0 above: the row counts itself and shifts others' ranks.
    """
    n = len(x)
    in_x, in_y = levels(x), levels(y)
    u, v = (midranks(column) - (n + 1) / 2 for column in (x, y))
    u, v = u / n, v / n
    cov, var_u, var_v = (float(np.mean(product)) for product in (u * v, u * u, v * v))
    d_cov = u * v + _above(in_x, v) + _above(in_y, u) - 3 * cov
    d_u = u * u + 2 * _above(in_x, u) - 3 * var_u
    d_v = v * v + 2 * _above(in_y, v) - 3 * var_v
    rho = cov / np.sqrt(var_u * var_v)
    return np.asarray(d_cov / np.sqrt(var_u * var_v) - rho / 2 * (d_u / var_u + d_v / var_v))


def _above(found: Levels, values: FloatArray) -> FloatArray:
    """Mean over rows of `values` counted 1 above, 1/2 at and 0 below each row's level."""
    by_level = np.add.reduceat(values[found.order], found.starts)
    above = by_level[::-1].cumsum()[::-1] - by_level / 2
    return np.asarray(above[found.codes] / len(values))
