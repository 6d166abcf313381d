"""Figures of predicted differences, in units of the tie threshold, against the gold of pairs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

import numpy as np

from assize import stats
from assize.evaluator._ties import answers
from assize.stats import Estimate
from assize.stats._arrays import FloatArray
from assize.stats._studies import Loss, Measure, Predictions, Truth


def right(predicted: Predictions, truth: Truth) -> FloatArray:
    """(S, N) 1 where the answer is gold's; NaN where either is missing."""
    return _equal(answers(predicted.value, 1.0), truth.values)


def right_side(predicted: Predictions, truth: Truth) -> FloatArray:
    """(S, N) 1 where the sign is gold's; NaN where gold is a tie, or either is missing."""
    decided = np.where(truth.values == 0, np.nan, truth.values)
    return _equal(np.sign(predicted.value), decided)


def _equal(given: FloatArray, truth: FloatArray) -> FloatArray:
    known = ~(np.isnan(given) | np.isnan(truth))
    return np.where(known, given == truth, np.nan)


def _with_ties(predicted: Predictions, truth: Truth) -> Estimate:
    return stats.share(right(predicted, truth)[0], clusters=truth.clusters)


def _without_ties(predicted: Predictions, truth: Truth) -> Estimate:
    decided = truth.values != 0
    found = right_side(predicted, truth)[0]
    return stats.share(found[decided], clusters=truth.clusters[decided])


PAIR_MEASURES: Mapping[str, Measure] = {
    "with_tie": Measure("accuracy with ties", "w/ tie", _with_ties),
    "without_tie": Measure("accuracy without ties", "w/o tie", _without_ties),
}


def _wrong(
    of: Callable[[Predictions, Truth], FloatArray], predicted: Predictions, truth: Truth
) -> FloatArray:
    return np.asarray(1 - of(predicted, truth).mean(axis=0))


PAIR_LOSSES: Mapping[str, Loss] = {
    "errors with ties": Loss("with_tie", partial(_wrong, right)),
    "errors without ties": Loss("without_tie", partial(_wrong, right_side)),
}
