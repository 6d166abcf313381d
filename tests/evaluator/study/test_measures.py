"""Figures of predicted differences, by hand."""

from __future__ import annotations

import numpy as np
import pytest

from assize.evaluator._study.measures import PAIR_LOSSES, PAIR_MEASURES
from assize.stats._studies import Predictions, Truth
from assize.stats._studies.measures import figures

NAN = float("nan")
# gold A, A, tie, B, none; predicted A, tie that leans to B, tie, none, A
TRUTH = Truth(np.array([1.0, 1, 0, -1, NAN]), np.arange(5))
PREDICTED = Predictions(np.array([[3.0, -0.5, 0.2, NAN, 2.0]]))


def test_accuracy_with_ties_and_without() -> None:
    found = figures(PREDICTED, TRUTH, np.ones(5, bool), PAIR_MEASURES)
    assert found["with_tie"].estimate == pytest.approx(2 / 3)
    assert (found["with_tie"].n, found["with_tie"].unscored) == (3, 1)
    assert found["without_tie"].estimate == 0.5
    assert (found["without_tie"].n, found["without_tie"].unscored) == (2, 1)


def test_losses_are_errors_pair_by_pair() -> None:
    with_ties = PAIR_LOSSES["errors with ties"].each(PREDICTED, TRUTH)
    without = PAIR_LOSSES["errors without ties"].each(PREDICTED, TRUTH)
    np.testing.assert_array_equal(with_ties, [0, 1, 0, NAN, NAN])
    np.testing.assert_array_equal(without, [0, 1, NAN, NAN, NAN])
