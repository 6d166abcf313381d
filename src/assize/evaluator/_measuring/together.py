"""Several stored judges as one: majority vote, average, and votes weighed by reliability.

Only what judges themselves said counts; gold is not looked at.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assize.evaluator._measuring.said import Said
from assize.evaluator._measuring.tasks import SIDES, Task, majority_sides
from assize.stats import Labels, Priors, dawid_skene
from assize.stats._arrays import FloatArray

PRIORS = Priors(right=1.0, wrong=0.5, answer=1.0)  # weak, so that no judge is always right

Together = Callable[[Task, Sequence[Said]], Said]
"""Several judges' values on one task, as those of one."""


def majority_vote(task: Task, judges: Sequence[Said]) -> Said:
    """What most judges say; a tie between sides where none has more votes than every other.

    Of ratings the rating that most give, the mean of those that share the first place. It leans
    to the side with more votes, ties left out.

    Source: MTDEval (Tang et al.), table 1. Differs: the paper does not say what equal counts give.
    """
    values = np.stack([one.values for one in judges])
    if not task.paired:
        mode = np.array([_most_frequent(column) for column in values.T])
        return Said("majority vote", "together", "", mode, np.full(len(mode), np.nan))
    counts = np.stack([(values == side).sum(axis=0) for side in SIDES], axis=1)
    voted = majority_sides(counts)
    lean = np.where(np.isnan(voted), np.nan, counts[:, 0] - counts[:, 2])
    return Said("majority vote", "together", task.question, voted, lean)


def _most_frequent(column: FloatArray) -> float:
    known, count = np.unique(column[~np.isnan(column)], return_counts=True)
    return float(known[count == count.max()].mean()) if len(known) else np.nan


def average_scoring(task: Task, judges: Sequence[Said]) -> Said:
    """The mean rating; judges that answered other questions are brought to one mean and spread.

    Source: MTDEval, table 1. Differs: none where all answer one question.
    """
    values = np.stack([one.values for one in judges])
    if len({one.answered for one in judges}) > 1:
        mean = np.nanmean(values, axis=1, keepdims=True)
        spread = np.nanstd(values, axis=1, keepdims=True)
        values = (values - mean) / np.where(spread > 0, spread, 1.0)
    count = (~np.isnan(values)).sum(axis=0)
    total = np.nansum(values, axis=0)
    found = np.where(count > 0, total / np.maximum(count, 1), np.nan)
    return Said("average scoring", "together", "", found, np.full(len(found), np.nan))


def dawid_skene_vote(task: Task, judges: Sequence[Said]) -> Said:
    """The more probable side by sensitivities and specificities learnt from the votes.

    A pair with ties only is a tie. Source: Dawid and Skene (1979), with two answers; see
    `assize.juries.reliability` for the same as a jury.
    """
    values = np.stack([one.values for one in judges], axis=1)
    lead = np.nan_to_num(side_lead(values == 1, values == -1))
    lean = np.where(np.isnan(values).all(axis=1), np.nan, lead)
    return Said("Dawid-Skene", "together", task.question, np.sign(np.round(lean, 9)), lean)


def side_lead(for_a: NDArray[Any], for_b: NDArray[Any]) -> FloatArray:
    """(N,) 2 P(A better) - 1 by Dawid and Skene's method; NaN without a vote for a side.

    Args:
        for_a, for_b: (N, J) how often each judge voted for a side.
    """
    counts = np.stack([for_a, for_b], axis=2).astype(np.int64)
    cells = np.nonzero(counts)
    unit, judge, side = (np.repeat(part, counts[cells]) for part in cells)
    lead = np.full(len(counts), np.nan)
    if len(unit):
        truth = dawid_skene(Labels.of(unit, judge, side, answers=2), priors=PRIORS)
        seen = np.unique(unit)
        lead[seen] = 2 * truth.probability[seen, 0] - 1
    return lead


OF_RATINGS: Mapping[str, Together] = {
    "majority vote": majority_vote,
    "average scoring": average_scoring,
}
OF_PAIRS: Mapping[str, Together] = {
    "majority vote": majority_vote,
    "Dawid-Skene": dawid_skene_vote,
}


def together(task: Task, judges: Sequence[Said]) -> list[Said]:
    """Every way to put judges together that the task allows; none of fewer than two."""
    there = [one for one in judges if one.there]
    if len(there) < 2:
        return []
    ways = OF_PAIRS if task.paired else OF_RATINGS
    return [way(task, there) for way in ways.values()]
