from __future__ import annotations

import numpy as np
from tests.stats.reliability.simulated import cells_without_gold, simulated

from assize.stats._reliability.em import Model, climb
from assize.stats._reliability.resampled import resampled
from assize.stats._reliability.starts import started


def spread(pairs: int, seed: int) -> np.ndarray:
    """Standard deviation of alpha in 200 resamples: (J,)."""
    votes = simulated(pairs, seed).votes
    cells = cells_without_gold(votes)
    rng = np.random.default_rng(seed)
    state = climb(cells, started(cells, Model(), rng).take(0), Model()).state
    return np.asarray(resampled(cells, state, Model(), 200, rng)[:, :, 0].std(axis=0))


def test_the_spread_is_the_sampling_error() -> None:
    # judge 0 has alpha 0.95: with 1,500 known labels of A its error is sqrt(0.05 * 0.95 / 1500)
    found = spread(3_000, 1)  # thinned to 2,000 pairs, so the scaling is tried too
    known = np.sqrt(0.05 * 0.95 / 1_500)
    assert known < found[0] < 1.6 * known


def test_no_resamples_are_none_and_a_seed_repeats() -> None:
    votes = simulated(100, 4).votes
    cells = cells_without_gold(votes)
    state = climb(cells, started(cells, Model(), np.random.default_rng(0)), Model()).state.take(0)
    assert resampled(cells, state, Model(), 0, np.random.default_rng(0)).shape == (0, 8, 2)
    one, two = (resampled(cells, state, Model(), 5, np.random.default_rng(7)) for _ in range(2))
    assert (one == two).all()
