"""A weighted sum: least squares and ridge regression, fitted here in closed form."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from assize.stats._arrays import FloatArray, IntArray

PENALTIES = tuple(10.0**power for power in np.arange(-1, 5.01, 0.5))
"""Of ridge regression, on standardised metrics; the sum of squares counts once a row."""


@dataclass(frozen=True, slots=True, eq=False)
class Linear:
    """`z @ coefficients + intercept`.

    Args:
        coefficients: (M,) of standardised metrics: the change with one deviation.
    """

    kind: ClassVar[str] = "linear"

    coefficients: FloatArray
    intercept: float

    def predict(self, z: FloatArray) -> FloatArray:
        """See `Model`."""
        return np.asarray(z @ self.coefficients + self.intercept)

    def fits(self, metrics: int) -> bool:
        """See `Model`."""
        return self.coefficients.shape == (metrics,)


def fit_linear(z: FloatArray, y: FloatArray, weights: FloatArray) -> Linear:
    """Least squares (N, M) -> (N,); of several solutions the shortest, as scikit-learn's.

    >>> fit_linear(np.array([[-1.0], [0.0], [1.0]]), np.array([1.0, 3.0, 5.0]), np.ones(3)).predict(
    ...     np.array([[2.0]])).round(9).tolist()
    [7.0]
    """
    middle, mean = _middles(z, y, weights)
    root = np.sqrt(weights)
    found = np.linalg.lstsq((z - middle) * root[:, None], (y - mean) * root, rcond=None)[0]
    return Linear(found.astype(np.float64), float(mean - middle @ found))


def fit_ridge(
    z: FloatArray, y: FloatArray, weights: FloatArray, fold: IntArray
) -> tuple[Linear, float]:
    """Ridge regression with the penalty that predicts held-out folds best.

    Args:
        fold: (N,) which rows are held out together while the penalty is chosen.

    Returns:
        The model on all rows, and its penalty.
    """
    errors = np.zeros(len(PENALTIES))
    for one in np.unique(fold):
        held = fold == one
        if held.all():
            break
        middle, mean, solved = _solved(z[~held], y[~held], weights[~held])
        predicted = solved @ (z[held] - middle).T + mean  # (penalties, rows)
        errors += (weights[held] * (predicted - y[held]) ** 2).sum(axis=1)
    best = int(np.argmin(errors))
    middle, mean, solved = _solved(z, y, weights)
    found = solved[best]
    return Linear(found, float(mean - middle @ found)), PENALTIES[best]


def _solved(
    z: FloatArray, y: FloatArray, weights: FloatArray
) -> tuple[FloatArray, float, FloatArray]:
    """Means of both sides, and coefficients for each penalty (penalties, M)."""
    middle, mean = _middles(z, y, weights)
    centred = z - middle
    values, vectors = np.linalg.eigh((centred * weights[:, None]).T @ centred)
    turned = vectors.T @ (centred.T @ (weights * (y - mean)))
    shrunk = turned / (np.maximum(values, 0) + np.array(PENALTIES)[:, None])
    return middle, mean, shrunk @ vectors.T


def _middles(z: FloatArray, y: FloatArray, weights: FloatArray) -> tuple[FloatArray, float]:
    return np.average(z, axis=0, weights=weights), float(np.average(y, weights=weights))
