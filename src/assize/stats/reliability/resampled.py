"""Reliabilities in resamples of pairs, all climbed at once."""

from __future__ import annotations

import numpy as np
from scipy.special import expit, logit

from assize.stats.arrays import FloatArray
from assize.stats.reliability.cells import Cells
from assize.stats.reliability.em import Model, State, climb

MOST_ROWS = 2_000
_ROUNDS = 50
_AT_ONCE = 2_000_000  # numbers in one array of resamples times rows


def resampled(
    cells: Cells, state: State, model: Model, resamples: int, rng: np.random.Generator
) -> FloatArray:
    """alpha and beta of each judge in each resample: (resamples, J, 2).

    Each starts from the fit, so that its sides keep their names. Of more than 2,000 pairs
    2,000 are drawn, and the spread on the logit scale is scaled by sqrt(2,000 / pairs): the
    m out of n bootstrap.

    Source: Efron (1979); Bickel, Gotze and van Zwet (1997) for m out of n.
    """
    pairs = int(cells.count.sum())
    size = min(pairs, MOST_ROWS)
    drawn: list[FloatArray] = []
    step = max(1, _AT_ONCE // max(1, min(len(cells.count), size)))
    while len(drawn) < resamples:
        some = min(step, resamples - len(drawn))
        weight = rng.multinomial(size, cells.count / pairs, size=some).astype(np.float64)
        used = (weight > 0).any(axis=0)
        few = Cells(cells.for_a[used], cells.for_b[used], cells.ties[used], cells.known[used],
                    cells.count[used], cells.row)  # fmt: skip
        starts = State(*(np.repeat(getattr(state, name), some, axis=0) for name in State.__slots__))
        found = climb(few, starts, model, weight=weight[:, used], iterations=_ROUNDS,
                      tolerance=1e-6).state  # fmt: skip
        drawn.extend(np.stack([found.alpha, found.beta], axis=2))
    if not drawn:
        return np.zeros((0, cells.for_a.shape[1], 2))
    both = np.stack(drawn)
    if size == pairs:
        return both
    centre = logit(np.stack([state.alpha[0], state.beta[0]], axis=1))
    return np.asarray(expit(centre + (logit(both) - centre) * np.sqrt(size / pairs)))
