"""A calibrator from a model's answers and people's ratings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from assize.base.conversation import Item
from assize.base.errors import ConfigError
from assize.calibrate._calibrator import Calibrator
from assize.calibrate._data.build_forms import forms_of
from assize.calibrate._data.embedding import embed_conversations
from assize.calibrate._data.features import Features, NotAsked, features_of
from assize.calibrate._data.forms import Forms, ItemSets
from assize.calibrate._data.inputs import Beside, RaterRoles
from assize.calibrate._data.metadata import metadata_features
from assize.calibrate._data.texts import text_features
from assize.calibrate._fit_options import Default, Private, Published
from assize.calibrate._fitted import FittedCalibrator
from assize.calibrate._inputs import group_of, ratings_beside, tell_lacking
from assize.calibrate._kinds import fit_forms
from assize.calibrate._network.grids import GRIDS, STARTS
from assize.calibrate._prediction.cross_fitted_errors import cross_fitted_errors
from assize.calibrate._seen import hash_rated
from assize.encoders import load_encoder
from assize.formats import ItemsLike, JudgmentsLike
from assize.formats.arguments import answers_in, items_in, listed, names_of
from assize.formats.labels import ItemLabels
from assize.formats.labels.labelling import labels_as_ratings
from assize.judgments import JudgmentTable
from assize.judgments.membership import group_units
from assize.results.encoding import record_to_json
from assize.results.log import log
from assize.running.progress import progress


def fit(
    answers: JudgmentsLike,
    ratings: JudgmentsLike | None = None,
    *,
    target: str,
    label: str | ItemLabels | None = None,
    items: ItemsLike | None = None,
    beside: Beside = Beside(),
    na: NotAsked = "kept",
    raters: RaterRoles = RaterRoles(),
    model: Default | Published | Private = Default(),
    out: str | Path | None = None,
    quiet: bool = False,
) -> FittedCalibrator:
    """Learn what each rater would answer from what a model answered.

    Any subset of questions may be answered, and any subset of items rated. NA and missing ratings
    are left out, repeated ones are kept, and all are counted. The default needs no seed: the same
    data give the same numbers.

    Args:
        answers: model judgments: files or folders of runs (repeatable).
        ratings: judgments by people, or a table that they filled in (repeatable).
        target: question to predict.
        label: what counts as good, in place of ratings, for example thumbs:up=1,down=0 (a field of
            `items`), or a file of ids and labels: 1 and 0 by the rater gold.
        items: files of the conversations (repeatable).
        beside: what is learnt from beside the answers: scores, embeddings, metadata.
        na: how to treat a model's answers to questions that people were not asked: kept, or zeros
            as in the paper.
        raters: who is predicted, who helps, who counts as one, and who is left out.
        model: which calibrator to fit: default, or paper (the published network, with a search). In
            Python `Default`, `Published`, or `Private`, which is that network with differential
            privacy.
        out: folder to write the new calibrator to.
        quiet: no progress.

    Returns:
        The calibrator, with `predict`, `save`, and the facts of its fit in `about`.

    Raises:
        ConfigError: an option is not among those allowed, or has no use here.
        DataError: a row is bad, or there is too little to learn from.
    """
    said, metadata = answers_in(answers), names_of(beside.metadata) or []
    sets = model.sets if isinstance(model, Default) else None
    preferences = model.preferences if isinstance(model, Default) else None
    known = list(items_in(items))
    features = features_of(said, na=na)
    if beside.scores is not None:
        features = features.beside(features_of(answers_in(beside.scores, what="beside")))
    features = _embedded(features, said, beside.embed, known)
    if metadata:
        features = features.beside(metadata_features(features.units, known, metadata))
    tell_lacking(features, {block.key for block in features.blocks if block.late})
    rated = _rated(said, ratings, label, known, target)
    trusted = raters.trusted
    forms = forms_of(
        features,
        _without(listed(raters.drop_rater), rated),
        target,
        preferences=preferences,
        groups=group_of(raters.group),
        trusted=None if trusted is None else names_of(trusted) or [],
    )
    if sets is not None:
        labels = group_units(features.units, sets, known, option="set").names
        forms = replace(forms, sets=ItemSets.of(sets, labels, forms.item))
    settings = 0
    if isinstance(model, Published):
        settings = len(GRIDS[model.grid]) // (1 if model.start is None else len(STARTS))
    with progress("settings", settings, quiet=quiet or not settings) as advance:
        calibrator, about = fit_forms(forms, model, tick=advance)
    if not isinstance(model, Private) and model.joint_errors:
        about["joint_errors"] = _joint_errors(forms, calibrator, model)
    if forms.choices is not None:
        about["preferences"] = forms.target.id if preferences is None else preferences
    if na != "kept":
        about["na"] = na
    folder = None if out is None else str(out)
    found = FittedCalibrator(
        calibrator,
        None,
        about,
        folder,
        beside.embed,
        seen=hash_rated(forms),
    )
    if out is not None:
        found.save(out)
    return found


def _embedded(
    features: Features, answers: JudgmentTable, embed: str | None, items: Sequence[Item]
) -> Features:
    """The features with embeddings beside them: of free-text answers, and of conversations."""
    free = [one.id for one in answers.questions.values() if one.kind == "text"]
    if embed is None:
        if free:
            log.info("free text is not read without embed: %s left out", ", ".join(free))
        return features
    encoder = load_encoder(embed, cached=True)
    texts = text_features(answers, encoder, embed)
    if texts is None and not items:
        raise ConfigError(
            "embed has nothing to read: give items, or answers to a question of kind text",
            "embed",
            "items",
            "answers",
        )
    if texts is not None:
        features = features.beside(texts)
    if items:
        features = features.beside(embed_conversations(features.units, items, encoder, embed))
    return features


def _rated(
    said: JudgmentTable,
    ratings: JudgmentsLike | None,
    label: str | ItemLabels | None,
    items: Sequence[Item],
    target: str,
) -> JudgmentTable:
    """What people said, or the labels."""
    if label is not None:
        return labels_as_ratings(
            items,
            label,
            instead_of=ratings,
            called="ratings",
            known=said.items,
            question=target,
        )
    if ratings is None:
        raise ConfigError(
            "ratings: received None; give ratings, or a label of the conversations (label)"
        )
    return ratings_beside(said, ratings, target)


def _joint_errors(
    forms: Forms, calibrator: Calibrator, model: Default | Published
) -> dict[str, Any]:
    """What raters' errors share, by calibrators of this one's setting fitted on parts."""
    refit = calibrator.abilities.refit

    def fit(some: Forms) -> Calibrator:
        if refit is None:
            return fit_forms(some, model)[0]
        return refit(some, [np.arange(len(some))], model.seed)[0]

    return record_to_json(cross_fitted_errors(forms, fit, seed=model.seed))


def _without(raters: Sequence[str], ratings: JudgmentTable) -> JudgmentTable:
    """The ratings but for those by some raters."""
    for name in raters:
        if name not in ratings.judges:
            raise ConfigError(f"drop_rater {name}: nobody of that id rated anything")
    return ratings.where(judge=[name for name in ratings.judges if name not in raters])
