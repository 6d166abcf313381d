"""What an ensemble's agreement is made of: how much of it is left without references, and within
one system.

An ensemble that reads no reference still sees how a candidate is written, and one that knows the
systems by their manner agrees with people without knowing good turns from bad ones.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Annotated

import numpy as np

from assize import stats
from assize.reference._ratings import Unit
from assize.reference._study.data import DataSet
from assize.reference._study.ensembles import Predictions, cross_validate
from assize.results import Column, Estimate
from assize.stats._arrays import FloatArray, IntArray

ALL, NO_REFERENCE, WITHIN = "all metrics", "no reference used", "within one system"


@dataclass(frozen=True, slots=True)
class ControlFigures:
    """Pearson's r of held-out predictions with the mean ratings of items.

    Args:
        basis: `no reference used`: fitted again on the metrics that read no reference. `within one
            system`: of predictions and ratings less their means over each source's items.
    """

    target: str
    data: str | None
    ensemble: str
    basis: str
    r: Annotated[Estimate, Column(digits=3)]


def measure_controls(
    data: DataSet,
    target: str,
    group: list[Predictions],
    fold: IntArray | None,
    unit: Unit,
    seed: int,
) -> list[ControlFigures]:
    """Return the figures of the best cross-validated ensemble, and of the best metric beside it.

    Args:
        group: the best metric, then the ensembles, of one data set.
    """
    ratings = data.ratings[target].means
    fits = [model for model in group[1:] if model.reason is None]
    if not fits:
        return []
    r = [stats.pearson(model.values, ratings).estimate for model in fits]
    best = fits[int(np.argmax(np.nan_to_num(r, nan=-2.0)))]
    scored = ~np.isnan(best.values)
    data, truth = data.take(scored), ratings[scored]
    values, metric = best.values[scored], group[0].values[scored]
    bare = replace(data, columns=[column for column in data.columns if not column.referenced])
    folds = None if fold is None else fold[scored]
    without = cross_validate(best.model, bare, target, folds, unit, seed)

    def r_of(predictions: FloatArray) -> Estimate:
        return stats.pearson(predictions, truth, clusters=data.conversations)

    rows = [
        (best.model, ALL, r_of(values)),
        (
            best.model,
            NO_REFERENCE,
            r_of(without.values)
            if without.reason is None
            else Estimate(np.nan, reason=without.reason),
        ),
        (best.model, WITHIN, _within(values, truth, data)),
        (group[0].model, ALL, r_of(metric)),
        (group[0].model, WITHIN, _within(metric, truth, data)),
    ]
    return [ControlFigures(target, data.label, name, basis, r) for name, basis, r in rows]


def _within(values: FloatArray, truth: FloatArray, data: DataSet) -> Estimate:
    """Return r of what is left of both once each source's means are taken off."""
    scored = ~(np.isnan(values) | np.isnan(truth))
    x, y = np.full(len(values), np.nan), np.full(len(values), np.nan)
    for source in set(data.sources[scored].tolist()) - {""}:
        rows = scored & (data.sources == source)
        x[rows], y[rows] = values[rows] - values[rows].mean(), truth[rows] - truth[rows].mean()
    return stats.pearson(x, y, clusters=data.conversations)
