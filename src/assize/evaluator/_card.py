"""The card of an evaluator."""

from __future__ import annotations

from pathlib import Path

from assize.evaluator._artefact import open_card
from assize.evaluator._results import ModelCard


def card(evaluator: str | Path = "default") -> ModelCard:
    """An evaluator's model card; the shipped one's by default.

    Args:
        evaluator: its folder, or default, the shipped one.

    Raises:
        DataError: the folder holds no evaluator.
    """
    return open_card(evaluator)
