"""The linear head and the judges' reliabilities learnt together, as MTDEval learns its network."""

from __future__ import annotations

import numpy as np

from assize.base.errors import DataError
from assize.evaluator._study.linear_head import Costs, LinearHead, design
from assize.evaluator._study.targets import learnt_from
from assize.evaluator._study.voted_pairs import VotedPairs
from assize.evaluator._training.given_differences import Reliabilities
from assize.evaluator._training.objective import cost_of_votes, logits_of, reliabilities_of
from assize.stats._arrays import FloatArray, IntArray
from assize.stats._reliability import Votes

BEGIN, EDGE = 0.7, 0.02  # where a judge of whom nothing is known begins, and how near 0 and 1
CURVATURE = 1 / np.pi  # of -log Phi(d / sqrt 2) by d, at d = 0


def joint(data: VotedPairs, rows: IntArray) -> LinearHead:
    """The head that, with the best reliabilities, makes the votes most probable."""
    return fit_joint(data, rows)[0]


def fit_joint(data: VotedPairs, rows: IntArray) -> tuple[LinearHead, Reliabilities]:
    """The head, and alpha and beta (J, 1) of the judges.

    Reliabilities begin where the votes alone put them, which settles which side is up, and are not
    penalised.

    Raises:
        DataError: no vote is for a side.

    Source: MTDEval (Tang et al.), equations 1-9. Differs: a linear head, L-BFGS on all pairs, and
    the start.
    """
    voted = data.votes.take(rows).sided[:, 0]
    if not voted.any():
        raise DataError("no vote is for A or B; nothing can be learnt from these judges")
    kept = rows[voted]
    votes = data.votes.take(kept)
    made = design(data, kept)
    shape = (2, votes.shape[1], 1)

    def cost(d: FloatArray, more: FloatArray) -> Costs:
        found = cost_of_votes(votes, d[:, None], more.reshape(shape))
        return Costs(found.value, found.difference[:, 0], found.logits.ravel())

    found = made.minimise(cost, logits_of(_begin(votes)).ravel(), CURVATURE)
    return found.head, reliabilities_of(found.more.reshape(shape))


def _begin(votes: Votes) -> Reliabilities:
    """Where votes alone put the judges; one without a vote for a side begins above chance."""
    found = learnt_from(votes)
    return Reliabilities(
        *(
            np.where(np.isnan(part), BEGIN, np.clip(part, EDGE, 1 - EDGE))
            for part in (found.alpha, found.beta)
        )
    )
