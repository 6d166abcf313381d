"""assize's default calibrator as a row of the study."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from assize.calibration.calibrator import Calibrator, of_own_raters
from assize.calibration.data.features import FloatArray
from assize.calibration.data.forms import Forms, IntArray
from assize.calibration.hierarchical.fit import fit_default
from assize.calibration.study.data import Data, Rows
from assize.studies import Predictions, cross_fit


def default(data: Data) -> Rows:
    """assize's default calibrator; without seeds of its own, but with each seed's folds."""
    found = cross_fit(Default(), data.forms, data.folds, fit=data.known)
    return {"default": Predictions.of(found, data.forms.target.values)}


class Default:
    """The default calibrator as a method of forms."""

    def fit(self, forms: Forms, rows: IntArray, seed: int = 0) -> Fitted:
        """Learns from these forms; nothing where they are all of one answer."""
        if len(np.unique(forms.y[rows])) < 2:
            return Fitted(None)
        return Fitted(fit_default(forms.take(rows)))


@dataclass(frozen=True, slots=True)
class Fitted:
    """Predicts each form by its own rater."""

    calibrator: Calibrator | None

    def predict(self, forms: Forms, rows: IntArray) -> FloatArray:
        """Probabilities (n, K); NaN where nothing was learnt."""
        if self.calibrator is None:
            return np.full((len(rows), len(forms.target)), np.nan)
        return of_own_raters(self.calibrator, forms.take(rows))
