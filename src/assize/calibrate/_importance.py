"""What improving each question would be worth for the main one."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from assize.base.arguments import check_range
from assize.base.errors import ConfigError
from assize.calibrate._calibrator import Calibrator
from assize.calibrate._data.build_forms import forms_of
from assize.calibrate._data.features import Features
from assize.calibrate._data.forms import Forms
from assize.calibrate._inputs import Fitted, Raters, calibrator_of, calibrators_of, features_for
from assize.calibrate._prediction.predictions import common_raters
from assize.calibrate._results.questions import ImportanceResult
from assize.calibrate._study.importance import measure_importance
from assize.calibrate._study.refits import with_refits
from assize.formats import ItemsLike, JudgmentsLike, write
from assize.formats.arguments import items_in, ratings_in
from assize.judgments import JudgmentTable

LEAST = 20  # draws that percentiles can be taken of


def importance(
    main: Fitted,
    others: Fitted | Sequence[Fitted],
    answers: JudgmentsLike,
    *,
    raters: Raters = "all",
    items: ItemsLike | None = None,
    variance: float = 0.9,
    ratings: JudgmentsLike | None = None,
    refits: int | None = None,
    seed: int = 0,
    out: str | Path | None = None,
) -> ImportanceResult:
    """Show how much the main score rises if a question's score is raised by 1.

    It needs networks (calibrate fit --network paper), one per question. Directions are free, keep
    the mass of each question (simplex), or are the items' principal components (manifold). It shows
    what the networks compute, not an experiment. With `refits`, intervals cover other ratings and
    first weights.

    Args:
        main: folder of the network of the main question.
        others: folders of the networks of other questions, one each.
        answers: model judgments: files or folders of runs (repeatable).
        raters: raters to predict: ids separated by commas, all, or unknown.
        items: files of the conversations, for their systems and metadata (repeatable).
        variance: with manifold, share of variance that its components hold.
        ratings: with `refits`, judgments that the networks were fitted on (repeatable).
        refits: times to refit the networks on resampled ratings, for example 50.
        seed: random seed.
        out: file to write the importance at each item to, as judgments that report --spread shows.

    Raises:
        ConfigError: one is no network, or reads other answers than the main one.
        DataError: the answers hold nothing that they read, or a row is bad.
    """
    if (ratings is None) != (refits is None):
        raise ConfigError(
            "refits and ratings go together: how often, and what is resampled", "refits", "ratings"
        )
    check_range("refits", refits, LEAST)
    fitted = [
        calibrator_of(main, uncorrected=True),
        *calibrators_of(others, uncorrected=True),
    ]
    features = features_for(fitted, answers, list(items_in(items)))
    models = [calibrator.calibrator for calibrator in fitted]
    names = common_raters(models, raters)
    figures = measure_importance(models, features, names, variance=variance)
    if ratings is not None and refits is not None:
        rated = ratings_in(ratings)
        forms = [_forms(calibrator, features, rated) for calibrator in models]
        figures = with_refits(
            figures, models, forms, features, names, refits=refits, variance=variance, seed=seed
        )
    signed = "+".join(calibrator.signature for calibrator in fitted)
    result = ImportanceResult(models[0].target.id, names, figures, signed, features.units)
    if out is not None:
        write(out, result.to_judgments())
    return result


def _forms(calibrator: Calibrator, features: Features, rated: JudgmentTable) -> Forms:
    """What a calibrator is refitted on: the ratings of its question, by all who answered it."""
    target = calibrator.target.id
    known = set(rated.where(question=target).judges)
    trusted = None if known == set(calibrator.raters) else calibrator.raters
    return forms_of(features.aligned(calibrator.blocks), rated, target, trusted=trusted)
