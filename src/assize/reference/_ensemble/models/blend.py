"""Several models averaged: `sum of shares times what each says`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from assize.base.errors import DataError
from assize.reference._ensemble.models.model import StoredModel
from assize.stats._arrays import FloatArray


@dataclass(frozen=True, slots=True, eq=False)
class Blend:
    """A weighted mean of models that predict the same.

    Args:
        members: no blends themselves.
        shares: one a member; they add up to 1.
    """

    kind: ClassVar[str] = "blend"

    members: tuple[StoredModel, ...]
    shares: tuple[float, ...]

    def __post_init__(self) -> None:
        if not self.members or len(self.members) != len(self.shares):
            raise DataError("a blend needs a share for each of its members")
        if any(isinstance(member, Blend) for member in self.members):
            raise DataError("a member of a blend is no blend itself")

    def predict(self, z: FloatArray) -> FloatArray:
        """See `Model`."""
        predictions = [member.predict(z) for member in self.members]
        return np.asarray(sum(map(np.multiply, self.shares, predictions)))

    def fits(self, metrics: int) -> bool:
        """See `Model`."""
        return all(member.fits(metrics) for member in self.members)
