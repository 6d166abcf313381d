"""From features to one raw number a question: the protocol of heads, and their table.

A head may be anything that is settings and arrays: linear weights, or a network that answers
several questions at once. It is kept as those and nothing else, so that nothing that is opened
can run. What its raw numbers mean is said by a `ScoredQuestion` each.

Letters: N views, H questions.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Any, Protocol, Self

import numpy as np
from numpy.typing import NDArray

from assize.artefacts import finite as all_finite
from assize.errors import DataError
from assize.evaluator.features.featuriser import Features
from assize.evaluator.features.surface import FloatArray

HEADS: Mapping[str, str] = {
    "linear": "assize.evaluator.heads.linear:Linear",
    "network": "assize.evaluator.heads.network:Network",
}


class Head(Protocol):
    """What an evaluator puts behind its encoder and its featuriser."""

    @property
    def kind(self) -> str:
        """Its row in `HEADS`."""
        ...

    @property
    def questions(self) -> Sequence[str]:
        """Ids, in the order of the columns of `raw`."""
        ...

    @property
    def settings(self) -> Mapping[str, Any]:
        """What beside the arrays can change a number, as JSON values."""
        ...

    def arrays(self) -> Mapping[str, NDArray[Any]]:
        """Its numbers as they are kept; no name begins with `map.`."""
        ...

    @classmethod
    def of_arrays(
        cls,
        arrays: Mapping[str, NDArray[Any]],
        questions: Sequence[str],
        settings: Mapping[str, Any],
        width: int,
    ) -> Self:
        """The head that was kept as these, for rows of `width` features."""
        ...

    def raw(self, rows: Sequence[Features] | FloatArray) -> FloatArray:
        """Raw numbers (N, H), higher being better, of the features of each of N views."""
        ...


def open_head(
    kind: str,
    arrays: Mapping[str, NDArray[Any]],
    questions: Sequence[str],
    settings: Mapping[str, Any],
    width: int,
) -> Head:
    """The head of a kind that was kept as these; otherwise as `Head.of_arrays`."""
    if kind not in HEADS:
        known = ", ".join(HEADS)
        raise DataError(f"head {kind!r} is not known to this version; known: {known}")
    module, _, made = HEADS[kind].partition(":")
    home: type[Head] = getattr(import_module(module), made)
    return home.of_arrays(arrays, questions, settings, width)


def finite(arrays: Mapping[str, NDArray[Any]], name: str, *shape: int) -> FloatArray:
    """An array that was kept, as 64-bit numbers."""
    if name not in arrays:
        raise DataError(f"there is no array `{name}`")
    with np.errstate(invalid="ignore"):  # a NaN of the signalling kind
        found = arrays[name].astype(np.float64)
    if found.shape != shape or not all_finite(found):
        problem = f"`{name}` has shape {found.shape} or holds no finite number; needed is {shape}"
        raise DataError(problem)
    return found
