"""What a method predicts, and what is made of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from assize.calibration.data.features import FloatArray
from assize.calibration.study.data import Data
from assize.stats import fit_isotonic


@dataclass(frozen=True, slots=True, eq=False)
class Predicted:
    """Predictions of the target for every form, one set a seed.

    Args:
        value: (S, N) on the scale of the target's values; NaN where there is none.
        p: (S, N, K) probabilities of its answers, or None where a method has none.
        only_order: `value` is on a scale of its own: only correlations say something.
    """

    value: FloatArray
    p: FloatArray | None = None
    only_order: bool = False


Rows = dict[str, Predicted]
"""The rows of a method, by name; most have one."""


def of_probabilities(p: FloatArray, values: Sequence[float]) -> Predicted:
    """Decoded by the mean, which is best under squared error (L2)."""
    return Predicted(p @ np.asarray(values), p)


def constant_over_seeds(data: Data, value: FloatArray, p: FloatArray | None = None) -> Predicted:
    """The same (N,) values and (N, K) probabilities for every seed."""
    seeds = len(data.seeds)
    return Predicted(
        np.broadcast_to(value, (seeds, *value.shape)),
        None if p is None else np.broadcast_to(p, (seeds, *p.shape)),
    )


def isotonic(data: Data, predicted: Predicted) -> Predicted:
    """Predictions passed through an isotonic regression of each rater's own.

    It is fitted on cross-fitted predictions of the forms outside the fold, so that it
    sees errors as large as those it is to mend; raters with fewer than ten forms share
    one. Probabilities are not mapped, so there are none.
    """
    forms = data.forms
    raters = np.array(forms.raters)[forms.rater]
    found = np.full_like(predicted.value, np.nan)
    place = {seed: line for line, seed in enumerate(data.seeds)}
    usable = data.known & ~np.isnan(predicted.value).any(axis=0)
    for seed, fitted, held in data.splits(usable):
        line = place[seed]
        if len(fitted) == 0:
            continue
        said = predicted.value[line]
        model = fit_isotonic(said[fitted], forms.values[fitted], raters[fitted])
        found[line, held] = model.predict(said[held], raters[held])
    return Predicted(found)
