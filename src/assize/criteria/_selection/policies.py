"""Ways to choose criteria from a pool. To add one: write its function, add its row, test it.

Source: RUBICON, sections 3.3 and 4.3.1; the bandit is that of Pryzant et al. 2023.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

import numpy as np

from assize.criteria._selection.greedy import Budget, grow
from assize.criteria._selection.objective import Objective
from assize.criteria._selection.pool import Mask, Pool
from assize.stats._arrays import FloatArray

# Of the bandit; the paper names none of them.
EXPLORATION = 1.0  # before its confidence radius, in units of one evaluation
ROUNDS = 10  # a criterion
BATCH = 8  # conversations that a round evaluates one criterion on


@dataclass(frozen=True, slots=True)
class Settings:
    """What policies need beside the pool.

    Args:
        budget: how many criteria of each kind.
        objective: see `Objective`.
        signed: the reward of a criterion counts what it says about bad conversations against it;
            without (as published), a criterion that is always true wins.
        seed: of the bandit's draws.
    """

    budget: Budget = field(default_factory=Budget)
    objective: Objective = field(default_factory=Objective)
    signed: bool = True
    seed: int = 0


Policy = Callable[[Pool, Settings], list[int]]


def rubicon(pool: Pool, settings: Settings) -> list[int]:
    """Greedy growth by separation and sharpness."""
    return [step.criterion for step in grow(pool, settings.budget, settings.objective)]


def correctness(pool: Pool, settings: Settings) -> list[int]:
    """Greedy growth by separation alone."""
    alone = replace(settings.objective, weight=0.0)
    return [step.criterion for step in grow(pool, settings.budget, alone)]


def brute_force(pool: Pool, settings: Settings) -> list[int]:
    """The largest rewards: sums of evaluations over all conversations."""
    return _best(rewards(pool, settings).mean(axis=0), pool.sat, settings.budget)


def ucb(pool: Pool, settings: Settings) -> list[int]:
    """The largest mean rewards that a bandit finds when evaluations are dear.

    Each round evaluates the criterion with the largest upper confidence bound, mean +
    exploration x sqrt(ln t / its draws), on a batch of conversations drawn anew.
    """
    rng = np.random.default_rng(settings.seed)
    earned = rewards(pool, settings)
    conversations, criteria = earned.shape
    sums, draws = np.zeros(criteria), np.zeros(criteria)
    batch = min(BATCH, conversations)
    order = rng.permutation(criteria)
    for turn in range(ROUNDS * criteria):
        if turn < criteria:  # each once, before there is a bound
            arm = int(order[turn])
        else:
            radius = EXPLORATION * np.sqrt(np.log(turn + 1) / draws)
            arm = int((sums / draws + radius).argmax())
        some = rng.choice(conversations, size=batch, replace=False)
        sums[arm] += earned[some, arm].mean()
        draws[arm] += 1
    return _best(sums / draws, pool.sat, settings.budget)


def rewards(pool: Pool, settings: Settings) -> FloatArray:
    """What each criterion earns on each conversation (N, M).

    An evaluation counts for a SAT criterion on a good conversation, and against it on a bad one;
    for DSAT the other way round. Unsigned, what the criterion says counts for it everywhere.
    """
    if settings.signed:
        return np.where(pool.good[:, None], pool.scores, -pool.scores)
    return np.where(pool.sat, pool.scores, -pool.scores)


def _best(values: FloatArray, sat: Mask, budget: Budget) -> list[int]:
    """The criteria with the largest values within the budgets, the largest first."""
    order = np.argsort(-values, kind="stable")
    chosen = [*order[sat[order]][: budget.sat], *order[~sat[order]][: budget.dsat]]
    return sorted(map(int, chosen), key=lambda one: (-values[one], one))


POLICIES: dict[str, Policy] = {
    "rubicon": rubicon,
    "correctness": correctness,
    "brute-force": brute_force,
    "ucb": ucb,
}
