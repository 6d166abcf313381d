"""Ways to choose criteria from a pool. To add one: write its function, add its row, test it.

Source: RUBICON, sections 3.3 and 4.3.1; the bandit is that of Pryzant et al. 2023.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

import numpy as np

from assize.criteria._selection.greedy import Budget, grow
from assize.criteria._selection.objective import Objective
from assize.criteria._selection.pool import NEUTRAL, Mask, Pool
from assize.stats._arrays import FloatArray

# Of the bandits; the paper names none of them.
EXPLORATION = 1.0  # before their confidence radius, in standard deviations of a batch's reward
ROUNDS = 10  # a criterion
BATCH = 8  # conversations that a round evaluates one criterion on


@dataclass(frozen=True, slots=True)
class Settings:
    """What policies need beside the pool.

    Args:
        budget: how many criteria of each kind.
        objective: see `Objective`.
        signed: the reward of a criterion counts what it says about bad conversations against it,
            both classes alike; without (as published), a criterion that is always true wins.
        seed: of the bandits' draws.
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
    """The largest mean rewards that bandits find when evaluations are dear, one a polarity.

    Each round evaluates the criterion with the largest upper confidence bound, mean +
    exploration x deviation x sqrt(ln t / its draws), on a batch of conversations drawn anew.
    """
    rng = np.random.default_rng(settings.seed)
    earned = rewards(pool, settings)
    means = np.zeros(len(pool.sat))
    for polarity in (True, False):
        arms = np.flatnonzero(pool.sat == polarity)
        if arms.size:
            means[arms] = _bandit(earned[:, arms], rng)
    return _best(means, pool.sat, settings.budget)


def _bandit(earned: FloatArray, rng: np.random.Generator) -> FloatArray:
    """Return the mean reward (M,) that a bandit found of each arm, from what they earn (N, M).

    The deviation of a batch's mean is estimated from the spread within the batches drawn so far.
    """
    conversations, arms = earned.shape
    sums, draws = np.zeros(arms), np.zeros(arms)
    batch, variance = min(BATCH, conversations), 0.0
    order = rng.permutation(arms)
    for turn in range(ROUNDS * arms):
        if turn < arms:  # each once, before there is a bound
            arm = int(order[turn])
        else:
            deviation = np.sqrt(variance / turn)
            radius = EXPLORATION * deviation * np.sqrt(np.log(turn + 1) / draws)
            arm = int((sums / draws + radius).argmax())
        some = earned[rng.choice(conversations, size=batch, replace=False), arm]
        sums[arm] += some.mean()
        draws[arm] += 1
        variance += some.var(ddof=1) / batch
    return sums / draws


def rewards(pool: Pool, settings: Settings) -> FloatArray:
    """What each criterion earns on each conversation (N, M).

    An evaluation counts for a SAT criterion on a good conversation, and against it on a bad one;
    for DSAT the other way round. Conversations of the rarer class count more, so that both classes
    weigh alike. Unsigned, what the criterion says counts for it everywhere.
    """
    if not settings.signed:
        return np.where(pool.sat, pool.scores, -pool.scores)
    share = pool.good.mean()
    worth = np.where(pool.good, 1 / (2 * share), -1 / (2 * (1 - share)))
    # counts for neither, whatever the batch
    neutral = np.where(pool.sat, NEUTRAL, -NEUTRAL)
    return np.asarray(worth[:, None] * (pool.scores - neutral))


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
