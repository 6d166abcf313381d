"""assize's default calibrator as a row of the study."""

from __future__ import annotations

import numpy as np

from assize.calibration.calibrator import predict_own_raters
from assize.calibration.data.features import FloatArray
from assize.calibration.data.forms import Forms, IntArray
from assize.calibration.hierarchical.fit import fit_default
from assize.calibration.study.data import Data
from assize.calibration.study.predicted import Rows, of_probabilities


def default(data: Data) -> Rows:
    """assize's default calibrator; without seeds of its own, but with each seed's folds."""
    forms = data.forms
    p = np.full((len(data.seeds), len(forms), len(forms.target)), np.nan)
    place = {seed: line for line, seed in enumerate(data.seeds)}
    for seed, fitted, held in data.splits(data.known):
        p[place[seed], held] = predicted_by_default(forms, fitted, held)
    return {"default": of_probabilities(p, forms.target.values)}


def predicted_by_default(forms: Forms, fitted: IntArray, held: IntArray) -> FloatArray:
    """The held forms' answers (n, K), each by its own rater, after fitting on others.

    NaN where all that is fitted on is one answer, which teaches nothing.
    """
    if len(np.unique(forms.y[fitted])) < 2:
        return np.full((len(held), len(forms.target)), np.nan)
    return predict_own_raters(fit_default(forms.take(fitted)), forms.take(held))
