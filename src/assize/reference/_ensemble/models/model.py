"""What a model of an ensemble is: numbers in, one number out.

All read standardised metrics: deviations from the mean of what was fitted on. So 0 everywhere is
the average continuation.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, ClassVar, Protocol

from assize.base.record_parts import Kinds
from assize.stats._arrays import FloatArray

MODELS: Mapping[str, str] = {
    "blend": "assize.reference._ensemble.models.blend:Blend",
    "kernel": "assize.reference._ensemble.models.kernel:Kernel",
    "linear": "assize.reference._ensemble.models.linear:Linear",
    "trees": "assize.reference._ensemble.models.trees:Trees",
}
"""By kind; to add one, write it in a file beside this one, and add its row."""


class Model(Protocol):
    """A fitted model; a frozen dataclass of numbers and arrays, and stored as such."""

    kind: ClassVar[str]  # its row in `MODELS`

    def predict(self, z: FloatArray) -> FloatArray:
        """(N,) from standardised metrics (N, M) without NaN."""
        ...

    def fits(self, metrics: int) -> bool:
        """Whether it reads so many metrics."""
        ...


StoredModel = Annotated[Model, Kinds(MODELS)]
"""The type of a field that holds a model of any kind."""
