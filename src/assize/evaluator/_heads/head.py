"""From features to one raw number a question: the protocol of heads, and their table.

A head is a frozen dataclass of settings and arrays: linear weights, or a network that answers
several questions at once. It is stored as those and nothing else (`record_parts`), so that nothing
that is opened can run. What its raw numbers mean is said by a `ScoredQuestion` each.

Letters: N views, H questions.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar, Protocol

from assize.evaluator._features.featuriser import Features
from assize.stats._arrays import FloatArray

HEADS: Mapping[str, str] = {
    "linear": "assize.evaluator._heads.linear:Linear",
    "network": "assize.evaluator._heads.network:Network",
}


class Head(Protocol):
    """What an evaluator puts behind its encoder and its featuriser."""

    kind: ClassVar[str]  # its row in `HEADS`

    @property
    def questions(self) -> Sequence[str]:
        """Ids, in the order of the columns of `raw`."""
        ...

    @property
    def width(self) -> int:
        """How many features it reads of a view."""
        ...

    def raw(self, rows: Sequence[Features] | FloatArray) -> FloatArray:
        """Raw numbers (N, H), higher being better, of the features of each of N views."""
        ...
