"""Greedy growth of a set of criteria. Source: RUBICON, algorithm 1."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from assize.base.errors import ConfigError
from assize.criteria._selection.objective import Objective, separation
from assize.criteria._selection.pool import Mask, Pool
from assize.stats._arrays import FloatArray, IntArray

_ROUNDED = 9  # decimals, so that equal objectives are equal however they were added up


@dataclass(frozen=True, slots=True)
class Budget:
    """How many criteria of each kind a set may hold; fewer where the pool has fewer."""

    sat: int = 10
    dsat: int = 10

    def __post_init__(self) -> None:
        if min(self.sat, self.dsat) < 0 or self.sat + self.dsat == 0:
            raise ConfigError(
                f"sat is {self.sat} and dsat is {self.dsat}; give at least one criterion, and"
                " none below 0",
                "sat",
                "dsat",
            )

    def left(self, sat: Mask, chosen: Sequence[int]) -> Mask:
        """Which criteria of a pool (M,) may still be added to those chosen."""
        taken = np.zeros(len(sat), dtype=bool)
        taken[list(chosen)] = True
        sat_left = np.sum(taken & sat) < self.sat
        dsat_left = np.sum(taken & ~sat) < self.dsat
        return np.asarray(~taken & np.where(sat, sat_left, dsat_left))


@dataclass(frozen=True, slots=True)
class Step:
    """One criterion added, and the objective of the set with it."""

    criterion: int
    objective: float


def grow(pool: Pool, budget: Budget, objective: Objective) -> list[Step]:
    """The criteria in the order in which they are added, until the budgets are spent.

    Each is the one with which the set has the largest objective; of equal ones the first in the
    pool. All candidates of a step are weighed together.

    Differs: the paper's budget is one number in the algorithm and two in its text; here it is two.
    """
    return _grown(pool, budget, objective, _Parts(pool, objective))


def grow_each(
    pool: Pool, budget: Budget, objective: Objective, weights: Sequence[float]
) -> list[list[Step]]:
    """`grow` for each weight of the sharpness error.

    Weights that have led to the same set so far share what is computed of the next step.
    """
    parts = _Parts(pool, objective, kept=True)
    return [_grown(pool, budget, replace(objective, weight=one), parts) for one in weights]


class _Parts:
    """Separation and sharpness error of a set with each of its candidates.

    Args:
        kept: whether what was computed is kept for other weights.
    """

    def __init__(self, pool: Pool, objective: Objective, *, kept: bool = False) -> None:
        self._pool, self._objective = pool, objective
        self._columns = np.ascontiguousarray(pool.scores.T)
        self._kept: dict[tuple[int, ...], FloatArray] | None = {} if kept else None

    def of(
        self, chosen: Sequence[int], candidates: IntArray, sharpness: bool
    ) -> tuple[FloatArray, FloatArray]:
        """Both (candidates,); the second holds nothing of use where it is not wanted."""
        key = (*sorted(chosen), -1 if sharpness else -2)
        if self._kept is not None and key in self._kept:
            found = self._kept[key]
            return found[0], found[1]
        # Added up in the order of the pool, or one set would have two scores by its order.
        base = self._columns[sorted(chosen)].sum(axis=0)
        nets, good = base + self._columns[candidates], self._pool.good
        apart = separation(nets, good)
        error = self._objective.sharpness_error(nets, good) if sharpness else apart
        if self._kept is not None:
            self._kept[key] = np.stack([apart, error])
        return apart, error


def _grown(pool: Pool, budget: Budget, objective: Objective, parts: _Parts) -> list[Step]:
    steps: list[Step] = []
    while True:
        chosen = [step.criterion for step in steps]
        candidates = np.flatnonzero(budget.left(pool.sat, chosen))
        if not candidates.size:
            return steps
        apart, error = parts.of(chosen, candidates, objective.weight > 0)
        values = objective.weighed(apart, error)
        best = int(values.round(_ROUNDED).argmax())
        steps.append(Step(int(candidates[best]), float(values[best])))
