"""Reliabilities in resamples of pairs, all climbed at once."""

from __future__ import annotations

import numpy as np
from scipy.special import expit, logit

from assize.stats._arrays import FloatArray
from assize.stats._reliability.cells import Cells
from assize.stats._reliability.em import Model, State, climb

MOST_ROWS = 2_000
_ROUNDS = 50
_AT_ONCE = 2_000_000  # numbers in one array of resamples times rows


def resampled(
    cells: Cells, state: State, model: Model, resamples: int, rng: np.random.Generator
) -> FloatArray:
    """alpha and beta of each judge in each resample: (resamples, J, 2).

    Each starts from the fit, so that its sides keep their names. Of more than 2,000 pairs
    2,000 are chosen once and resampled; the spread around their mean, on the logit scale, is
    scaled by sqrt(2,000 / pairs) and laid around the fit.

    Source: Efron (1979); for the part, Kleiner et al. (2014), with one bag.
    """
    pairs = int(cells.count.sum())
    size = min(pairs, MOST_ROWS)
    few = cells if size == pairs else _part(cells, size, rng)
    drawn: list[FloatArray] = []
    step = max(1, _AT_ONCE // max(1, len(few.count)))
    while len(drawn) < resamples:
        some = min(step, resamples - len(drawn))
        weight = rng.multinomial(size, few.count / size, size=some).astype(np.float64)
        starts = State(*(np.repeat(getattr(state, name), some, axis=0) for name in State.__slots__))
        found = climb(few, starts, model, weight=weight, iterations=_ROUNDS, tolerance=1e-6).state
        drawn.extend(np.stack([found.alpha, found.beta], axis=2))
    if not drawn:
        return np.zeros((0, cells.for_a.shape[1], 2))
    both = np.stack(drawn)
    if size == pairs:
        return both
    logits = logit(both)
    spread = (logits - logits.mean(axis=0)) * np.sqrt(size / pairs)
    return np.asarray(expit(logit(np.stack([state.alpha[0], state.beta[0]], axis=1)) + spread))


def _part(cells: Cells, size: int, rng: np.random.Generator) -> Cells:
    """So many pairs, drawn without replacement."""
    taken = rng.multivariate_hypergeometric(
        cells.count.astype(np.int64), size, method="marginals"
    ).astype(np.float64)
    used = taken > 0
    return Cells(cells.for_a[used], cells.for_b[used], cells.known[used], taken[used], cells.row)
