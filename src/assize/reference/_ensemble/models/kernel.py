"""A support vector machine with a Gaussian kernel, as its support vectors."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np

from assize.base.errors import DataError
from assize.stats._arrays import FloatArray

CELLS = 4_000_000  # rows times support vectors at once


@dataclass(frozen=True, slots=True, eq=False)
class Kernel:
    """`sum of weights * exp(-width * squared distance) + intercept`.

    Args:
        vectors: (S, M) support vectors.
        weights: (S,) dual coefficients.
        width: of the kernel, scikit-learn's gamma.
    """

    kind: ClassVar[str] = "kernel"

    vectors: FloatArray
    weights: FloatArray
    width: float
    intercept: float

    def __post_init__(self) -> None:
        if self.vectors.ndim != 2 or self.weights.shape != self.vectors.shape[:1]:
            raise DataError("support vectors and weights differ in number")

    def predict(self, z: FloatArray) -> FloatArray:
        """See `Model`."""
        size = max(1, CELLS // max(1, len(self.weights)))
        predicted = np.empty(len(z))
        for start in range(0, len(z), size):
            rows = z[start : start + size]
            squares = (rows**2).sum(axis=1)[:, None] + (self.vectors**2).sum(axis=1)
            away = np.maximum(squares - 2 * rows @ self.vectors.T, 0)
            kernel = np.exp(-self.width * away)
            predicted[start : start + size] = kernel @ self.weights + self.intercept
        return predicted

    def fits(self, metrics: int) -> bool:
        """See `Model`."""
        return len(self.vectors.T) == metrics

    @classmethod
    def of_sklearn(cls, fitted: Any) -> Self:
        """Of scikit-learn's SVR with the kernel `rbf`."""
        return cls(
            np.asarray(fitted.support_vectors_, dtype=np.float64),
            np.asarray(fitted.dual_coef_[0], dtype=np.float64),
            float(fitted._gamma),
            float(fitted.intercept_[0]),
        )
