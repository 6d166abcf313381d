"""The names of the shipped evaluator's features, by which tests pick them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from assize.evaluator._features import exchanges, turns
from assize.evaluator._features.manner import MANNER
from assize.evaluator._features.surface import SHAPE

PARTS: Mapping[str, Sequence[str]] = {
    "similarity": turns.SIMILARITY,
    "shape": SHAPE,
    "belonging": exchanges.BELONGING,
    "manner": MANNER,
    "answer": exchanges.ANSWER,
}


def exchange_names(dimension: int) -> list[str]:
    """Name every feature, for instance `belonging.answers_own` or `product.17`."""
    return [
        f"{block}.{part}"
        for block, width in exchanges.widths(dimension).items()
        for part in PARTS.get(block, [str(index) for index in range(width)])
    ]
