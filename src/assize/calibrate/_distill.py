"""A small evaluator that reproduces calibrators from text alone."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from assize.base.arguments import check_range
from assize.base.errors import DataError
from assize.base.judgment import Question
from assize.calibrate._calibrator import check_rated
from assize.calibrate._fitted import FittedCalibrator
from assize.calibrate._inputs import Fitted, Raters, calibrators_of, features_for
from assize.calibrate._lessons import lessons_of
from assize.calibrate._prediction.sampled_labels import features_about
from assize.calibrate._seen import mark_seen
from assize.encoders import load_encoder
from assize.evaluator._distilled_result import DistilledResult
from assize.evaluator._distilling import (
    beside_people,
    distil,
    fidelity,
    on_own_scales,
    values_of,
)
from assize.formats import ItemsLike, JudgmentsLike, write
from assize.formats.arguments import items_in, ratings_in
from assize.judgments import JudgmentTable, Unit
from assize.results.log import log
from assize.running.progress import progress


def distill(
    calibrators: Fitted | Sequence[Fitted],
    answers: JudgmentsLike,
    *,
    items: ItemsLike,
    out: str | Path | None = None,
    raters: Raters = "all",
    samples: int | None = None,
    labels: str | Path | None = None,
    ratings: JudgmentsLike | None = None,
    folds: int = 5,
    name: str | None = None,
    seed: int = 0,
    quiet: bool = False,
) -> DistilledResult:
    """Make an evaluator that scores as calibrators would, from the text alone.

    It learns from expected answers, or from answers sampled from the calibrated distributions
    (`samples`). Several folders, one per question, make one evaluator with one head each. How well
    it reproduces them is measured on held-out conversations. `assize score` uses it.

    Args:
        calibrators: folders of calibrators, one per question.
        answers: model judgments: files or folders of runs (repeatable).
        items: files of the conversations that the answers are about (repeatable).
        out: folder to write the new evaluator to.
        raters: raters to predict: ids separated by commas, all, or unknown.
        samples: answers to sample per conversation and question. Default: use the expected answer.
        labels: also write the labels to this file, as judgments.
        ratings: judgments by people, to compare with (repeatable).
        folds: number of folds of conversations, each held out once.
        name: name of the evaluator, as in evaluator@NAME. Default: the name of the folder.
        seed: random seed.
        quiet: no progress.

    Returns:
        The evaluator, what it learnt from, and how well; `save` writes it.

    Raises:
        ConfigError: two calibrators predict one question, or a rater is not known.
        DataError: there are too few conversations, or answers are about none of them.
    """
    check_range("samples", samples, 1)
    check_range("folds", folds, 2)
    listed = list(items_in(items))
    fitted = calibrators_of(calibrators)
    if ratings is not None:
        for one in fitted:
            check_rated(one.calibrator)
    everything = features_for(fitted, answers, listed)
    features = features_about(everything, [item.id for item in listed])
    drawing, dealing, testing = np.random.default_rng(seed).spawn(3)
    lessons = lessons_of(fitted, features, listed, drawing, raters=raters, samples=samples)
    expected = values_of(lessons.means)
    units = set().union(*expected.values())
    rated = _ratings(ratings, lessons.questions, units)
    for calibrator in fitted:
        _tell_seen(calibrator, rated)
    with progress("folds", folds + 1, quiet=quiet) as advance:
        found = distil(
            listed,
            lessons.labels,
            load_encoder("minilm", cached=True),
            name=_name(name, out),
            folds=folds,
            rng=dealing,
            tick=advance,
        )
    evaluator = on_own_scales(found.evaluator, found.held, expected, lessons.questions)
    ids = {item.id for item in listed}
    learnt = DistilledResult(
        evaluator=evaluator,
        labels=lessons.labels,
        fidelity=fidelity(found.held, expected),
        people=beside_people(found.held, expected, values_of(rated), testing),
        teachers=lessons.teachers,
        conversations=len(listed),
        label_count=len(lessons.labels) - lessons.labels.unscored,
        samples=samples,
        seed=seed,
        folds=folds,
        answered_elsewhere=len({item for item, _ in everything.units} - ids),
    )
    learnt = replace(
        learnt,
        evaluator=replace(evaluator, about=learnt.to_json()),
        out=None if out is None else str(out),
        labels_out=None if labels is None else str(labels),
    )
    if out is not None:
        learnt.save(out)
    if labels is not None:
        write(labels, lessons.labels, questions=lessons.questions)
    return learnt


def _tell_seen(fitted: FittedCalibrator, ratings: JudgmentTable) -> None:
    """Warn where ratings are compared with that the calibrator was fitted on."""
    seen = sum(mark_seen(fitted, ratings.where(question=fitted.target.id).units()[1]))
    if seen:
        log.warning(
            "%s of the rated conversations are ones that the calibrator of %s was fitted on: what"
            " is measured beside people flatters; give ratings of others",
            f"{seen:,}",
            fitted.target.id,
        )


def _name(name: str | None, out: str | Path | None) -> str:
    """The evaluator's: as chosen, else its folder's."""
    if name is not None:
        return name
    return "distilled" if out is None else Path(out).resolve().name


def _ratings(
    ratings: JudgmentsLike | None,
    questions: Sequence[Question],
    units: Collection[Unit],
) -> JudgmentTable:
    """People's ratings of what is predicted, on the calibrators' scales.

    Raises DataError where ratings are given and none is about these units and questions.
    """
    scales = {one.id: one for one in questions}
    rows = () if ratings is None else tuple(ratings_in(ratings))
    asked = [row for row in rows if row.question in scales]
    kept = tuple(row for row in asked if (row.item, row.turn) in units)
    if ratings is not None and not kept:
        raise DataError(
            f"none of the {len(rows):,} ratings is of {', '.join(scales)} about these"
            " conversations; check the ids of items and questions"
        )
    if len(kept) < len(asked):
        lost = f"{len(asked) - len(kept):,}"
        log.info("%s ratings are about other conversations and left out", lost)
    return JudgmentTable.of(kept, questions)
