"""Moments and roots of arrays with gaps."""

from __future__ import annotations

import numpy as np

from assize.calibrate._data.features import FloatArray


def moments(raw: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Mean and deviation of each column's known values; a deviation of 0 counts as 1."""
    known = ~np.isnan(raw)
    count = np.maximum(known.sum(axis=0), 1)
    center = np.where(known, raw, 0).sum(axis=0) / count
    spread = np.sqrt((np.where(known, raw - center, 0) ** 2).sum(axis=0) / count)
    return center, np.where(spread > 0, spread, 1.0)


def root_of(covariance: FloatArray) -> FloatArray:
    """A root (..., D, D) of a covariance, whose eigenvalues below 0 count as 0: root @ root.T."""
    values, vectors = np.linalg.eigh(covariance)
    return np.asarray(vectors * np.sqrt(np.maximum(values, 0))[..., None, :])
