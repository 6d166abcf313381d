"""Agreement of preferences over pairs: accuracy with ties."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from assize.results.types import Estimate
from assize.stats._arrays import FloatArray, numbers, same_length
from assize.stats._intervals import share


@dataclass(frozen=True, slots=True)
class PairwiseAccuracy:
    """Three ways to count, none of which is wrong and which must not be mixed.

    Args:
        with_tie: three answers (A, tie, B), all pairs.
        without_tie: pairs whose gold is decided; a predicted tie is wrong.
        both_decided: pairs where gold and prediction are decided.
        coverage: share of the decided-gold pairs in which the prediction is decided too.
    """

    with_tie: Estimate
    without_tie: Estimate
    both_decided: Estimate
    coverage: Estimate


def pairwise_accuracy(
    predicted: ArrayLike,
    gold: ArrayLike,
    *,
    clusters: ArrayLike | None = None,
    confidence: float = 0.95,
) -> PairwiseAccuracy:
    """Return how often a judge prefers the response that gold prefers.

    Args:
        predicted: (N,) A's score less B's: above 0 prefers A; NaN is unscored.
        gold: (N,) in the same form; only the sign counts.
        clusters: (N,) labels, for instance of conversations.
        confidence: of the intervals.

    Returns:
        Shares with Wilson's intervals; NaN with a reason where no pair counts.

    Source: MTDEval (`w/ tie`, `w/o tie`); Zheng et al. (2023), MT-Bench (`both_decided`).

    >>> result = pairwise_accuracy([1, 0, -1, 1], [1, 1, 0, -1])
    >>> result.with_tie.estimate, round(result.without_tie.estimate, 3)
    (0.25, 0.333)
    """
    margin, truth = numbers(predicted, "predicted"), numbers(gold, "gold")
    same_length(predicted=margin, gold=truth)
    truth, strict = np.sign(truth), np.sign(margin)
    has_gold, decided = truth != 0, (truth != 0) & ~np.isnan(truth)

    def of(right: FloatArray, rows: np.ndarray[tuple[int], np.dtype[np.bool_]]) -> Estimate:
        kept = None if clusters is None else np.asarray(clusters)[rows]
        return share(right[rows], clusters=kept, confidence=confidence)

    right = np.where(np.isnan(strict) | np.isnan(truth), np.nan, strict == truth)
    return PairwiseAccuracy(
        with_tie=of(right, np.ones(len(truth), dtype=bool)),
        without_tie=of(right, has_gold & decided),
        both_decided=of(right, decided & (strict != 0)),
        coverage=of(np.where(np.isnan(strict), np.nan, strict != 0), decided),
    )
