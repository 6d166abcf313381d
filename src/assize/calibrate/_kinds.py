"""The kinds of calibrators there are; to add one, copy the smallest sibling and add its row.

A kind is a dataclass that is a `calibrator.Calibrator`, and functions that fit it, each with the
settings that it takes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from assize.base.arguments import shown
from assize.base.errors import ConfigError
from assize.calibrate._calibrator import Calibrator
from assize.calibrate._data.forms import Forms
from assize.calibrate._fit_options import Default, Private, Published
from assize.calibrate._hierarchical.calibrator import Hierarchical
from assize.calibrate._hierarchical.helper_weight import fit_hierarchical
from assize.calibrate._network.calibrator import Networks
from assize.calibrate._network.fit import fit_private, fit_published
from assize.calibrate._network.search import Tick


@dataclass(frozen=True, slots=True)
class CalibratorKind:
    """How one kind of calibrator is fitted, and the record that it is."""

    # by the class of the settings: (forms, settings, tick) -> calibrator, what to tell of the fit
    fits: Mapping[type[Any], Callable[[Forms, Any, Tick | None], tuple[Calibrator, dict[str, Any]]]]
    record: type[Any]  # the dataclass that it is, kept in a folder field by field


KINDS: dict[str, CalibratorKind] = {
    "hierarchical": CalibratorKind({Default: fit_hierarchical}, Hierarchical),
    "network": CalibratorKind({Published: fit_published, Private: fit_private}, Networks),
}
"""By what `Calibrator.kind` says and stands in a calibrator's folder."""


def fit_forms(
    forms: Forms,
    model: Default | Published | Private = Default(),
    *,
    tick: Tick | None = None,
) -> tuple[Calibrator, dict[str, Any]]:
    """Fits a calibrator as `assize calibrate fit` does.

    Args:
        model: what to fit, or settings of a row of `KINDS`. What concerns the forms or what is
            learnt afterwards (`sets`, `preferences`, `joint_errors`) is `assize.calibrate.fit`'s.
        tick: called with the number of settings that a search has done since the last call.

    Returns:
        The calibrator, and the facts of its fit: what `save` keeps as `about`.

    Raises:
        ConfigError: nothing is fitted by such settings, or not of these forms.
        DataError: the forms hold too little; see the kinds' own functions.
    """
    for kind in KINDS.values():
        if type(model) in kind.fits:
            calibrator, details = kind.fits[type(model)](forms, model, tick)
            return calibrator, counts(forms) | {"network": model.word} | details
    allowed = ", ".join(one.__name__ for kind in KINDS.values() for one in kind.fits)
    raise ConfigError(f"model: received {shown(model)}; give one of {allowed}")


def counts(forms: Forms) -> dict[str, Any]:
    """What a calibrator is fitted on, and what could not enter."""
    per_rater = np.bincount(forms.rater, minlength=len(forms.raters))
    return {
        "target": forms.target.id,
        "forms": len(forms),
        "ratings": int((forms.y >= 0).sum()),
        "items": len(np.unique(forms.item)),
        "raters": len(forms.trusted),
        "helpers": forms.helpers,
        "choices": 0 if forms.choices is None else len(forms.choices),
        "raters_with_one_form": int((per_rater == 1).sum()),
        "duplicates": forms.duplicates,
        "answers_averaged": forms.features.duplicates,
        "answers_unscored": forms.features.unscored,
        "not_applicable": forms.not_applicable,
        "unscored": forms.unscored,
        "items_without_answers": len(forms.unmatched or {}),
        "ratings_without_answers": sum((forms.unmatched or {}).values()),
    }
