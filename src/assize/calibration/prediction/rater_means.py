"""What was predicted of each rater, on average: gathered row by row."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from assize.judgment import Judgment
from assize.stats.estimate import nullable

NAN = float("nan")


@dataclass(slots=True)
class RaterMean:
    """One rater's predictions: how many, and the means of scores and entropies.

    Args:
        n, unscored: items that were predicted, and that were not.
    """

    n: int = 0
    unscored: int = 0
    _mean: float = 0.0
    _squares: float = 0.0
    _entropy: float = 0.0

    def add(self, row: Judgment) -> None:
        """One more prediction."""
        if row.unscored is not None:
            self.unscored += 1
            return
        score = NAN if row.score is None else row.score
        self.n += 1
        apart = score - self._mean  # Welford (1962): squares of large numbers would swallow it
        self._mean += apart / self.n
        self._squares += apart * (score - self._mean)
        self._entropy += row.details["entropy"] if row.details else NAN

    @property
    def mean(self) -> float:
        """Of the scores; NaN without any."""
        return self._mean if self.n else NAN

    @property
    def deviation(self) -> float:
        """Standard deviation of the scores over the items."""
        return float((self._squares / self.n) ** 0.5) if self.n else NAN

    @property
    def entropy(self) -> float:
        """Mean entropy, in nats."""
        return self._entropy / self.n if self.n else NAN

    def to_json(self) -> dict[str, Any]:
        """As it stands in `--json`."""
        figures = {"mean": self.mean, "deviation": self.deviation, "entropy": self.entropy}
        plain = {name: nullable(value) for name, value in figures.items()}
        return {"n": self.n, "unscored": self.unscored, **plain}


@dataclass(slots=True)
class RaterMeans:
    """All raters' predictions, in order of appearance."""

    by_rater: dict[str, RaterMean] = field(default_factory=dict)

    def add(self, row: Judgment) -> None:
        """One more prediction, by `calibration:<rater>`."""
        self.by_rater.setdefault(row.judge.partition(":")[2], RaterMean()).add(row)

    @property
    def unscored(self) -> int:
        """Predictions that could not be made."""
        return sum(one.unscored for one in self.by_rater.values())

    def to_json(self) -> Mapping[str, Any]:
        """By rater."""
        return {rater: one.to_json() for rater, one in self.by_rater.items()}
