"""The objective written out for one set of criteria at a time, as a reader of the paper would."""

from __future__ import annotations

import numpy as np

from assize.criteria._selection import Budget, Objective, Pool
from assize.stats._arrays import FloatArray


def error_of(net: FloatArray, good: np.ndarray) -> float:
    thetas = np.linspace(net.min(), net.max(), 201)
    slack = 1e-9 * (thetas[1] - thetas[0])
    means = net[good].mean(), net[~good].mean()
    squares = ((net[good] - means[0]) ** 2).sum() + ((net[~good] - means[1]) ** 2).sum()
    scale = np.sqrt(squares / (len(net) - 2))
    curves: list[list[tuple[float, float]]] = [[], []]
    for theta in thetas:
        above = net > theta + slack
        x = (theta - sum(means) / 2) / scale
        if above.any():
            curves[0].append((float(good[above].mean()), float(np.tanh(x))))
        if not above.all():
            curves[1].append((float((~good[~above]).mean()), float(np.tanh(-x))))
    total = 0.0
    for curve in curves:
        said, shape = np.array(curve).T
        fitted = said.min() + (said.max() - said.min()) * (shape + 1) / 2
        total += float(np.mean((said - fitted) ** 2))
    return total


def grown(pool: Pool, budget: Budget, objective: Objective) -> list[int]:
    chosen: list[int] = []
    while True:
        best: tuple[float, int] | None = None
        for one in range(pool.scores.shape[1]):
            kinds = [pool.sat[other] for other in chosen]
            if one in chosen or kinds.count(pool.sat[one]) >= (
                budget.sat if pool.sat[one] else budget.dsat
            ):
                continue
            net = pool.scores[:, [*chosen, one]].sum(axis=1)
            apart = net[pool.good].mean() - net[~pool.good].mean()
            value = apart - objective.weight * error_of(net, pool.good)
            if best is None or value > best[0] + 1e-9:
                best = (value, one)
        if best is None:
            return chosen
        chosen.append(best[1])
