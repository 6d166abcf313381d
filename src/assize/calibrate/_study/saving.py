"""What an adaptive rubric saves: calls against accuracy, beside a fixed order of questions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Literal

import numpy as np

from assize.calibrate._active.adaptive_rubric import AdaptiveRubric, State
from assize.calibrate._active.impute_answers import fit_imputer
from assize.calibrate._data.features import FloatArray
from assize.calibrate._data.forms import IntArray
from assize.calibrate._hierarchical.fit import fit_default
from assize.calibrate._study.data import Data
from assize.results import Column, Hidden
from assize.stats import log_loss, pearson, rmse
from assize.stats._studies.measures import FLOOR

LEASTS = (0.01, 0.003, 0.001, 0.0003, 0.0001, 0.0)
ORDERED_BY = 20  # items of what is fitted on whose paths make the fixed order


@dataclass(frozen=True, slots=True)
class Saved:
    """One rule for what is asked, cross-validated.

    Args:
        rule: `adaptive` stops where no question takes off `least` of the main score's variance;
            `fixed order` asks the first `most` questions of one order.
        calls: mean number of questions asked about an item.
        all_calls: mean number of questions that apply.
        saved: share of these that need no asking.
        rmse, pearson, log_loss: of the raters' answers, every rater's own prediction.
    """

    rule: str
    least: Annotated[float | None, Column("gain below", digits=None)]
    most: Annotated[int | None, Column("questions")]
    calls: Annotated[float, Column(digits=2)]
    all_calls: Hidden[float]
    saved: Annotated[float, Column("calls saved", "percent", digits=0, unit="%")]
    rmse: Annotated[float, Column("RMSE")]
    pearson: float
    log_loss: float
    n: Hidden[int]


@dataclass(frozen=True, slots=True, eq=False)
class _Walk:
    """One item's states under both rules, and the rows of the forms about it."""

    rows: IntArray
    adaptive: Sequence[State]
    fixed: Sequence[State]


def calls_saved(data: Data, leasts: Sequence[float] = LEASTS) -> list[Saved]:
    """Walks every item through the rubric, with the first seed's folds, to each of `leasts`."""
    walks: list[_Walk] = []
    first = replace(data.folds, fold=data.folds.fold[:1], seeds=data.folds.seeds[:1])
    for _, fitted, held in first.splits(data.known, data.known & ~data.folds.test):
        walks += _walked(data, fitted, held)
    found = []
    for least in leasts:
        kept = [_stopped(walk.adaptive, least) for walk in walks]
        found.append(_saved(data, walks, kept, "adaptive", least=least))
    longest = max(len(walk.fixed) for walk in walks)
    for most in range(longest):
        kept = [walk.fixed[: most + 1] for walk in walks]
        found.append(_saved(data, walks, kept, "fixed order", most=most))
    return found


def _walked(data: Data, fitted: IntArray, held: IntArray) -> list[_Walk]:
    forms = data.forms
    items = np.unique(forms.item[fitted])
    features = forms.features
    imputer = fit_imputer(replace(features, units=(), x=features.x[items]))
    known = tuple(np.unique(forms.rater[fitted]).tolist())
    calibrator = fit_default(forms.take(fitted))
    choosing = AdaptiveRubric(calibrator, imputer, known)
    order = _fixed_order(choosing, features.x[items])
    walks = []
    for item in np.unique(forms.item[held]).tolist():
        rows, x = held[forms.item[held] == item], features.x[item]
        paths = choosing.path(x), choosing.path(x, order)
        walks.append(_Walk(rows, *([state for _, state in path] for path in paths)))
    return walks


def _fixed_order(choosing: AdaptiveRubric, x: FloatArray) -> list[int]:
    """Blocks by their mean place on the adaptive paths of some items; 0 is the first."""
    count = len(choosing.columns)
    places = np.full((min(len(x), ORDERED_BY), count), np.nan)
    for line, row in enumerate(x[:: max(1, len(x) // ORDERED_BY)][:ORDERED_BY]):
        for step, (block, _) in enumerate(choosing.path(row)):
            if block is not None:
                places[line, block] = step
    mean = np.nansum(places, axis=0) / np.maximum((~np.isnan(places)).sum(axis=0), 1)
    mean[np.isnan(places).all(axis=0)] = count
    return [int(place) for place in np.argsort(mean, kind="stable")]


def _stopped(states: Sequence[State], least: float) -> Sequence[State]:
    for step, state in enumerate(states):
        best = state.best
        if best is None or state.gains[best] < least:
            return states[: step + 1]
    return states


def _saved(
    data: Data,
    walks: Sequence[_Walk],
    kept: Sequence[Sequence[State]],
    rule: Literal["adaptive", "fixed order"],
    *,
    least: float | None = None,
    most: int | None = None,
) -> Saved:
    forms = data.forms
    rows = np.concatenate([walk.rows for walk in walks])
    p = np.concatenate(
        [states[-1].p[forms.rater[walk.rows]] for walk, states in zip(walks, kept, strict=True)]
    )
    value = p @ np.asarray(forms.target.values)
    calls = float(np.mean([len(states) - 1 for states in kept]))
    all_calls = float(np.mean([len(walk.fixed) - 1 for walk in walks]))
    return Saved(
        rule,
        least,
        most,
        calls,
        all_calls,
        1 - calls / all_calls,
        rmse(value, forms.values[rows]).estimate,
        pearson(value, forms.values[rows]).estimate,
        log_loss(np.clip(p, 0, 1), forms.y[rows].astype(float), floor=FLOOR).estimate,
        len(rows),
    )
