"""Where fits start: every judge's own votes as the truth, and the majority's."""

from __future__ import annotations

import numpy as np

from assize.stats._arrays import FloatArray
from assize.stats._reliability.cells import Cells
from assize.stats._reliability.em import Climbed, Model, State, climb, maximise

FINALISTS = 3
_MOST = 64  # judges that a start is made of; of more, the ones with the most votes
_FIRST = 2_000  # rows that the first rounds look at
_ROUNDS = 100


def started(cells: Cells, model: Model, rng: np.random.Generator) -> State:
    """The states to climb from, at most `FINALISTS` and none twice, best first.

    The majority's answers and each judge's (completed by the majority's) are taken for the
    truth in turn; reliabilities so begin above one half. Each climbs a hundred steps on at
    most 2,000 rows of votes, and the best that differ are kept.
    """
    few = _thinned(cells, rng)
    guesses = _guesses(few)
    posterior = np.stack([guesses, 1 - guesses], axis=2)
    weight = np.broadcast_to(few.count, guesses.shape)
    first = maximise(few, posterior, weight, model)
    found = climb(few, first, model, iterations=_ROUNDS)
    return found.state.take(_best(found))


def _best(found: Climbed) -> FloatArray:
    """Places of the best states that differ by more than the names of their sides."""
    kept: list[int] = []
    for at in np.argsort(-found.objective, kind="stable").tolist():
        said = found.expected.posterior[at, :, 0]
        if all(_unlike(said, found.expected.posterior[one, :, 0]) for one in kept):
            kept.append(at)
        if len(kept) == FINALISTS:
            break
    return np.array(kept)


def _unlike(one: FloatArray, other: FloatArray) -> bool:
    """Whether two posteriors differ, with their sides exchanged too."""
    return bool(min(np.abs(one - other).mean(), np.abs(one - 1 + other).mean()) > 0.01)


def _thinned(cells: Cells, rng: np.random.Generator) -> Cells:
    """At most `_FIRST` rows, drawn; those with a known label always."""
    if len(cells.count) <= _FIRST:
        return cells
    known = np.flatnonzero(cells.known >= 0)
    drawn = rng.choice(len(cells.count), _FIRST, replace=False, p=cells.count / cells.count.sum())
    rows = np.union1d(known, drawn)
    return Cells(
        cells.for_a[rows], cells.for_b[rows], cells.known[rows], cells.count[rows], cells.row
    )


def _guesses(cells: Cells) -> FloatArray:
    """(S, U) probability that A is better: the majority's, then each judge's own."""
    number = cells.sided
    for_a, everyone = cells.for_a.sum(axis=1), number.sum(axis=1)
    majority = np.where(everyone > 0, for_a / np.maximum(everyone, 1e-300), 0.5)
    busiest = np.argsort(-(cells.count @ number), kind="stable")[:_MOST]
    own = (cells.for_a[:, busiest] + 0.1 * majority[:, None]) / (number[:, busiest] + 0.1)
    return np.concatenate([majority[None], own.T])
