"""Several models averaged: `sum of shares times what each says`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from assize.reference.ensemble.models.model import Model
from assize.stats.arrays import FloatArray


@dataclass(frozen=True, slots=True, eq=False)
class Blend:
    """A weighted mean of models that predict the same.

    Args:
        members: no blends themselves.
        shares: one a member; they add up to 1.
    """

    kind: ClassVar[str] = "blend"

    members: tuple[Model, ...]
    shares: tuple[float, ...]

    def predict(self, z: FloatArray) -> FloatArray:
        """See `Model`."""
        return np.asarray(sum(part * one.predict(z) for part, one in self._each()))

    def _each(self) -> list[tuple[float, Model]]:
        return list(zip(self.shares, self.members, strict=True))

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Every member's, after its place."""
        return {
            f"{at}.{name}": array
            for at, one in enumerate(self.members)
            for name, array in one.arrays().items()
        }

    def facts(self) -> Mapping[str, Any]:
        """The members' kinds and shares."""
        return {"members": [one.kind for one in self.members], "shares": list(self.shares)}
