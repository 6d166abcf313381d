"""Sparse logistic regression with weights that may not be negative, along its path.

NetSAT adds criteria up, each in its own direction, so a criterion whose weight would be negative
cannot help it. Classes count the same whatever their sizes.
"""

from __future__ import annotations

import numpy as np

from assize.criteria.selection.greedy import Budget
from assize.criteria.selection.pool import Pool
from assize.stats.arrays import FloatArray

STEPS = 50  # penalties, falling geometrically
LEAST = 1e-3  # of the penalty that keeps every weight at zero
ITERATIONS = 200
TOLERANCE = 1e-5


def entered(pool: Pool, budget: Budget) -> FloatArray:
    """At which penalty each criterion gets a weight (M,): 0 is the largest; inf for never.

    The path ends where both budgets are spent.
    """
    columns = standardised(pool.scores)
    target = np.where(pool.good, 1.0, -1.0)
    counts = np.where(pool.good, (pool.good).mean(), (~pool.good).mean())
    importance = 1 / (2 * counts * len(target))
    most = float((columns * (target * importance)[:, None]).sum(axis=0).max()) / 2
    found = np.full(columns.shape[1], np.inf)
    weights, intercept = np.zeros(columns.shape[1]), 0.0
    for step, penalty in enumerate(most * np.geomspace(1.0, LEAST, STEPS)):
        weights, intercept = fitted(columns, target, importance, penalty, weights, intercept)
        found[(weights > 0) & np.isinf(found)] = step
        known = np.isfinite(found)
        if np.sum(known & pool.sat) >= min(budget.sat, pool.sat.sum()) and np.sum(
            known & ~pool.sat
        ) >= min(budget.dsat, (~pool.sat).sum()):
            break
    rank = np.where(weights > 0, weights / max(weights.max(), 1e-300), 0.0)
    return found - rank / 2  # of those that enter together, the heavier first


def fitted(
    columns: FloatArray,
    target: FloatArray,
    importance: FloatArray,
    penalty: float,
    weights: FloatArray,
    intercept: float,
) -> tuple[FloatArray, float]:
    """Weights (M,), none negative, and the intercept at one penalty, from a starting point.

    Minimises sum(importance x ln(1 + exp(-target x margin))) + penalty x sum(weights) by
    accelerated proximal gradient steps.
    """
    bound = 0.25 * float(np.linalg.norm(columns * np.sqrt(importance)[:, None], 2) ** 2 + 1.0)
    ahead, ahead_intercept, momentum = weights, intercept, 1.0
    for _ in range(ITERATIONS):
        margin = target * (columns @ ahead + ahead_intercept)
        pull = -importance * target / (1 + np.exp(np.clip(margin, -500, 500)))
        new = np.maximum(0.0, ahead - (columns.T @ pull + penalty) / bound)
        new_intercept = ahead_intercept - float(pull.sum()) / bound
        later = (1 + np.sqrt(1 + 4 * momentum**2)) / 2
        share = (momentum - 1) / later
        moved = np.abs(new - weights).max(initial=abs(new_intercept - intercept))
        ahead = new + share * (new - weights)
        ahead_intercept = new_intercept + share * (new_intercept - intercept)
        weights, intercept, momentum = new, new_intercept, float(later)
        if moved < TOLERANCE:
            break
    return weights, intercept


def standardised(columns: FloatArray) -> FloatArray:
    """Columns (N, M) with mean 0 and standard deviation 1; one that never varies is 0."""
    centred = columns - columns.mean(axis=0)
    spread = centred.std(axis=0)
    found: FloatArray = centred / np.where(spread > 0, spread, np.inf)
    return found
