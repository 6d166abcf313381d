"""Multicalibration, learnt after the fit from other ratings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from assize.base.arguments import check_range
from assize.calibrate._groups.held_out import form_labels, predict_held_out
from assize.calibrate._groups.multicalibration import fit_correction, save_correction
from assize.calibrate._inputs import Fitted, GroupedRaters, calibrator_of, held_forms
from assize.calibrate._results.rated import CorrectionResult, LeftOut
from assize.calibrate._seen import count_seen, hash_rated
from assize.formats import ItemsLike, JudgmentsLike
from assize.formats.arguments import items_in, listed


def correct(
    calibrator: Fitted,
    answers: JudgmentsLike,
    ratings: JudgmentsLike,
    *,
    by: str | Sequence[str],
    items: ItemsLike | None = None,
    group: GroupedRaters | None = None,
    tolerance: float = 0.02,
    min_n: int = 50,
    in_sample: bool = False,
) -> CorrectionResult:
    """Learn shifts that remove a calibrator's bias in every group.

    Give ratings that the calibrator was not fitted on. The shifts are kept in its folder and used
    from then on by everything that reads the folder; they replace an earlier correction. Audit them
    on yet other ratings.

    Args:
        calibrator: folder that `calibrate fit` wrote. In Python also what `assize.calibrate.fit`
            has returned: without a folder nothing is written, and the result's `calibrator` has
            what was learnt.
        answers: model judgments: files or folders of runs (repeatable).
        ratings: judgments by people (repeatable).
        by: groups to correct: rater, system or metadata.NAME (repeatable).
        items: files of the conversations, for their systems and metadata (repeatable).
        group: treat these raters as one, for example crowd=3,17,22 (repeatable).
        tolerance: mean error of a probability that is left uncorrected.
        min_n: minimum number of ratings in a group for a correction.
        in_sample: also learn from ratings that the calibrator was fitted on, where errors are too
            small.

    Raises:
        ConfigError: it was not fitted with a group, nobody can give its answers, or it was fitted
            on ratings of these items.
        DataError: no conversation has a field, a row is bad, or nothing is rated.
    """
    check_range("tolerance", tolerance, 0, 1)
    check_range("min_n", min_n, 2)
    fitted = calibrator_of(calibrator, uncorrected=True)
    known = list(items_in(items))
    there, forms = held_forms(fitted, answers, ratings, known, group)
    seen = count_seen(fitted, forms, in_sample=in_sample)
    rows, forms = predict_held_out(there.used, forms)
    labels = form_labels(listed(by), forms, known)
    correction = fit_correction(fitted.calibrator, rows, labels, tolerance=tolerance, least=min_n)
    correction = replace(correction, seen=tuple(sorted(hash_rated(forms))))
    if fitted.folder is not None:
        save_correction(correction, Path(fitted.folder))
    corrected = replace(fitted, correction=correction)
    return CorrectionResult(
        fitted.target.id,
        correction.n,
        correction.items,
        len(rows.y) - correction.n,
        correction.patches,
        LeftOut.of(forms),
        seen,
        fitted.folder,
        correction.signature,
        corrected,
    )
