"""The corrected head: another head, whose raw numbers are changed by something linear.

Letters: N views, F features, H questions.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from assize.artefacts import divides
from assize.errors import DataError
from assize.evaluator.features.featuriser import Features
from assize.evaluator.features.surface import FloatArray
from assize.evaluator.heads.head import Head, finite, open_head
from assize.evaluator.heads.linear import Scaling


@dataclass(frozen=True, eq=False)
class Corrected:
    """raw numbers = inner head's @ mix + standardised features @ weights, see `Head`.

    Args:
        inner: any head.
        scaling: of the features.
        mix: (H, H) one column a question; the unit matrix changes nothing.
        weights: (F, H).
    """

    inner: Head
    scaling: Scaling
    mix: FloatArray
    weights: FloatArray

    kind: ClassVar[str] = "corrected"

    @property
    def questions(self) -> Sequence[str]:
        """Those of the inner head."""
        return self.inner.questions

    @property
    def settings(self) -> Mapping[str, Any]:
        """Which head is inside."""
        return {"kind": self.inner.kind, "settings": dict(self.inner.settings)}

    def raw(self, rows: Sequence[Features] | FloatArray) -> FloatArray:
        """Raw numbers (N, H)."""
        found = self.inner.raw(rows) @ self.mix
        features = self.scaling(np.asarray(rows, np.float64).reshape(-1, len(self.weights)))
        return np.asarray(found + features @ self.weights)

    def arrays(self) -> dict[str, NDArray[Any]]:
        """`correction.*`, and the inner head's as `inner.*`."""
        own = {
            "center": self.scaling.center,
            "scale": self.scaling.scale,
            "mix": self.mix,
            "weights": self.weights,
        }
        found: dict[str, NDArray[Any]] = {
            f"correction.{name}": one.astype(np.float32) for name, one in own.items()
        }
        return found | {f"inner.{name}": one for name, one in self.inner.arrays().items()}

    @classmethod
    def of_arrays(
        cls,
        arrays: Mapping[str, NDArray[Any]],
        questions: Sequence[str],
        settings: Mapping[str, Any],
        width: int,
    ) -> Corrected:
        """The head that was kept as these, see `Head`."""
        if settings["kind"] == cls.kind:
            raise DataError("a corrected head holds one that is not corrected")
        within = {
            name.removeprefix("inner."): one
            for name, one in arrays.items()
            if name.startswith("inner.")
        }
        inner = open_head(settings["kind"], within, questions, settings["settings"], width)
        center, scale = (
            finite(arrays, f"correction.{name}", width) for name in ("center", "scale")
        )
        if not divides(scale):
            raise DataError("`correction.scale` holds what is not above 0")
        count = len(questions)
        mix = finite(arrays, "correction.mix", count, count)
        weights = finite(arrays, "correction.weights", width, count)
        return cls(inner, Scaling(center, scale), mix, weights)
