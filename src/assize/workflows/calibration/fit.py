"""A calibrator from a model's answers and people's ratings."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

import numpy as np

from assize.agreement.membership import SYSTEM, group_units
from assize.calibration import GRIDS, STARTS, FitOptions, features_of, fit_forms, forms_of
from assize.calibration.calibrator import Calibrator
from assize.calibration.data.embedding import embed_conversations
from assize.calibration.data.features import Features, NotAsked
from assize.calibration.data.forms import Forms, ItemSets
from assize.calibration.data.metadata import metadata_features
from assize.calibration.data.texts import text_features
from assize.calibration.fitted import FittedCalibrator
from assize.calibration.prediction.cross_fitted_errors import cross_fitted_errors
from assize.conversation import Item
from assize.encoders import load_encoder
from assize.errors import ConfigError
from assize.fields import METADATA
from assize.formats import ItemsLike, JudgmentsLike
from assize.formats.labels import ItemLabels
from assize.judgments import JudgmentTable
from assize.results.encoding import record_to_json
from assize.running.progress import progress
from assize.workflows.calibration.given import GroupedRaters, group_of, tell_lacking
from assize.workflows.given_labels import labels_as_ratings
from assize.workflows.reading import answers_in, items_in, listed, names_of, ratings_in

log = logging.getLogger("assize")


def fit_calibrator(
    answers: JudgmentsLike,
    ratings: JudgmentsLike | None = None,
    *,
    target: str,
    label: str | ItemLabels | None = None,
    out: str | Path | None = None,
    trusted: str | Sequence[str] | None = None,
    group: GroupedRaters | None = None,
    preferences: str | None = None,
    beside: JudgmentsLike | None = None,
    embed: str | None = None,
    metadata: str | Sequence[str] = (),
    items: ItemsLike | None = None,
    sets: str | None = None,
    na: NotAsked = "kept",
    personal: Literal["all", "last"] = "all",
    network: str = "default",
    grid: str | None = None,
    folds: int | None = None,
    seeds: int | None = None,
    dropout: float | None = None,
    answer_embeddings: int | None = None,
    start: float | None = None,
    mask_questions: float | None = None,
    joint_errors: bool = False,
    privacy: float | None = None,
    delta: float | None = None,
    privacy_unit: Literal["form", "rater"] | None = None,
    drop_rater: str | Sequence[str] = (),
    seed: int = 0,
    quiet: bool = False,
) -> FittedCalibrator:
    """Learns what each rater would answer from what a model answered.

    Any subset of questions may be answered and any subset of items rated. NA
    and missing ratings are left out; repeated ones are kept; all are counted.
    The default needs no seed: the same data give the same numbers.

    Args:
        answers: judgments by models, as files or runs (repeatable).
        ratings: judgments by people, or a table that they filled in (repeatable).
        target: the question to be predicted.
        label: what counts as good, in place of ratings, as thumbs:up=1,down=0 (a field of `items`)
            or a file of ids and labels: 1 and 0 by the rater gold.
        out: folder of the new calibrator.
        trusted: raters to be predicted, with commas or repeated: all others only help.
        group: take raters as one: crowd=3,17,22 (repeatable).
        preferences: a question about pairs to learn from too (A, B or tie).
        beside: scores to learn from once the answers are (repeatable).
        embed: learn from embeddings of `items` too, and of the model's free-text answers (questions
            of kind text): minilm, hf:NAME and others.
        metadata: learn from these fields of `items` too, with commas: system, metadata.NAME.
        items: the conversations (repeatable).
        sets: what tells sets of items apart, in which raters may have other levels: system,
            metadata.NAME (of `items`), or a regex, group 1.
        na: a model's answers to what people were not asked: kept, or zeros as in the paper.
        personal: what each rater has: all, or last, no weights on questions (users).
        network: which calibrator: default, or paper, the published network with a search.
        grid: settings that `network` paper searches: small, or published.
        folds: parts of that search, by item: 5.
        seeds: networks of `network` paper that are averaged: 1.
        dropout: share of forms trained without their rater, for raters unknown: 0.
        answer_embeddings: give answers of questions with more than 12 of them so many numbers
            each, as 5.
        start: standard deviation of the first weights of `network` paper, searched by default.
        mask_questions: share of the questions hidden in training, so that `network` paper learns
            what a missing answer says: 0.
        joint_errors: learn how far raters' errors about one item go together, which predictions of
            several raters at once and comparisons then allow for.
        privacy: fit `network` paper with differential privacy of this epsilon, as 3, unseeded.
        delta: of the same: 1e-5.
        privacy_unit: what it protects: form (one person's answers about one item), or rater (all of
            a person's, then nobody is known by name).
        drop_rater: leave out all ratings of this rater (repeatable).
        seed: seed of every random choice.
        quiet: no progress.

    Returns:
        The calibrator, with `predict`, `save`, and the facts of its fit in `about`.

    Raises:
        ConfigError: an option is not among those allowed, or has no use here.
        DataError: a row is bad, or there is too little to learn from.
    """
    options = FitOptions(
        personal,
        grid,
        folds,
        seeds,
        dropout,
        answer_embeddings,
        seed,
        start,
        mask_questions,
        privacy,
        delta,
        privacy_unit,
    )
    if privacy is not None and joint_errors:
        raise ConfigError(
            "joint_errors does not go with privacy: it reads the ratings again", "privacy"
        )
    said, read = answers_in(answers), names_of(metadata) or []
    known = list(items_in(items))
    _check_items(embed, read, known, sets, network, label is not None)
    features = _features(said, beside, embed, read, known, na)
    rated = _rated(said, ratings, label, known, target)
    forms = forms_of(
        features,
        _without(listed(drop_rater), rated),
        target,
        preferences=preferences,
        groups=group_of(group),
        trusted=None if trusted is None else names_of(trusted) or [],
    )
    if sets is not None:
        labels = group_units(features.units, sets, known, option="set").names
        forms = replace(forms, sets=ItemSets.of(sets, labels, forms.item))
    total = _settings("small" if grid is None else grid, start)
    silent = quiet or network == "default" or privacy is not None
    with progress("settings", total, quiet=silent) as advance:
        calibrator, about = fit_forms(forms, network, options, tick=advance)
    if joint_errors:
        about["joint_errors"] = _joint_errors(forms, calibrator, network, options)
    if forms.choices is not None:
        about["preferences"] = target if preferences is None else preferences
    if na != "kept":
        about["na"] = na
    found = FittedCalibrator(calibrator, None, about, None if out is None else str(out), embed)
    if out is not None:
        found.save(out)
    return found


def _features(
    answers: JudgmentTable,
    beside: JudgmentsLike | None,
    embed: str | None,
    metadata: Sequence[str],
    items: Sequence[Item],
    na: NotAsked,
) -> Features:
    """The answers, and what stands beside them."""
    found = features_of(answers, na=na)
    if beside is not None:
        extra = answers_in(beside, what="beside")
        found = found.beside(features_of(extra))
    found = _embedded(found, answers, embed, items)
    if metadata:
        found = found.beside(metadata_features(found.units, items, metadata))
    tell_lacking(found, {block.key for block in found.blocks if block.late})
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
    return ratings_in(ratings, stated=said.stated_questions, target=target)


def _check_items(
    embed: str | None,
    metadata: Sequence[str],
    items: Sequence[Item],
    sets: str | None,
    network: str,
    labelled: bool,
) -> None:
    """Raises ConfigError where conversations are lacking, or nothing reads them."""
    if sets is not None and network != "default":
        raise ConfigError(
            "set is for the default calibrator: network paper has no levels of sets",
            "network",
        )
    named = sets == SYSTEM or (sets is not None and sets.startswith(METADATA))
    if metadata and not items:
        raise ConfigError(
            "metadata and items go together: fields, and whose they are", "metadata", "items"
        )
    if items and embed is None and not (metadata or named or labelled):
        raise ConfigError(
            "items are for embed, metadata, label, or for set system or metadata.NAME; give one",
            "items",
            "embed",
            "metadata",
            "label",
        )


def _settings(grid: str, start: float | None) -> int:
    """How many settings a search goes through."""
    found = len(GRIDS.get(grid, ()))
    return found if start is None else found // len(STARTS)


def _joint_errors(
    forms: Forms, calibrator: Calibrator, network: str, options: FitOptions
) -> dict[str, Any]:
    """What raters' errors share, by calibrators of this one's setting fitted on parts."""
    refit = calibrator.abilities.refit

    def fit(some: Forms) -> Calibrator:
        if refit is None:
            return fit_forms(some, network, options)[0]
        return refit(some, [np.arange(len(some))], options.seed)[0]

    return record_to_json(cross_fitted_errors(forms, fit, seed=options.seed))


def _without(raters: Sequence[str], ratings: JudgmentTable) -> JudgmentTable:
    """The ratings but for those by some raters."""
    for name in raters:
        if name not in ratings.judges:
            raise ConfigError(f"drop_rater {name}: nobody of that id rated anything")
    return ratings.where(judge=[name for name in ratings.judges if name not in raters])
