"""The card of an evaluator."""

from __future__ import annotations

from pathlib import Path

from assize.evaluator._artefact import open_card
from assize.evaluator._results import ModelCard


def card(evaluator: str | Path = "default") -> ModelCard:
    """Print an evaluator's model card. Default: the shipped one's.

    Args:
        evaluator: folder of a trained evaluator, or default for the shipped one.

    Raises:
        DataError: the folder holds no evaluator.
    """
    return open_card(evaluator)
