"""Which way round: the likelihood cannot tell a fit from the one with the sides exchanged.

(alpha, beta) and (1 - beta, 1 - alpha) with the classes' shares exchanged say the same of all
votes. What decides is outside of them: that judges are right more often than wrong, a judge
that is trusted, or labels that are known.

The first is put as odds. A judge that is always right is held to be 19 times as probable as
one that is always wrong, one at chance says nothing, and in between the log-odds are
proportional to alpha + beta - 1. Odds of independent judges multiply; judges that err
together count for less (`dependence.independence`). So one perfect judge alone is sure at
95%, and many judges barely above chance, or variants of few models, are not.

Known labels are odds too. What votes say of a label may be as sure as one pleases, and wrong
all the same; so all labels together never count for more than the share of them that the votes
name shows (`of_labels`).
"""

from __future__ import annotations

import numpy as np
from scipy.special import betainc, expit

from assize.stats._arrays import FloatArray

LEVEL = 0.95
"""How probable the way round must be; below it a fit is called doubtful."""

FEWEST_ANCHORS = 10

_PERFECT = np.log(LEVEL / (1 - LEVEL))  # log 19


def log_odds(alpha: FloatArray, beta: FloatArray, weight: FloatArray) -> FloatArray:
    """Log-odds that judges stand the right way round: (...,) of alpha and beta (..., J).

    Args:
        weight: (J,) how much of an independent judge each one is.

    >>> one = np.array([1.0])
    >>> round(float(np.exp(log_odds(one, one, one))), 6)
    19.0
    """
    return np.asarray(_PERFECT * (alpha + beta - 1) @ weight)


def of_labels(
    evidence: FloatArray, for_a: FloatArray, for_b: FloatArray, discounted: float
) -> float:
    """Log-odds that known labels add: what votes alone say of them, for or against.

    Args:
        evidence: (R,) log-odds of A that the votes of each row give.
        for_a, for_b: (R,) how many pairs of the row are known to be A, and B.
        discounted: design effect of the votes.

    Returns:
        The sum of the evidence, no further from 0 than the log-odds that votes name more than
        half of such labels, given how many of these they name (a uniform prior on the share).

    >>> sure = np.array([50.0])
    >>> round(of_labels(sure, np.array([6.0]), np.array([4.0]), 1.0), 2)
    0.97
    """
    total = float(evidence @ (for_a - for_b)) / discounted
    right = for_a @ (evidence > 0) + for_b @ (evidence < 0)
    wrong = for_a @ (evidence < 0) + for_b @ (evidence > 0)
    shares = betainc([right + 1, wrong + 1], [wrong + 1, right + 1], 0.5)
    bound = abs(float(np.diff(np.log(np.maximum(shares, np.finfo(np.float64).tiny)))[0]))
    return float(np.clip(total, -bound, bound))


def probability(alpha: FloatArray, beta: FloatArray, weight: FloatArray, added: float) -> float:
    """Probability of the right way round over resamples (R, J), with log-odds `added`."""
    return float(np.mean(expit(log_odds(alpha, beta, weight) + added)))


def divided(alpha: FloatArray, beta: FloatArray) -> bool:
    """Whether more judges are worse than chance than better, though their mean is better."""
    right = alpha + beta - 1
    return bool(float(np.median(right)) <= 0)
