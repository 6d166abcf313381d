"""What improving each question would be worth for the main one."""

from __future__ import annotations

from collections.abc import Sequence

from assize.arguments import checked
from assize.calibration.prediction.predictions import common_raters
from assize.calibration.results.questions import ImportanceResult
from assize.calibration.study.importance import importance
from assize.formats import Items, Judgments
from assize.formats.any_log import Map, Roles, with_mapping
from assize.workflows.calibration.given import (
    Fitted,
    Raters,
    calibrator_of,
    calibrators_of,
    features_for,
)
from assize.workflows.reading import OnError, items_in


@checked
@with_mapping
def question_importance(
    main: Fitted,
    others: Fitted | Sequence[Fitted],
    answers: Judgments,
    *,
    raters: Raters = "all",
    trusted: Raters | None = None,
    items: Items | None = None,
    encoder: str | None = None,
    variance: float = 0.9,
    on_error: OnError = "fail",
    map: Map | None = None,
    roles: Roles | None = None,
) -> ImportanceResult:
    """Says by how much the main score rises where a question's score is raised by 1.

    It needs networks (calibrate fit --network paper), one a question. Directions are
    free, keep the mass of each question (simplex), or are the items' principal
    components (manifold). It is what the networks make of it, no experiment.

    Args:
        main: network of the main question.
        others: networks of other questions, one each.
        answers: judgments by models, as files or runs (repeatable).
        raters: ids with commas, all, or unknown.
        trusted: ids with commas: the raters whose answers count, all by default.
        items: the conversations: their systems and metadata (repeatable).
        encoder: the encoder that they may open, where fitted with another than minilm.
        variance: share of variance that the manifold's components hold.
        on_error: what a bad record does, fail or skip (kept in a file).
        map: where the fields of an unknown log stand; see `assize.read`.
        roles: what its names of roles mean.

    Raises:
        ConfigError: one is no network, or reads other answers than the main one.
        DataError: the answers hold nothing that they read, or a row is bad.
    """
    fitted = [
        calibrator_of(main, uncorrected=True, encoder=encoder),
        *calibrators_of(others, uncorrected=True, encoder=encoder),
    ]
    features = features_for(fitted, answers, list(items_in(items)), on_error=on_error)
    each = [one.calibrator for one in fitted]
    names = common_raters(each, raters, trusted)
    found = importance(each[0], each[1:], features, names, variance=variance)
    signed = "+".join(one.signature for one in fitted)
    return ImportanceResult(each[0].target.id, names, found, features.units, signed)
