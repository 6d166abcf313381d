"""Does a calibrator serve every group alike?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from assize.base.arguments import check_range
from assize.calibrate._groups.audit import audit_groups
from assize.calibrate._groups.held_out import form_labels, predict_held_out
from assize.calibrate._inputs import Fitted, GroupedRaters, calibrator_of, held_forms
from assize.calibrate._results.rated import AuditResult, LeftOut
from assize.calibrate._seen import count_seen
from assize.formats import ItemsLike, JudgmentsLike
from assize.formats.arguments import items_in, listed


def audit(
    calibrator: Fitted,
    answers: JudgmentsLike,
    ratings: JudgmentsLike,
    *,
    items: ItemsLike | None = None,
    by: str | Sequence[str] = (),
    group: GroupedRaters | None = None,
    min_n: int = 30,
    in_sample: bool = False,
    seed: int = 0,
) -> AuditResult:
    """Measure a calibrator's error and calibration by group, on ratings it was not fitted on.

    Each group is compared with all others, item by item; p-values are adjusted by Holm's method.
    Groups with fewer than `min_n` ratings are shown and not tested.

    Args:
        calibrator: folder that `calibrate fit` wrote. In Python also what `assize.calibrate.fit`
            has returned.
        answers: model judgments: files or folders of runs (repeatable).
        ratings: judgments by people (repeatable).
        items: files of the conversations, for their systems and metadata (repeatable).
        by: groups to audit: rater, system or metadata.NAME (repeatable). Default: raters, and
            systems if `items` is given.
        group: treat these raters as one, for example crowd=3,17,22 (repeatable).
        min_n: minimum number of ratings in a group for a test.
        in_sample: also audit ratings that the calibrator was fitted on, which flatters it.
        seed: random seed.

    Raises:
        ConfigError: it was not fitted with a group, nobody can give its answers, or it was fitted
            on ratings of these items.
        DataError: no conversation has a field, a row is bad, or nothing is rated.
    """
    check_range("min_n", min_n, 2)
    fitted = calibrator_of(calibrator)
    known = list(items_in(items))
    there, forms = held_forms(fitted, answers, ratings, known, group)
    seen = count_seen(fitted, forms, in_sample=in_sample)
    fields = listed(by) or (["rater"] if items is None else ["rater", "system"])
    rows, forms = predict_held_out(there.used, forms)
    correction = fitted.correction
    if correction is not None:
        theirs = form_labels(correction.needed, forms, known)
        rows = replace(rows, p=correction.apply(rows.p, theirs, fitted.target))
    labels = form_labels(fields, forms, known)
    everybody, groups = audit_groups(rows, labels, least=min_n, rng=np.random.default_rng(seed))
    return AuditResult(
        fitted.target.id,
        [everybody, *groups],
        LeftOut.of(forms),
        sum(name not in fitted.raters for name in forms.raters),
        min_n,
        seen,
        correction is not None,
        fitted.signature,
    )
