"""The probability that a conversation is good, from its NetSAT: a logistic curve."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from assize.criteria._selection.pool import Mask
from assize.stats._arrays import FloatArray

_STEPS = 100
_CLOSE = 1e-10


@dataclass(frozen=True, slots=True)
class Logistic:
    """Log-odds of "good" = slope x NetSAT + intercept."""

    slope: float
    intercept: float

    def probability(self, nets: FloatArray) -> FloatArray:
        """Of being good (N,)."""
        return np.asarray(1 / (1 + np.exp(-np.clip(self.slope * nets + self.intercept, -500, 500))))


def logistic(nets: FloatArray, good: Mask, prevalence: float | None = None) -> Logistic:
    """The curve that fits labels best.

    Args:
        nets: (N,) scores of conversations on which the criteria were not chosen, or the curve is
            too steep.
        good: (N,) labels.
        prevalence: the share of good conversations where it is used; None for the one here.

    Source: Platt (1999), with his targets (n + 1) / (n + 2), so that classes that do not overlap
    have a finite slope; Newton's steps on standardised scores. Differs: where a prevalence is
    given, the intercept is moved by the difference of its log-odds to the share here.
    """
    count = int(good.sum()), int((~good).sum())
    target = np.where(good, (count[0] + 1) / (count[0] + 2), 1 / (count[1] + 2))
    centre, spread = float(nets.mean()), float(nets.std())
    if not spread > 0:
        return Logistic(0.0, _log_odds(prevalence or count[0] / len(good)))
    columns = np.stack([(nets - centre) / spread, np.ones(len(nets))], axis=1)
    found = np.zeros(2)
    for _ in range(_STEPS):
        p = 1 / (1 + np.exp(-np.clip(columns @ found, -500, 500)))
        curved = columns.T @ (columns * (p * (1 - p))[:, None]) + _CLOSE * np.eye(2)
        step = np.linalg.solve(curved, columns.T @ (target - p))
        found = found + step / max(1.0, float(np.abs(step).max()))  # no step leaps over the top
        if np.abs(step).max() < _CLOSE:
            break
    slope, intercept = float(found[0] / spread), float(found[1] - found[0] * centre / spread)
    if prevalence is not None:
        intercept += _log_odds(prevalence) - _log_odds(count[0] / len(good))
    return Logistic(slope, intercept)


def _log_odds(share: float) -> float:
    return float(np.log(share / (1 - share)))
