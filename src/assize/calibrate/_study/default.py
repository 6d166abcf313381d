"""assize's default calibrator as a row of the study."""

from __future__ import annotations

import numpy as np

from assize.calibrate._calibrator import predict_new_items
from assize.calibrate._data.forms import Forms, IntArray
from assize.calibrate._hierarchical.fit import fit_default
from assize.calibrate._study.data import Data, Rows
from assize.stats._studies import Predict, Predictions, cross_fit


def default(data: Data) -> Rows:
    """assize's default calibrator; without seeds of its own, but with each seed's folds.

    What a fold holds out is predicted as a new file is by `predict`.
    """
    found = cross_fit(default_method, data.forms, data.folds, fit=data.known)
    return {"default": Predictions.of(found, data.forms.target.values)}


def default_method(forms: Forms, rows: IntArray, seed: int = 0) -> Predict[Forms]:
    """The default calibrator as a method of forms (n, K); NaN where all gave one answer."""
    if len(np.unique(forms.y[rows])) < 2:
        return lambda forms, rows: np.full((len(rows), len(forms.target)), np.nan)
    fitted = fit_default(forms.take(rows))
    return lambda forms, rows: predict_new_items(fitted, forms.take(rows))
