"""Ratings that a calibrator was not fitted on, what it predicts of them, and their events."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from assize.base.conversation import Item
from assize.base.errors import ConfigError, DataError
from assize.calibrate._calibrator import Calibrator, check_rated, predict
from assize.calibrate._data.build_forms import forms_of
from assize.calibrate._data.features import Features, FloatArray
from assize.calibrate._data.forms import NO_ANSWER, UNKNOWN, Forms, IntArray, Scale
from assize.judgments import JudgmentTable
from assize.judgments.membership import RATER, Labels, unit_labels


def held_out_forms(
    calibrator: Calibrator,
    features: Features,
    ratings: JudgmentTable,
    groups: Mapping[str, str] | None = None,
) -> Forms:
    """The ratings of what a calibrator predicts, by raters as it knows them (or as `groups`)."""
    check_rated(calibrator)
    for name in (groups or {}).values():
        if name not in calibrator.raters:
            raise ConfigError(f"group {name}: the calibrator was not fitted with that group")
    target = calibrator.target
    rated = replace(ratings, questions={**ratings.questions, target.id: target.question})
    theirs = set(rated.where(question=target.id).judges)
    mine = {rater: name for rater, name in (groups or {}).items() if rater in theirs}
    return forms_of(features, rated, target.id, auxiliary=(), groups=mine)


@dataclass(frozen=True, slots=True, eq=False)
class HeldOut:
    """Held ratings beside their predictions."""

    p: FloatArray  # (N, K) predicted answers; NaN for items about which nothing is known
    y: IntArray  # (N,) places of the answers that were given
    item: IntArray  # (N,) what a rating is about; ratings of one item are not independent
    scale: Scale  # of the answers

    def take(self, rows: NDArray[np.bool_]) -> HeldOut:
        """Some of the ratings."""
        return HeldOut(self.p[rows], self.y[rows], self.item[rows], self.scale)

    @property
    def events(self) -> tuple[FloatArray, FloatArray]:
        """Predicted (N, E) and true (N, E): at most each answer but the highest, by rising
        value; where answers are not ordered, each answer."""
        return to_events(self.p, self.scale), to_events(np.eye(len(self.scale))[self.y], self.scale)


def predict_held_out(calibrator: Calibrator, forms: Forms) -> tuple[HeldOut, Forms]:
    """Predictions of the ratings in `forms`, and the forms that hold one."""
    if forms.target.question.answers != calibrator.target.question.answers:
        raise DataError(
            f"{forms.target.id!r} was answered with {', '.join(forms.target.question.answers)};"
            f" predicted are {', '.join(calibrator.target.question.answers)}"
        )
    forms = forms.take(forms.y != NO_ANSWER)
    known = {name: place for place, name in enumerate(calibrator.raters)}
    found = np.empty((len(forms), len(calibrator.target)))
    features = forms.features
    for place, name in enumerate(forms.raters):
        rows = forms.rater == place
        some = features.take(forms.item[rows])
        found[rows] = predict(calibrator, some, [known.get(name, UNKNOWN)])[:, 0]
    places: dict[str, int] = {}
    code = [places.setdefault(item, len(places)) for item, _ in features.units]  # turns together
    return HeldOut(found, forms.y, np.array(code)[forms.item], calibrator.target), forms


def to_events(p: FloatArray, scale: Scale) -> FloatArray:
    """P(answer <= k) for all k but the highest, or the answers' own where they have no order."""
    if not scale.ordered:
        return p
    return np.asarray(np.clip(np.cumsum(p[:, scale.rising], axis=1)[:, :-1], 0, 1))


def from_events(events: FloatArray, scale: Scale) -> FloatArray:
    """Distributions (N, K) of events (N, E); crossing ones sorted (Chernozhukov et al., 2010)."""
    if not scale.ordered:
        return np.asarray(events / events.sum(axis=1, keepdims=True))
    steps = np.diff(np.sort(events, axis=1), axis=1, prepend=0, append=1)
    steps[np.isnan(events).any(axis=1)] = np.nan
    found = np.empty_like(steps)
    found[:, scale.rising] = steps
    return found


def form_labels(fields: Sequence[str], forms: Forms, items: Iterable[Item]) -> Labels:
    """The groups of every form (N,), by its item and its rater; raises as `unit_labels` does."""
    by_unit = unit_labels(fields, forms.features.units, items)
    raters = tuple(forms.raters[place] for place in forms.rater)
    return {
        field: raters if field == RATER else tuple(by_unit[field][place] for place in forms.item)
        for field in dict.fromkeys(fields)
    }
