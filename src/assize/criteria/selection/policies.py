"""Ways to choose criteria from a pool. To add one: write its function, add its row, test it.

Source: RUBICON, sections 3.3 and 4.3.1; the bandit is that of Pryzant et al. 2023. The last two are
ours.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from itertools import combinations, islice, product
from math import comb

import numpy as np

from assize.criteria.selection.greedy import Budget, grow
from assize.criteria.selection.logistic import entered
from assize.criteria.selection.objective import Objective
from assize.criteria.selection.pool import Mask, Pool
from assize.errors import ConfigError
from assize.stats.arrays import FloatArray

MOST_SETS = 200_000  # that `exhaustive` weighs
_AT_ONCE = 2_000


@dataclass(frozen=True, slots=True)
class Settings:
    """What policies need beside the pool.

    Args:
        budget: how many criteria of each kind.
        objective: see `Objective`.
        signed: the reward of a criterion counts what it says about bad conversations against it;
            without (as published), a criterion that is always true wins.
        exploration: the constant before the bandit's confidence radius, in units of one
            evaluation. The paper names none.
        rounds: of the bandit; None for ten a criterion.
        batch: conversations that a round evaluates one criterion on.
        seed: of the bandit's draws.
    """

    budget: Budget = field(default_factory=Budget)
    objective: Objective = field(default_factory=Objective)
    signed: bool = True
    exploration: float = 1.0
    rounds: int | None = None
    batch: int = 8
    seed: int = 0

    def __post_init__(self) -> None:
        if self.exploration < 0 or self.batch < 1 or (self.rounds is not None and self.rounds < 1):
            raise ConfigError(
                f"exploration is {self.exploration}, batch {self.batch} and rounds {self.rounds};"
                " exploration must be at least 0, the others at least 1"
            )


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
    batch = min(settings.batch, conversations)
    rounds = 10 * criteria if settings.rounds is None else settings.rounds
    order = rng.permutation(criteria)
    for turn in range(rounds):
        if turn < criteria:  # each once, before there is a bound
            arm = int(order[turn])
        else:
            radius = settings.exploration * np.sqrt(np.log(turn + 1) / draws)
            arm = int((sums / draws + radius).argmax())
        some = rng.choice(conversations, size=batch, replace=False)
        sums[arm] += earned[some, arm].mean()
        draws[arm] += 1
    means = np.where(draws > 0, sums / np.maximum(draws, 1), -np.inf)
    return _best(means, pool.sat, settings.budget)


def rewards(pool: Pool, settings: Settings) -> FloatArray:
    """What each criterion earns on each conversation (N, M).

    An evaluation counts for a SAT criterion on a good conversation, and against it on a bad one;
    for DSAT the other way round. Unsigned, what the criterion says counts for it everywhere.
    """
    if settings.signed:
        return np.where(pool.good[:, None], pool.scores, -pool.scores)
    return np.where(pool.sat, pool.scores, -pool.scores)


def exhaustive(pool: Pool, settings: Settings) -> list[int]:
    """The best of all sets that spend the budgets; raises ConfigError where there are too many."""
    sat, dsat = np.flatnonzero(pool.sat), np.flatnonzero(~pool.sat)
    sizes = min(settings.budget.sat, len(sat)), min(settings.budget.dsat, len(dsat))
    count = comb(len(sat), sizes[0]) * comb(len(dsat), sizes[1])
    if count > MOST_SETS:
        raise ConfigError(
            f"{count:,} sets are more than the {MOST_SETS:,} that exhaustive selection weighs;"
            " choose another policy, a smaller pool or smaller budgets"
        )
    sets = product(combinations(sat, sizes[0]), combinations(dsat, sizes[1]))
    best: tuple[float, list[int]] = (-np.inf, [])
    for some in _batches(([*map(int, a), *map(int, b)] for a, b in sets), _AT_ONCE):
        nets = np.stack([pool.net(one) for one in some])
        values = settings.objective.values(nets, pool.good, sum(sizes))
        place = int(values.argmax())
        if values[place] > best[0] or not best[1]:
            best = (float(values[place]), some[place])
    return best[1]


def l1_logistic(pool: Pool, settings: Settings) -> list[int]:
    """The criteria that enter a sparse logistic regression first, as its penalty falls."""
    order = entered(pool, settings.budget)
    return _best(-order, pool.sat, settings.budget)


def _best(values: FloatArray, sat: Mask, budget: Budget) -> list[int]:
    """The criteria with the largest values within the budgets, the largest first."""
    order = np.argsort(-values, kind="stable")
    chosen = [*order[sat[order]][: budget.sat], *order[~sat[order]][: budget.dsat]]
    return sorted(map(int, chosen), key=lambda one: (-values[one], one))


def _batches(sets: Iterator[list[int]], size: int) -> Iterator[list[list[int]]]:
    while some := list(islice(sets, size)):
        yield some


POLICIES: dict[str, Policy] = {
    "rubicon": rubicon,
    "correctness": correctness,
    "brute-force": brute_force,
    "ucb": ucb,
    "exhaustive": exhaustive,
    "l1-logistic": l1_logistic,
}
