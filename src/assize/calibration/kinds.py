"""The kinds of calibrators there are; to add one, copy the smallest sibling and add its row.

A kind is a dataclass that is a `calibrator.Calibrator`, and a function that fits it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from assize.calibration.calibrator import Calibrator
from assize.calibration.data.forms import Forms
from assize.calibration.fit_options import FitOptions
from assize.calibration.hierarchical.calibrator import Hierarchical
from assize.calibration.hierarchical.helper_weight import fit_by_options as fit_hierarchical
from assize.calibration.network.calibrator import Networks
from assize.calibration.network.fit import fit_by_options as fit_networks
from assize.errors import ConfigError

Tick = Callable[[int], None]


@dataclass(frozen=True, slots=True)
class CalibratorKind:
    """How one kind of calibrator is fitted, and the record that it is."""

    option: str  # what `network` of `assize.fit_calibrator` calls it
    # (forms, options, tick) -> calibrator, and what there is to tell of the fit
    fit: Callable[[Forms, FitOptions, Tick | None], tuple[Calibrator, dict[str, Any]]]
    record: type[Any]  # the dataclass that it is, kept in a folder field by field


KINDS: dict[str, CalibratorKind] = {
    "hierarchical": CalibratorKind("default", fit_hierarchical, Hierarchical),
    "network": CalibratorKind("paper", fit_networks, Networks),
}
"""By what `Calibrator.kind` says and stands in a calibrator's folder."""


def fit_forms(
    forms: Forms,
    kind: str = "hierarchical",
    options: FitOptions | None = None,
    *,
    tick: Tick | None = None,
) -> tuple[Calibrator, dict[str, Any]]:
    """Fits a calibrator as `assize calibrate fit` does.

    Args:
        kind: a row of `KINDS`, by its name or its option.
        tick: called with the number of settings that a search has done since the last call.

    Returns:
        The calibrator, and the facts of its fit: what `save` keeps as `about`.

    Raises:
        ConfigError: no such kind; an option that the kind has no use for.
        DataError: the forms hold too little; see the kinds' own functions.
    """
    rows = {one.option: one for one in KINDS.values()} | KINDS
    if kind not in rows:
        allowed = " and ".join(one.option for one in KINDS.values())
        raise ConfigError(f"network {kind}: allowed are {allowed}", "network")
    chosen = rows[kind]
    calibrator, details = chosen.fit(forms, FitOptions() if options is None else options, tick)
    return calibrator, counts(forms) | {"network": chosen.option} | details


def counts(forms: Forms) -> dict[str, Any]:
    """What a calibrator is fitted on, and what could not enter."""
    per_rater = np.bincount(forms.rater, minlength=len(forms.raters))
    return {
        "target": forms.target.id,
        "forms": len(forms),
        "ratings": int((forms.y >= 0).sum()),
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
