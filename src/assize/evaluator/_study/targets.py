"""Fixed targets made from votes: what several judges' votes on a pair come to before learning.

To add a way, write a function of `VotedPairs` and rows and give it a row in `TARGETS`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from assize.evaluator._measuring.together import side_lead
from assize.evaluator._study.voted_pairs import VotedPairs
from assize.stats._arrays import FloatArray, IntArray
from assize.stats._reliability import Reliabilities, Votes, fit_votes

Targets = Callable[[VotedPairs, IntArray], FloatArray]
"""`targets(data, rows)`: (n,) from -1 for B to 1 for A; NaN where the votes say nothing."""


def majority(data: VotedPairs, rows: IntArray) -> FloatArray:
    """The answer with most votes, a tie where two share that."""
    return data.majority[rows]


def average(data: VotedPairs, rows: IntArray) -> FloatArray:
    """The mean vote, a soft label: each judge counts alike, however often it voted.

    Source: Sun et al. (2024a), averaged probabilities, of votes in their place.
    """
    a, b = data.votes.for_a[rows, :, 0], data.votes.for_b[rows, :, 0]
    count = a + b + data.votes.ties[rows, :, 0]
    each = np.where(count > 0, (a - b) / np.maximum(count, 1), 0.0)
    judges = (count > 0).sum(axis=1)
    return np.where(judges > 0, each.sum(axis=1) / np.maximum(judges, 1), np.nan)


def posterior(data: VotedPairs, rows: IntArray) -> FloatArray:
    """2 P(A better) - 1 by Dawid and Skene's method on these pairs; 0 where all votes are ties.

    Source: Dawid and Skene (1979), two answers, with weak priors (see `side_lead`).
    """
    lead = side_lead(data.votes.for_a[rows, :, 0], data.votes.for_b[rows, :, 0])
    return np.where(data.counts[rows].sum(axis=1) > 0, np.nan_to_num(lead), np.nan)


def learnt_reliabilities(data: VotedPairs, rows: IntArray) -> FloatArray:
    """2 P(A better) - 1 by `assize.stats._reliability.fit_votes`: several starts, the way round
    that most judges speak for, and a discount for judges that err together."""
    votes = data.votes.take(rows)
    lead = np.zeros(len(rows))
    if votes.sided.any():
        lead = np.nan_to_num(2 * learnt_from(votes).posterior[:, 0] - 1)
    return np.where(data.counts[rows].sum(axis=1) > 0, lead, np.nan)


def learnt_from(votes: Votes) -> Reliabilities:
    """The reliabilities of judges from their votes alone, without intervals.

    Of very many pairs also what is looked at first is drawn, the same on every run.
    """
    return fit_votes(votes, resamples=0, rng=np.random.default_rng(0))


TARGETS: Mapping[str, Targets] = {
    "majority vote": majority,
    "average": average,
    "Dawid-Skene": posterior,
    "learnt reliabilities": learnt_reliabilities,
}
