"""How a calibrator is to be fitted: what `assize calibrate fit` asks, for every kind."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from assize.errors import ConfigError

Personal = Literal["all", "last"]
"""What is each rater's own: slopes too, or only the level and the use of the scale."""

SEARCH = ("grid", "folds", "seeds", "dropout", "answer_embeddings")


@dataclass(frozen=True, slots=True)
class FitOptions:
    """What can be chosen; None where a kind decides, or has no use for it.

    Args:
        personal: see `Personal`.
        grid: settings of a network that are searched: `small`, or `published`.
        folds: parts of that search, by item: 5.
        seeds: networks that are averaged: 1.
        dropout: share of forms trained without their rater: 0.
        answer_embeddings: numbers an answer, of questions with many answers.
        seed: of folds, and the first one of networks.

    Raises:
        ConfigError: `personal` is neither.
    """

    personal: Personal = "all"
    grid: str | None = None
    folds: int | None = None
    seeds: int | None = None
    dropout: float | None = None
    answer_embeddings: int | None = None
    seed: int = 0

    def __post_init__(self) -> None:
        if self.personal not in ("all", "last"):
            raise ConfigError(f"--personal {self.personal}: allowed are all and last")

    def check_no_search(self) -> None:
        """Raises ConfigError where an option of a search is given and nothing is searched."""
        for name in SEARCH:
            if getattr(self, name) is not None:
                option = "--" + name.replace("_", "-")
                raise ConfigError(f"{option} is for --network paper; the default needs no search")
