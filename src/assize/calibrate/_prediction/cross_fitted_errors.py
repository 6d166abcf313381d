"""What errors raters share, learnt from the very ratings that a calibrator is fitted on.

Predictions of ratings that were learnt from are too good, so each fold of items is predicted by
a calibrator of the others.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal

import numpy as np

from assize.calibrate._calibrator import Calibrator, predict_folds, predict_own_raters
from assize.calibrate._data.features import FloatArray
from assize.calibrate._data.forms import NO_ANSWER, UNKNOWN, Forms
from assize.calibrate._joint_errors import JointErrors, bounds_of, fit_joint_errors

FOLDS = 5
Fit = Callable[[Forms], Calibrator]


def cross_fitted_errors(
    forms: Forms,
    fit: Fit,
    *,
    questions: Sequence[str] = (),
    within: Literal["item", "form"] = "item",
    seed: int = 0,
) -> JointErrors:
    """Estimate how errors go together: of several raters of one item, or of one rater's answers.

    Args:
        forms: ratings with the features of their items; N rows.
        fit: fits a calibrator on some of the forms; called five times per question.
        questions: questions whose answers are taken together, each predicted by calibrators of its
            own; only the target if empty.
        within: `item` for errors that raters of an item share (footnote 20 of the paper), `form`
            for errors that one rater's answers about an item share (footnote 5).
        seed: of the folds.

    Raises:
        ConfigError: the answers to a question are not ordered.
        DataError: too few items (or forms) have several answers.
    """
    ends: list[tuple[FloatArray, FloatArray]] = []
    groups = []
    for name in questions or (forms.target.id,):
        asked = forms.with_target(name)
        asked.target.check_ordered("errors have no direction")
        known = (asked.y != NO_ANSWER) & ~asked.by_helper & (asked.rater != UNKNOWN)
        rng = np.random.default_rng(seed)  # the same folds for every question
        p = predict_folds(asked, fit, predict_own_raters, folds=FOLDS, rng=rng, ask=known)
        ends.append(bounds_of(p[known], asked.y[known], asked.target))
        groups.append(asked.item[known] if within == "item" else np.flatnonzero(known))
    lower, upper = (np.concatenate(each) for each in zip(*ends, strict=True))
    return fit_joint_errors(lower, upper, np.concatenate(groups))
