"""What was learnt of the judges: one row a judge and question."""

from __future__ import annotations

import numpy as np

from assize.evaluator._evaluator import JudgeReliability
from assize.evaluator._training.given_differences import Bounds, Reliabilities
from assize.evaluator._training.lessons import Lessons
from assize.results import Estimate
from assize.stats._arrays import FloatArray


def judge_reliabilities(
    lessons: Lessons, learnt: Reliabilities, bounds: Bounds, difference: FloatArray
) -> list[JudgeReliability]:
    """Return a row for each judge with a vote for a side, question by question.

    Args:
        learnt, bounds: (J, K) alpha and beta with the ends of their intervals.
        difference: (N, K) of pairs that were not learnt from; above 0 towards A.
    """
    votes = lessons.votes
    total = (votes.for_a + votes.for_b).sum(axis=0)
    above = (difference > 0)[:, None]
    right = np.where(above, votes.for_a, votes.for_b).sum(axis=0)
    alpha = np.stack([learnt.alpha, bounds.alpha_low, bounds.alpha_high], axis=-1)
    beta = np.stack([learnt.beta, bounds.beta_low, bounds.beta_high], axis=-1)
    return [
        JudgeReliability(
            question,
            judge,
            _estimate(alpha[j, k], total[j, k]),
            _estimate(beta[j, k], total[j, k]),
            float(right[j, k] / total[j, k]),
        )
        for k, question in enumerate(lessons.questions)
        for j, judge in enumerate(lessons.judges)
        if total[j, k] > 0
    ]


def _estimate(values: FloatArray, votes: float) -> Estimate:
    value, low, high = values.tolist()
    return Estimate(value, (low, high), int(votes))
