"""`assize calibrate compare`: sets of conversations, or versions of a system, side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import numpy as np
import typer

from assize.cli.calibrate_fit import Answers
from assize.cli.calibrate_predict import Fitted, Items, Raters, Trusted, Uncorrected
from assize.cli.options import Json, OnError, Quiet, Report, Seed
from assize.cli.reading import features_for, items_of
from assize.cli.terminal import command_line, note, print_json, print_tables

if TYPE_CHECKING:
    pass

Against = Annotated[
    list[str] | None,
    typer.Option("--against", "-b", help="Answers about the other set; repeatable."),
]
By = Annotated[
    str | None,
    typer.Option(
        "--by",
        help="Splits the answers: system or metadata.NAME (of --items), or a regex, group 1.",
    ),
]
Without = Annotated[
    list[str] | None,
    typer.Option("--without", help="Not drawn anew: raters, conversations or answers; repeatable."),
]
Unpaired = Annotated[
    bool, typer.Option("--unpaired", help="Treat conversations of two sets as different ones.")
]
Resamples = Annotated[int, typer.Option("--resamples", min=20, help="Draws behind each interval.")]


def compare(
    calibrator: Fitted,
    answers: Answers,
    against: Against = None,
    by: By = None,
    items: Items = None,
    raters: Raters = "all",
    trusted: Trusted = None,
    without: Without = None,
    unpaired: Unpaired = False,
    uncorrected: Uncorrected = False,
    resamples: Resamples = 1_000,
    report: Report = None,
    seed: Seed = 0,
    on_error: OnError = "fail",
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Describes the predicted answers of sets of conversations, and how sets differ.

    Intervals come from drawing raters, conversations and predicted answers
    anew. What two sets share (the same id; with a regex, the id without its
    group 1) is drawn in both at once: a paired difference. A correction by
    groups of conversations needs --items, with those of both sets.

    Example: [bold]assize calibrate compare mine/ -a old-run/ --against new-run/[/bold]
    """
    from assize.calibration.fitted import load_calibrator
    from assize.calibration.prediction.compare_systems import SOURCES, compare_sets
    from assize.calibration.prediction.predictions import rater_places
    from assize.calibration.prediction.system_sets import predict_sets
    from assize.errors import ConfigError

    for name in without or ():
        if name not in SOURCES:
            raise ConfigError(f"--without {name}: allowed are {', '.join(SOURCES)}")
    if against and by is not None:
        raise ConfigError("give --against or --by, not both")
    fitted = load_calibrator(calibrator, uncorrected=uncorrected)
    places = rater_places(fitted.calibrator, raters, trusted)
    tables = {
        name: features_for(
            [fitted.calibrator], files, items, on_error=on_error, quiet=quiet, what=name
        )
        for name, files in (("answers", answers), ("against", against))
        if files
    }
    found = predict_sets(fitted, tables, places, items=items_of(items), by=by, unpaired=unpaired)
    compared = compare_sets(
        found.probabilities, fitted.calibrator.target, found.sets, found.keys,
        sources=[one for one in SOURCES if one not in (without or ())],
        resamples=resamples, rng=np.random.default_rng(seed),
    )  # fmt: skip
    if found.left_out and not quiet:
        note(f"{found.left_out:,} of {len(found.names):,} belong to no set and are left out")
    if report is not None:
        from assize.pages.calibration_sets import write_sets

        write_sets(report, compared, reproduce=command_line())
    if json:
        about = {"left_out": found.left_out, "corrected": fitted.correction is not None}
        print_json(compared.to_json() | about | {"calibrator": fitted.signature})
    else:
        print_tables(compared.tables)
