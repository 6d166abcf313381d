"""Checks of what comes in (shapes, infinities, missing values, clusters); sums by group."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from assize.base.errors import DataError

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]


_LARGEST = 1e150


def numbers(values: ArrayLike, name: str, *, dimensions: int = 1) -> FloatArray:
    """The values as floats; NaN (or None) marks a missing one."""
    try:
        array = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise DataError(f"`{name}` must hold numbers ({error})") from error
    if array.ndim != dimensions:
        raise DataError(f"`{name}` must have {dimensions} dimension(s); its shape is {array.shape}")
    if np.isinf(array).any():
        raise DataError(f"`{name}` holds an infinite value; a missing one is written NaN")
    if (np.abs(array) > _LARGEST).any():
        raise DataError(f"`{name}` holds a value beyond {_LARGEST:g}, whose square is no number")
    return array


def same_length(**named: NDArray[Any]) -> int:
    """The common length; raises DataError naming the arguments that differ."""
    lengths = {name: len(array) for name, array in named.items()}
    if len(set(lengths.values())) > 1:
        shown = ", ".join(f"`{name}` has {length}" for name, length in lengths.items())
        raise DataError(f"arguments of one length are needed: {shown}")
    return next(iter(lengths.values()))


@dataclass(frozen=True, slots=True)
class Clusters:
    """Which rows belong together; `codes` is None when every row stands for itself."""

    codes: IntArray | None
    count: int

    def sums(self, columns: FloatArray) -> FloatArray:
        """Sums of (rows N, columns K) within each cluster: (clusters G, K)."""
        if self.codes is None:
            return columns
        sums = np.empty((self.count, columns.shape[1]))
        for at, column in enumerate(columns.T):
            sums[:, at] = np.bincount(self.codes, column, self.count)
        return sums

    def spread(self, weights: FloatArray) -> FloatArray:
        """Weights of clusters (..., G) as weights of rows (..., N)."""
        return weights if self.codes is None else weights[..., self.codes]


def grouped(
    clusters: ArrayLike | None, keep: NDArray[np.bool_], name: str = "clusters"
) -> Clusters:
    """The clusters of the rows that are kept: labels (N,), or None for one a row."""
    if clusters is None:
        return Clusters(None, int(keep.sum()))
    labels = np.asarray(clusters)
    if labels.shape != keep.shape:
        raise DataError(f"`{name}` must have shape {keep.shape}; it has {labels.shape}")
    labels = labels[keep]
    if labels.dtype == object:
        absent = any(label is None or label != label for label in labels.tolist())
        labels = labels.astype(str)
    else:
        absent = labels.dtype.kind == "f" and bool(np.isnan(labels).any())
    if absent:
        raise DataError(f"`{name}` holds NaN or None: every row needs a cluster")
    found, codes = np.unique(labels, return_inverse=True)
    return Clusters(codes.astype(np.int64).reshape(-1), len(found))


@dataclass(frozen=True, slots=True)
class Rows:
    """Columns without the rows in which one of them is missing.

    Args:
        columns: each (n,).
        keep: (N,) which rows are left.
        clusters: of the rows that are left.
        n, unscored: rows that are left, and that are not.
    """

    columns: Sequence[FloatArray]
    keep: NDArray[np.bool_]
    clusters: Clusters
    n: int
    unscored: int


def complete_rows(clusters: ArrayLike | None = None, **columns: ArrayLike) -> Rows:
    """Return the rows of which no column is missing; the columns' names stand in errors.

    Args:
        clusters: (N,) labels of rows that are not independent.
        columns: each (N,); NaN is missing.
    """
    arrays = {name: numbers(values, name) for name, values in columns.items()}
    same_length(**arrays)
    keep = np.asarray(~np.isnan(np.stack(list(arrays.values()))).any(axis=0))
    kept = [array[keep] for array in arrays.values()]
    n = int(keep.sum())
    return Rows(kept, keep, grouped(clusters, keep), n, len(keep) - n)


def categories(values: ArrayLike, name: str) -> tuple[NDArray[Any], IntArray]:
    """The distinct values in order, and each value's place among them; -1 where NaN, None or ""."""
    array = np.asarray(values)
    if array.ndim != 1:
        raise DataError(f"`{name}` must have 1 dimension(s); its shape is {array.shape}")
    if array.dtype == object:
        blank = np.array([value is None or value != value for value in array], dtype=bool)
        array = np.where(blank, "", array).astype(str)
    if array.dtype.kind in "US":
        absent = array == ""
    else:
        array = numbers(array, name)
        absent = np.isnan(array)
    found, inverse = np.unique(array[~absent], return_inverse=True)
    codes = np.full(len(array), -1, dtype=np.int64)
    codes[~absent] = inverse
    return found, codes


def sum_rows(values: FloatArray, group: IntArray, count: int) -> FloatArray:
    """Sums (count, ...) of the rows (N, ...) of each group (N,), 0..count-1."""
    total = np.zeros((count, *values.shape[1:]))
    np.add.at(total, group, values)
    return total
