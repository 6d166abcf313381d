"""What a model of an ensemble is: numbers in, one number out.

All read standardised metrics: deviations from the mean of what was fitted on. So 0 everywhere is
the average continuation.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Protocol

from numpy.typing import NDArray

from assize.stats.arrays import FloatArray


class Model(Protocol):
    """A fitted model; a frozen dataclass of arrays."""

    kind: ClassVar[str]

    def predict(self, z: FloatArray) -> FloatArray:
        """(N,) from standardised metrics (N, M) without NaN."""
        ...

    def arrays(self) -> dict[str, NDArray[Any]]:
        """What is kept, by name."""
        ...

    def facts(self) -> Mapping[str, Any]:
        """What is kept besides, as JSON values."""
        ...
