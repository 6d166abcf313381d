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
    from assize.calibration.groups.membership import Labels

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
    from assize.calibration.groups.audit import held, worst
    from assize.calibration.groups.multicalibration import load_correction
    from assize.calibration.tables import audit_tables

    fitted = load(calibrator)
    forms = held_forms(fitted, answers, ratings, items, group, on_error, quiet)
    fields = by or (["rater", "system"] if items else ["rater"])
    rows, forms = held(fitted, forms)
    labels = labels_of(fields, forms, items)
    correction = None if uncorrected else load_correction(calibrator, fitted)
    if correction is not None:
        theirs = labels_of(list(correction.needed), forms, items)
        rows = replace(rows, p=correction.apply(rows.p, theirs, fitted.target))
    rng = np.random.default_rng(seed)
    everybody, groups = audited(rows, labels, least=min_n, rng=rng)
    gaps = list(worst(everybody, groups, min_n))
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
    """The ratings of what the calibrator predicts, on its own scale, by raters as it knows them.

    Raises ConfigError where a group is not one of its raters.
    """
    from assize.calibration import forms_of
    from assize.calibration.hierarchical.calibrator import check_rated
    from assize.errors import ConfigError
    from assize.judgment import JudgmentTable

    check_rated(fitted)
    groups = groups_of(group or [])
    for name in groups.values():
        if name not in fitted.raters:
            raise ConfigError(f"--group {name}: the calibrator was not fitted with that group")
    features = features_for([fitted], answers, items, on_error=on_error, quiet=quiet)
    table = ratings_in(ratings, on_error=on_error, quiet=quiet)
    name = fitted.target.id
    questions = {**table.questions, name: fitted.target.question}
    theirs = {row.judge for row in table if row.question == name}
    groups = {rater: one for rater, one in groups.items() if rater in theirs}
    rated = JudgmentTable(table.rows, questions)
    return forms_of(features, rated, name, auxiliary=(), groups=groups)


def labels_of(fields: list[str], forms: Forms, items: list[str] | None) -> Labels:
    """The groups of every form."""
    from assize.calibration.groups.membership import RATER, unit_labels

    by_unit = unit_labels(fields, forms.features.units, items_of(items))
    raters = tuple(forms.raters[place] for place in forms.rater)
    return {
        field: raters if field == RATER else tuple(by_unit[field][place] for place in forms.item)
        for field in dict.fromkeys(fields)
    }


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
