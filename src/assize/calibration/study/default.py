"""assize's default calibrator as a row of the study."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from assize.calibration.calibrator import fit_default
from assize.calibration.study.data import Data
from assize.calibration.study.predicted import Rows, of_probabilities


def default(data: Data) -> Rows:
    """assize's default calibrator; without seeds of its own, but with each seed's folds."""
    forms = data.forms
    p = np.full((len(data.seeds), len(forms), len(forms.target)), np.nan)
    place = {seed: line for line, seed in enumerate(data.seeds)}
    for seed, fitted, held in data.splits(data.known):
        model = fit_default(forms.take(fitted))
        features = replace(forms.features, units=(), x=forms.x[held])
        for rater in np.unique(forms.rater[held]).tolist():
            rows = forms.rater[held] == rater
            asked = replace(features, x=features.x[rows])
            p[place[seed], held[rows]] = model.probabilities(asked, [rater])[:, 0]
    return {"default": of_probabilities(p, forms.target.values)}
