"""`assize calibrate select`: the candidate that raters are expected to like best."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from assize.cli.calibrate_fit import Answers
from assize.cli.calibrate_predict import Fitted, Items, Out, Raters, Trusted, Uncorrected
from assize.cli.options import Json, OnError, Quiet
from assize.cli.reading import features_for, items_of
from assize.cli.terminal import note, print_json
from assize.tables.terminal import print_table

if TYPE_CHECKING:
    pass

By = Annotated[
    str,
    typer.Option(
        "--by", help="What candidates share: metadata.NAME (of --items), or a regex, group 1."
    ),
]
MaxEntropy = Annotated[
    float | None,
    typer.Option("--max-entropy", help="Choose none where the best one's is above; in nats."),
]
MOST = 20  # groups that the table shows


def select(
    calibrator: Fitted,
    answers: Answers,
    by: By,
    items: Items = None,
    raters: Raters = "all",
    trusted: Trusted = None,
    max_entropy: MaxEntropy = None,
    uncorrected: Uncorrected = False,
    out: Out = None,
    on_error: OnError = "fail",
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Chooses from each group the candidate with the highest expected answer.

    With --max-entropy none is chosen where that candidate is too uncertain.
    --out gets a judgment a candidate: yes, no, or unscored (abstained). A
    correction by groups of conversations needs --items.

    Example: [bold]assize calibrate select mine/ -a run/ --by '^(.*)_' --max-entropy 1.1[/bold]
    """
    from assize.calibration.fitted import load_calibrator
    from assize.calibration.groups.membership import group_units, unit_labels
    from assize.calibration.prediction import best_of_n
    from assize.calibration.prediction.predictions import rater_places
    from assize.calibration.tables import selection_table
    from assize.formats import write

    fitted = load_calibrator(calibrator, uncorrected=uncorrected)
    target = fitted.calibrator.target
    places = rater_places(fitted.calibrator, raters, trusted)
    features = features_for([fitted.calibrator], answers, items, on_error=on_error, quiet=quiet)
    names = group_units(features.units, by, items_of(items)).names
    groups = unit_labels(fitted.fields, features.units, items_of(items))
    p = fitted.probabilities(features, places, groups)
    chosen = best_of_n.select(p, target, names, max_entropy=max_entropy)
    if out is not None:
        rows = best_of_n.rows(chosen, p, target, features.units, fitted.signature)
        write(out, rows, questions=[best_of_n.question_of(target)])
    found = (
        {"target": target.id}
        | best_of_n.summary(chosen, features.units)
        | {
            "left_out": names.count(None),
            "max_entropy": max_entropy,
            "corrected": fitted.correction is not None,
            "out": out,
            "signature": fitted.signature,
        }
    )
    if json:
        print_json(found)
        return
    print_table(selection_table(chosen, features.units, target.id, MOST))
    if not quiet:
        note(
            f"{found['chosen']:,} of {len(chosen):,} groups chosen from,"
            f" {found['abstained']:,} abstained, {found['unscored']:,} not predicted;"
            f" expected gain over any candidate {best_of_n.gain(chosen).estimate:.2f}"
        )
        if found["left_out"]:
            note(f"{found['left_out']:,} of {len(names):,} belong to no group and are left out")
