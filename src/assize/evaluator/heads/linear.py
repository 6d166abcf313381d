"""The linear head: standardised features, and one weight a feature and question."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from assize.artefacts import divides
from assize.errors import DataError
from assize.evaluator.features.featuriser import Features
from assize.evaluator.features.surface import FloatArray
from assize.evaluator.heads.head import finite

CLIP = 5.0  # standard deviations: how far outside the training data a feature can pull


@dataclass(frozen=True, slots=True, eq=False)
class Scaling:
    """How features are standardised: mean (F,) and standard deviation (F,)."""

    center: FloatArray
    scale: FloatArray

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
    settings: ClassVar[Mapping[str, Any]] = {}

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

    def arrays(self) -> dict[str, NDArray[np.float32]]:
        """`center`, `scale`, and `weight.QUESTION` each, all (F,)."""
        named = {f"weight.{question}": weight for question, weight in self.weights.items()}
        found = {"center": self.scaling.center, "scale": self.scaling.scale} | named
        return {name: array.astype(np.float32) for name, array in found.items()}

    @classmethod
    def of_arrays(
        cls,
        arrays: Mapping[str, NDArray[Any]],
        questions: Sequence[str],
        settings: Mapping[str, Any],
        width: int,
    ) -> Linear:
        """The head that was kept as these, see `Head`."""
        scaling = Scaling(*(finite(arrays, name, width) for name in ("center", "scale")))
        if not divides(scaling.scale):
            raise DataError("`scale` holds what is not above 0")
        return cls(scaling, {name: finite(arrays, f"weight.{name}", width) for name in questions})
