"""How much raters who are not trusted may help with those who are."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from assize.calibration.folds import item_folds
from assize.calibration.forms import NO_ANSWER, Forms, IntArray
from assize.calibration.hierarchical.fitting import Personal, fit_default
from assize.calibration.table import FloatArray
from assize.errors import DataError

COUNTS = (1.0, 0.3, 0.1, 0.03, 0.0)  # what an answer of theirs may count
FOLDS = 5
LEAST = 1e-12  # of a probability whose logarithm is taken


def weight_of_helpers(forms: Forms, *, personal: Personal = "all") -> float:
    """The largest of `COUNTS` that predicts trusted raters as well as the best does.

    Cross-validated by item on the log-likelihood of trusted raters' answers, with the one
    standard-error rule towards pooling. An answer's discount is the power of its likelihood
    (Ibrahim and Chen, 2000). Folds are drawn with a fixed seed: same forms, same weight.

    Raises:
        DataError: trusted raters rated too few items, or always said the same.
    """
    forms = forms.take(forms.y != NO_ANSWER)
    items = np.unique(forms.item[~forms.helping])
    if len(items) < FOLDS:
        raise DataError(
            f"trusted raters rated {len(items)} items; at least {FOLDS} are needed to learn"
            " how much the others' ratings are worth"
        )
    fold = item_folds(forms, FOLDS, np.random.default_rng(0))
    each = np.array([_held_out(forms, fold, count, personal) for count in COUNTS])
    best = each[each.mean(axis=1).argmax()]
    for count, found in zip(COUNTS, each, strict=True):
        gap = best - found
        if gap.mean() <= gap.std(ddof=1) / np.sqrt(len(gap)):
            return count
    return COUNTS[-1]


def _held_out(forms: Forms, fold: IntArray, count: float, personal: Personal) -> FloatArray:
    """Log-likelihood of each trusted rater's answer, by what was fitted on the other folds."""
    found = np.full(len(forms), np.nan)
    for one in np.unique(fold):
        fitted = fit_default(forms.take(fold != one), personal=personal, helpers_count=count)
        held = np.flatnonzero((fold == one) & ~forms.helping)
        features = replace(forms.features, units=(), x=forms.x[held])
        p = fitted.probabilities(features, range(len(fitted.raters)))
        given = p[np.arange(len(held)), forms.rater[held], forms.y[held]]
        found[held] = np.log(np.maximum(given, LEAST))
    return found[~forms.helping]
