"""The linear head: standardised features, and one weight a feature and question."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np

from assize.base.errors import DataError
from assize.base.record_parts import divides
from assize.evaluator._features.featuriser import Features
from assize.stats._arrays import FloatArray

CLIP = 5.0  # standard deviations: how far outside the training data a feature can pull


@dataclass(frozen=True, slots=True, eq=False)
class Scaling:
    """How features are standardised: mean (F,) and standard deviation (F,)."""

    center: FloatArray
    scale: FloatArray

    def __post_init__(self) -> None:
        if self.center.ndim != 1 or self.center.shape != self.scale.shape:
            raise DataError("features need a mean and a deviation each")
        if not divides(self.scale):
            raise DataError("a deviation of features is not above 0")

    def __call__(self, rows: FloatArray) -> FloatArray:
        """Rows (N, F) in standard deviations, within +-CLIP; a missing feature is 0."""
        standard = (rows - self.center) / self.scale
        return np.clip(np.nan_to_num(standard, nan=0.0), -CLIP, CLIP)


@dataclass(frozen=True, eq=False)
class Linear:
    """One weighted sum a question, see `Head`."""

    scaling: Scaling  # of the features
    weights: Mapping[str, FloatArray]  # by question, (F,) on standardised features

    kind: ClassVar[str] = "linear"

    def __post_init__(self) -> None:
        for question, weight in self.weights.items():
            if weight.shape != (self.width,):
                raise DataError(
                    f"{question!r} has weights of shape {weight.shape}; needed is ({self.width},)"
                )

    @property
    def width(self) -> int:
        """How many features it reads."""
        return len(self.scaling.center)

    @property
    def questions(self) -> tuple[str, ...]:
        """Ids, in the order of the weights."""
        return tuple(self.weights)

    @cached_property
    def _matrix(self) -> FloatArray:
        """The weights side by side, (F, H)."""
        return np.stack(list(self.weights.values()), axis=1)

    def raw(self, rows: Sequence[Features] | FloatArray) -> FloatArray:
        """Raw numbers (N, H) of rows (N, F)."""
        if len(rows) == 0:
            return np.empty((0, len(self.weights)))
        return np.asarray(self.scaling(np.asarray(rows)) @ self._matrix)
