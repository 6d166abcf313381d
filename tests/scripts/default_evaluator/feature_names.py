"""The names of the shipped evaluator's features, by which tests pick them."""

from __future__ import annotations

from scripts.default_evaluator.corpora import FEATURES

from assize.evaluator._features.blocks import BLOCKS, TurnFeatures


def names(dimension: int, featuriser: TurnFeatures = FEATURES) -> list[str]:
    """Name every feature, for instance `belonging.answers_own` or `product.17`."""
    return [
        f"{block}.{part}"
        for block, width in featuriser.widths(dimension).items()
        for part in BLOCKS[block].names or map(str, range(width))
    ]
