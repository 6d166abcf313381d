"""What was predicted of each rater, on average: gathered row by row."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from assize.judgment import Judgment
from assize.stats.estimate import NAN, nullable


@dataclass(slots=True)
class RaterMean:
    """One rater's predictions.

    Args:
        n, unscored: items that were predicted, and that were not.
        mean: of the scores; NaN where one has none.
        squares, nats: sums of squared deviations from it, and of entropies.
    """

    n: int = 0
    unscored: int = 0
    mean: float = NAN
    squares: float = 0.0
    nats: float = 0.0

    def add(self, row: Judgment) -> None:
        """One more prediction."""
        if row.unscored is not None or row.details is None:
            self.unscored += 1
            return
        score = NAN if row.score is None else row.score
        before = self.mean if self.n else 0.0
        self.n += 1
        # Welford (1962): sums of squares of large numbers would swallow their differences.
        self.mean = before + (score - before) / self.n
        self.squares += (score - before) * (score - self.mean)
        self.nats += row.details["entropy"]

    @property
    def figures(self) -> dict[str, float]:
        """Mean and standard deviation of the scores, mean entropy in nats; NaN without any."""
        if not self.n:
            return dict.fromkeys(("mean", "deviation", "entropy"), NAN)
        spread = float((self.squares / self.n) ** 0.5)
        return {"mean": self.mean, "deviation": spread, "entropy": self.nats / self.n}

    def to_json(self) -> dict[str, Any]:
        """As it stands in `--json`."""
        plain = {name: nullable(value) for name, value in self.figures.items()}
        return {"n": self.n, "unscored": self.unscored, **plain}


def add_prediction(means: dict[str, RaterMean], row: Judgment) -> None:
    """One more prediction by `calibration:<rater>`, to the means by rater."""
    means.setdefault(row.judge.partition(":")[2], RaterMean()).add(row)
