"""What predictions come to by rater: how many there are, and their means."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated

import numpy as np

from assize.judgments import JudgmentTable
from assize.judgments.table import appearing
from assize.results import Column
from assize.results.types import NAN


@dataclass(frozen=True, slots=True)
class RaterMean:
    """One rater's predictions: how many, and the means of scores and entropies.

    Args:
        n, unscored: items that were predicted, and that were not.
        mean, deviation: of the scores over the items; NaN without any.
        entropy: mean entropy of the distributions, in nats.
    """

    n: int = 0
    unscored: int = 0
    mean: Annotated[float, Column(digits=None)] = NAN
    deviation: Annotated[float, Column(digits=None)] = NAN
    entropy: Annotated[float, Column("entropy (nats)", digits=None)] = NAN


@dataclass(slots=True)
class RaterMeans:
    """All raters' predictions, a table at a time; two numbers a prediction are kept."""

    _parts: dict[str, list[np.ndarray]] = field(default_factory=dict)

    def add(self, table: JudgmentTable) -> None:
        """More predictions, by `calibration:<rater>`."""
        codes, names = table.codes("judge")
        row, _, p, _ = table.shares()
        logs = np.log(np.where(p > 0, p, 1))
        entropy = -np.bincount(row, p * logs, len(table)).astype(np.float64)
        scored = ~table.present("unscored")
        entropy[~scored] = NAN
        figures = np.stack([table.numeric("score"), entropy, scored])
        for first in appearing(codes)[1].tolist():
            name = names[codes[first]].partition(":")[2]
            self._parts.setdefault(name, []).append(figures[:, codes == codes[first]])

    @property
    def by_rater(self) -> dict[str, RaterMean]:
        """In order of appearance."""
        return {name: _mean(np.hstack(parts)) for name, parts in self._parts.items()}


def _mean(figures: np.ndarray) -> RaterMean:
    score, entropy, _ = figures[:, figures[2] == 1]
    n, lost = len(score), int((figures[2] == 0).sum())
    if not n:
        return RaterMean(0, lost)
    return RaterMean(n, lost, float(score.mean()), float(score.std()), float(entropy.mean()))
