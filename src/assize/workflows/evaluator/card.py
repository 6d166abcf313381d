"""The card of an evaluator."""

from __future__ import annotations

from pathlib import Path

from assize.evaluator.artefact import open_card
from assize.evaluator.results import ModelCard


def evaluator_card(evaluator: str | Path = "default") -> ModelCard:
    """An evaluator's model card; the shipped one's by default.

    Args:
        evaluator: its folder, or default, the shipped one.

    Raises:
        DataError: the folder holds no evaluator.
    """
    return open_card(evaluator)
