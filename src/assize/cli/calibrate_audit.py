"""`assize calibrate audit`: does a calibrator serve every group alike?"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from assize.cli.calibrate_fit import Answers, Grouped, Ratings, groups_of
from assize.cli.calibrate_predict import Fitted, Items, Uncorrected
from assize.cli.options import Json, OnError, Quiet, Seed
from assize.cli.reading import features_for, items_of, ratings_in
from assize.cli.terminal import note, print_json, print_tables

if TYPE_CHECKING:
    from assize.calibration import Calibrator, Forms

By = Annotated[
    list[str] | None,
    typer.Option(
        "--by",
        help="Groups: rater, system or metadata.NAME; repeatable. All raters, and systems where"
        " --items is given, by default.",
    ),
]
Least = Annotated[
    int, typer.Option("--min-n", min=2, help="Ratings that a group needs to be tested.")
]


def audit(
    calibrator: Fitted,
    answers: Answers,
    ratings: Ratings,
    items: Items = None,
    by: By = None,
    group: Grouped = None,
    min_n: Least = 30,
    uncorrected: Uncorrected = False,
    seed: Seed = 0,
    on_error: OnError = "fail",
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Error and calibration of a calibrator by group, on ratings it was not fitted on.

    Each group is compared with all others, item by item; p-values are adjusted
    by Holm's method. Groups under --min-n are shown and not tested.

    Example: [bold]assize calibrate audit mine/ -a run/ -r held.jsonl --items chats.jsonl
    --by system --by metadata.language[/bold]
    """
    from dataclasses import replace

    import numpy as np

    from assize.calibration import load
    from assize.calibration.artefact import signature
    from assize.calibration.groups.audit import audit as audited
    from assize.calibration.groups.audit import worst_groups
    from assize.calibration.groups.held_out import predict_held_out
    from assize.calibration.groups.membership import form_labels
    from assize.calibration.groups.multicalibration import load_correction
    from assize.calibration.tables import audit_tables

    fitted = load(calibrator)
    forms = held_forms(fitted, answers, ratings, items, group, on_error, quiet)
    fields = by or (["rater", "system"] if items else ["rater"])
    rows, forms = predict_held_out(fitted, forms)
    labels = form_labels(fields, forms, items_of(items))
    correction = None if uncorrected else load_correction(calibrator, fitted)
    if correction is not None:
        theirs = form_labels(correction.needed, forms, items_of(items))
        rows = replace(rows, p=correction.apply(rows.p, theirs, fitted.target))
    rng = np.random.default_rng(seed)
    everybody, groups = audited(rows, labels, least=min_n, rng=rng)
    gaps = list(worst_groups(everybody, groups, min_n))
    strangers = sum(name not in fitted.raters for name in forms.raters)
    if json:
        print_json(
            {
                "target": fitted.target.id,
                "all": everybody.to_json(),
                "groups": [group.to_json() for group in groups],
                "worst": gaps,
                **counts(forms),
                "unknown_raters": strangers,
                "min_n": min_n,
                "corrected": correction is not None,
                "signature": correction.signature if correction else signature(fitted),
            }
        )
        return
    print_tables(audit_tables(fitted.target.id, everybody, groups, gaps))
    if not quiet:
        note("bias: predicted less answered; loss: log loss; p: less all others, by Holm's method")
        if strangers:
            note(f"predicted as unknown, for the calibrator does not know them: {strangers} raters")
        tell_counts(forms)


def held_forms(
    fitted: Calibrator,
    answers: list[str],
    ratings: list[str],
    items: list[str] | None,
    group: list[str] | None,
    on_error: str,
    quiet: bool,
) -> Forms:
    """The ratings of what the calibrator predicts, from the files."""
    from assize.calibration.groups.held_out import held_out_forms

    features = features_for([fitted], answers, items, on_error=on_error, quiet=quiet)
    table = ratings_in(ratings, on_error=on_error, quiet=quiet)
    return held_out_forms(fitted, features, table, groups_of(group or []))


def counts(forms: Forms) -> dict[str, int]:
    """What could not enter."""
    return {
        "ratings_not_applicable": forms.not_applicable,
        "ratings_unscored": forms.unscored,
        "ratings_without_answers": sum((forms.unmatched or {}).values()),
    }


def tell_counts(forms: Forms) -> None:
    """A line for everything that could not enter, where there is any."""
    for name, count in counts(forms).items():
        if count:
            note(f"{name.replace('_', ' ')}: {count:,}")
