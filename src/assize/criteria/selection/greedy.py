"""Greedy growth of a set of criteria. Source: RUBICON, algorithm 1."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from assize.criteria.selection.objective import Objective
from assize.criteria.selection.pool import Mask, Pool
from assize.errors import ConfigError

_ROUNDED = 9  # decimals, so that equal objectives are equal however they were added up


@dataclass(frozen=True, slots=True)
class Budget:
    """How many criteria of each kind a set may hold; fewer where the pool has fewer."""

    sat: int = 10
    dsat: int = 10

    def __post_init__(self) -> None:
        if min(self.sat, self.dsat) < 0 or self.sat + self.dsat == 0:
            raise ConfigError(
                f"the budgets are {self.sat} SAT and {self.dsat} DSAT criteria; give at least one"
            )

    def left(self, sat: Mask, chosen: Sequence[int]) -> Mask:
        """Which criteria of a pool (M,) may still be added to those chosen."""
        taken = np.zeros(len(sat), dtype=bool)
        taken[list(chosen)] = True
        sat_left = np.sum(taken & sat) < self.sat
        dsat_left = np.sum(taken & ~sat) < self.dsat
        found: Mask = ~taken & np.where(sat, sat_left, dsat_left)
        return found


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
    columns = np.ascontiguousarray(pool.scores.T)
    base = np.zeros(len(pool.good))
    steps: list[Step] = []
    while True:
        chosen = [step.criterion for step in steps]
        candidates = np.flatnonzero(budget.left(pool.sat, chosen))
        if not candidates.size:
            return steps
        values = objective.values(base + columns[candidates], pool.good, len(steps) + 1)
        best = int(values.round(_ROUNDED).argmax())
        steps.append(Step(int(candidates[best]), float(values[best])))
        base = base + columns[candidates[best]]
