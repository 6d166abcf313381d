"""The candidate that raters are expected to like best."""

from __future__ import annotations

from pathlib import Path

from assize.calibrate._inputs import Fitted, Raters, calibrator_of, features_for
from assize.calibrate._prediction import best_of_n
from assize.calibrate._prediction.predictions import rater_places
from assize.calibrate._results.predicted import SelectionResult
from assize.formats import ItemsLike, JudgmentsLike, write
from assize.formats.arguments import items_in
from assize.judgments import JudgmentTable
from assize.judgments.membership import group_units, unit_labels


def select(
    calibrator: Fitted,
    answers: JudgmentsLike,
    *,
    by: str,
    items: ItemsLike | None = None,
    raters: Raters = "all",
    max_entropy: float | None = None,
    out: str | Path | None = None,
) -> SelectionResult:
    """Choose from each group the candidate with the highest expected answer.

    With `max_entropy`, none is chosen if that candidate is too uncertain. `out` gets one judgment
    per candidate: yes, no, or unscored (abstained). A correction by groups of conversations needs
    `items`.

    Args:
        calibrator: folder that `calibrate fit` wrote. In Python also what `assize.calibrate.fit`
            has returned.
        answers: model judgments: files or folders of runs (repeatable).
        by: what the candidates for one choice share: metadata.NAME (of `items`), or group 1 of a
            regular expression on ids.
        items: files of the conversations, for their systems and metadata (repeatable).
        raters: raters to predict: ids separated by commas, all, or unknown.
        max_entropy: choose no candidate if the entropy of the best one is above this, in nats.
        out: file to write the judgments to.

    Raises:
        ConfigError: the answers are not ordered, or `by` finds no group.
        DataError: the answers hold nothing that it reads, or a row is bad.
    """
    fitted = calibrator_of(calibrator)
    known = list(items_in(items))
    target = fitted.target
    places = rater_places(fitted.calibrator, raters)
    features = features_for([fitted], answers, known)
    names = group_units(features.units, by, known).names
    groups = unit_labels(fitted.fields, features.units, known)
    p = fitted.for_items(features, known).probabilities(features, places, groups)
    chosen = best_of_n.select(p, target, features.units, names, max_entropy=max_entropy)
    rows = best_of_n.rows(chosen, p, target, features.units, fitted.signature)
    question = best_of_n.question_of(target)
    judgments = JudgmentTable.of(rows, [question])
    if out is not None:
        write(out, judgments, questions=[question])
    return SelectionResult(
        target=target.id,
        expected_gain=best_of_n.gain(chosen),
        groups=len(chosen),
        chosen=sum(selection.decided for selection in chosen),
        abstained=sum(selection.abstained for selection in chosen),
        unscored=sum(selection.best is None for selection in chosen),
        candidates_unscored=sum(selection.unscored for selection in chosen),
        left_out=names.count(None),
        selections=chosen,
        max_entropy=max_entropy,
        corrected=fitted.corrected,
        out=None if out is None else str(out),
        signature=fitted.signature,
        judgments=judgments,
    )
