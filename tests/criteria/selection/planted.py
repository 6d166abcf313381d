"""Simulated pools in which it is known which criteria matter."""

from __future__ import annotations

import numpy as np

from assize.criteria._selection import Pool


def planted(
    seed: int, *, effect: float = 0.8, each: int = 100, criteria: int = 200, copies: int = 0
) -> tuple[Pool, set[int]]:
    """A pool with 10 SAT and 10 DSAT criteria that tell classes of `each` conversations apart.

    `effect` is Cohen's d on the latent scale, which is cut into five answers; `copies` of the
    first planted SAT criterion follow it among the irrelevant ones, with other noise on top.
    """
    rng = np.random.default_rng(seed)
    sat = np.arange(criteria) < criteria // 2
    good = np.repeat([True, False], each)
    places = [*range(10), *range(criteria // 2, criteria // 2 + 10)]
    effects = np.zeros(criteria)
    effects[places] = effect
    signs = np.where(sat, 1.0, -1.0)
    latent = rng.normal(size=(2 * each, criteria))
    latent += np.where(good, 0.5, -0.5)[:, None] * effects * signs
    for copy in range(10, 10 + copies):
        latent[:, copy] = latent[:, 0] + 0.3 * rng.normal(size=2 * each)
    evaluations = np.clip(np.round(latent + 2), 0, 4) * 2.5
    return Pool.of(evaluations, sat, good), set(places)
