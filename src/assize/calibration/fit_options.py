"""How a calibrator is to be fitted: what `assize calibrate fit` asks, for every kind."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from typing import Literal

from assize.errors import ConfigError

Personal = Literal["all", "last"]
"""What is each rater's own: slopes too, or only the level and the use of the scale."""

RANGES = {
    "folds": (2, inf),
    "seeds": (1, inf),
    "dropout": (0.0, 0.9),
    "answer_embeddings": (1, inf),
    "start": (0.001, 10.0),
    "mask_questions": (0.0, 0.9),
}
SEARCH = (
    "grid",
    "folds",
    "seeds",
    "dropout",
    "answer_embeddings",
    "start",
    "mask_questions",
    "privacy",
    "delta",
    "privacy_unit",
)


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
        mask_questions: share of the questions that a network's training rows hide: 0.
        privacy: epsilon of differential privacy that a network's training keeps within.
        delta: of the same: 1e-5.
        privacy_unit: what it protects: a form, or all of a rater's.
        seed: of folds, and the first one of networks.
        start: standard deviation of a network's first weights: searched.

    Raises:
        ConfigError: a choice is not among those allowed, or a number is outside its range.
    """

    personal: Personal = "all"
    grid: str | None = None
    folds: int | None = None
    seeds: int | None = None
    dropout: float | None = None
    answer_embeddings: int | None = None
    seed: int = 0
    start: float | None = None
    mask_questions: float | None = None
    privacy: float | None = None
    delta: float | None = None
    privacy_unit: Literal["form", "rater"] | None = None

    def __post_init__(self) -> None:
        if self.personal not in ("all", "last"):
            raise ConfigError(f"personal {self.personal}: allowed are all and last", "personal")
        for name, (least, most) in RANGES.items():
            given = getattr(self, name)
            if given is not None and not least <= given <= most:
                allowed = f"at least {least}" if most == inf else f"{least:g} to {most:g}"
                raise ConfigError(f"{name}: received {given}, allowed is {allowed}")

    def check_private(self) -> None:
        """Raises ConfigError where an option does not go with privacy, or stands alone."""
        if self.privacy is None:
            for name in ("delta", "privacy_unit"):
                if getattr(self, name) is not None:
                    raise ConfigError(f"{name} goes with privacy; give its epsilon")
            return
        for name in SEARCH:
            if getattr(self, name) is not None and not name.startswith(("privacy", "delta")):
                raise ConfigError(
                    f"{name} does not go with privacy: settings are not searched, since a search"
                    " reads the ratings too"
                )

    def check_no_search(self) -> None:
        """Raises ConfigError where an option of a search is given and nothing is searched."""
        for name in SEARCH:
            if getattr(self, name) is not None:
                raise ConfigError(f"{name} is for network paper; the default needs no search")
