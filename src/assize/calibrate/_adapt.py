"""A calibrator taken to another set of conversations, with a handful of labels or none."""

from __future__ import annotations

from math import isnan
from pathlib import Path

import numpy as np

from assize.base.errors import ConfigError
from assize.calibrate._calibrator import check_rated
from assize.calibrate._data.features import Features
from assize.calibrate._data.forms import NO_ANSWER, Forms
from assize.calibrate._fitted import FittedCalibrator
from assize.calibrate._groups.held_out import held_out_forms
from assize.calibrate._hierarchical.adapt import adapt_default
from assize.calibrate._hierarchical.calibrator import Hierarchical
from assize.calibrate._inputs import (
    Fitted,
    GroupedRaters,
    calibrator_of,
    features_for,
    group_of,
    shifts_of,
)
from assize.calibrate._results.adapted import Adaptation, gains_of
from assize.calibrate._seen import hash_rated
from assize.formats import ItemsLike, JudgmentsLike
from assize.formats.arguments import items_in, ratings_in


def adapt(
    calibrator: Fitted,
    answers: JudgmentsLike,
    ratings: JudgmentsLike | None = None,
    *,
    out: str | Path | None = None,
    group: GroupedRaters | None = None,
    items: ItemsLike | None = None,
    seed: int = 0,
) -> Adaptation:
    """Adapt a calibrator to another set of conversations, such as those of a newer system.

    Learns the level at which the set is rated, and each rater's own level in it, from as few labels
    as there are. Without labels it only allows for the distance. Cross-validation shows whether the
    labels helped.

    Args:
        calibrator: folder that `calibrate fit` wrote. In Python also what `assize.calibrate.fit`
            has returned.
        answers: model judgments of the whole new set: files or folders of runs (repeatable).
        ratings: judgments by people of some of these items (repeatable).
        out: folder to write the adapted calibrator to.
        group: treat these raters as one, for example crowd=3,17,22 (repeatable).
        items: files of the conversations, if the calibrator reads embeddings of them (repeatable).
        seed: random seed.

    Returns:
        With `fitted`, the adapted calibrator. A correction by groups is left behind: it was
        learnt on another set.

    Raises:
        ConfigError: it is the published network, or was fitted on choices alone.
        DataError: the answers hold nothing that it reads, or a row is bad.
    """
    given = calibrator_of(calibrator, uncorrected=True)
    model = given.calibrator
    check_rated(model)
    if not isinstance(model, Hierarchical):
        raise ConfigError(
            "only the default calibrator can be adapted: the published network has no level of a"
            " set; fit it as Default"
        )
    features = features_for([given], answers, list(items_in(items)))
    forms = _forms(model, features.aligned(model.blocks), ratings, group)
    adapted, levels = adapt_default(model, forms)
    shifts = shifts_of(model, features)
    rated = [forms.raters[place] for place in np.unique(forms.rater)]
    new = [name for name in rated if name not in model.raters]
    about = {
        **given.about,
        "adapted_from": given.signature,
        "adapted_labels": len(forms),
        "adapted_raters": len(rated),
        "adapted_shifts": {name: None if isnan(at) else at for name, at in shifts.items()},
    }
    folder = None if out is None else str(out)
    seen = given.seen | hash_rated(forms)
    fitted = FittedCalibrator(adapted, None, about, folder, given.encoder, seen=seen)
    if out is not None:
        fitted.save(out)
    gains = gains_of(model, forms, np.random.default_rng(seed))
    items_rated = len({forms.features.units[place][0] for place in forms.item})
    return Adaptation(
        labels=len(forms),
        items=items_rated,
        raters=len(rated),
        new_raters=new,
        levels=levels,
        gains=gains,
        shifts=shifts,
        out=folder,
        signature=fitted.signature,
        fitted=fitted,
    )


def _forms(
    model: Hierarchical,
    features: Features,
    ratings: JudgmentsLike | None,
    group: GroupedRaters | None,
) -> Forms:
    """The labels, with an answer each; none where there are no ratings."""
    if ratings is None:
        nothing = np.empty(0, dtype=np.int64)
        return Forms(
            features.x[:0],
            nothing,
            nothing,
            np.empty((0, 1), dtype=np.int64),
            (model.target,),
            features,
            (),
        )
    table = ratings_in(ratings, stated=[model.target.question], target=model.target.id)
    forms = held_out_forms(model, features, table, group_of(group))
    return forms.take(forms.y != NO_ANSWER)
