"""How much raters who are not trusted may help with those who are."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from functools import partial
from typing import Any

import numpy as np

from assize.base.errors import DataError
from assize.calibrate._calibrator import log_likelihood, predict_folds, predict_own_raters
from assize.calibrate._data.features import FloatArray
from assize.calibrate._data.forms import NO_ANSWER, Forms
from assize.calibrate._fit_options import Default, Personal
from assize.calibrate._hierarchical.calibrator import Hierarchical
from assize.calibrate._hierarchical.fit import fit_default

COUNTS = (1.0, 0.3, 0.1, 0.03, 0.0)  # what an answer of theirs may count
FOLDS = 5


def learn_helper_weight(forms: Forms, *, personal: Personal = "all") -> float:
    """The one of `COUNTS` that predicts trusted raters best.

    Cross-validated by item on the log-likelihood of trusted raters' answers. An answer's
    discount is the power of its likelihood (Ibrahim and Chen, 2000). Folds are drawn with a
    fixed seed: same forms, same weight.

    Raises:
        DataError: trusted raters rated too few items, or always said the same.
    """
    forms = forms.take(forms.y != NO_ANSWER)
    items = np.unique(forms.item[~forms.by_helper])
    if len(items) < FOLDS:
        raise DataError(
            f"trusted raters rated {len(items)} items; at least {FOLDS} are needed to learn"
            " how much the others' ratings are worth"
        )
    trusted = ~forms.by_helper

    def held_out(count: float) -> FloatArray:
        """Return the log-likelihood of trusted raters' answers, fitted on the other folds."""
        p = predict_folds(
            forms,
            partial(fit_default, personal=personal, helper_weight=count),
            predict_own_raters,
            folds=FOLDS,
            rng=np.random.default_rng(0),
            ask=trusted,
        )
        return log_likelihood(p[trusted], forms.y[trusted])

    likelihoods = [held_out(count).mean() for count in COUNTS]
    return COUNTS[int(np.argmax(likelihoods))]


def fit_hierarchical(
    forms: Forms, model: Default, tick: Callable[[int], None] | None = None
) -> tuple[Hierarchical, dict[str, Any]]:
    """The default calibrator, helpers' ratings counting as much as is learnt, and what to tell."""
    details: dict[str, Any] = {}
    weight = 1.0
    if forms.helpers and forms.target.question.kind != "preference":
        weight = details["helpers_count"] = learn_helper_weight(forms, personal=model.personal)
    found = fit_default(forms, personal=model.personal, helper_weight=weight)
    sets = found.sets
    of_sets = {} if sets is None else {"set": sets.by, "sets": list(sets.names)}
    return found, details | {"variances": asdict(found.posteriors[0].variances)} | of_sets
