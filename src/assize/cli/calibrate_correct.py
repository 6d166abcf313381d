"""`assize calibrate correct`: multicalibration, learnt after the fit from other ratings."""

from __future__ import annotations

from collections import Counter
from typing import Annotated

import typer

from assize.cli.calibrate_audit import counts, held_forms, tell_counts
from assize.cli.calibrate_fit import Answers, Grouped, Ratings
from assize.cli.calibrate_predict import Fitted, Items
from assize.cli.options import Json, OnError, Quiet
from assize.cli.reading import items_of
from assize.cli.terminal import note, print_json
from assize.tables import ResultTable, columns
from assize.tables.escape import shortened
from assize.tables.terminal import print_table

By = Annotated[
    list[str],
    typer.Option("--by", help="Groups: rater, system or metadata.NAME; repeatable."),
]
Tolerance = Annotated[
    float,
    typer.Option("--tolerance", min=0, max=1, help="Mean error of a probability let stand."),
]
Least = Annotated[int, typer.Option("--min-n", min=2, help="Ratings that a cell needs.")]


def correct(
    calibrator: Fitted,
    answers: Answers,
    ratings: Ratings,
    by: By,
    items: Items = None,
    group: Grouped = None,
    tolerance: Tolerance = 0.02,
    min_n: Least = 50,
    on_error: OnError = "fail",
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Learns what predictions must be shifted by to be true in every group.

    Give ratings that the calibrator was not fitted on. What is learnt is kept in
    DIR, and what reads DIR uses it from then on; it replaces an earlier
    correction. Audit it on yet other ratings.

    Example: [bold]assize calibrate correct mine/ -a run/ -r split.jsonl --items chats.jsonl
    --by metadata.language[/bold]
    """
    from assize.calibration import load
    from assize.calibration.groups.held_out import predict_held_out
    from assize.calibration.groups.membership import form_labels
    from assize.calibration.groups.multicalibration import fit_correction, save_correction

    fitted = load(calibrator)
    forms = held_forms(fitted, answers, ratings, items, group, on_error, quiet)
    rows, forms = predict_held_out(fitted, forms)
    labels = form_labels(by, forms, items_of(items))
    found = fit_correction(fitted, rows, labels, tolerance=tolerance, least=min_n)
    save_correction(found, calibrator)
    each = Counter((patch.field, patch.group) for patch in found.patches)
    if json:
        print_json(
            {
                "target": fitted.target.id,
                "n": found.n,
                "items": found.items,
                "unscored": len(rows.y) - found.n,
                **counts(forms),
                "patches": [patch._asdict() for patch in found.patches],
                "out": str(calibrator),
                "signature": found.signature,
            }
        )
        return
    table = [(field or "all", shortened(group) or "all", n) for (field, group), n in each.items()]
    named = columns("words", "groups", "group") + columns("count", "patches")
    print_table(ResultTable("Patched", named, table))
    if not quiet:
        note(f"{calibrator}: {len(found.patches)} patches from {found.n:,} ratings")
        if not found.patches:
            note("no group is off by more than chance and the tolerance: predictions stay")
        tell_counts(forms)
