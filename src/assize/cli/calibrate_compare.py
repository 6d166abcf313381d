"""`assize calibrate compare`: sets of conversations, or versions of a system, side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import numpy as np
import typer

from assize.cli.calibrate_fit import Answers
from assize.cli.calibrate_predict import Fitted, Items, Raters, Trusted, Uncorrected
from assize.cli.grouping import split
from assize.cli.options import Json, OnError, Quiet, Report, Seed
from assize.cli.reading import features_for, items_of
from assize.cli.terminal import command_line, note, print_json, print_tables

if TYPE_CHECKING:
    from assize.calibration.data.features import Unit
    from assize.calibration.prediction.compare_systems import Compared, Spread

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
    from assize.calibration.groups.membership import unit_labels
    from assize.calibration.prediction.compare_systems import SOURCES, compare_sets
    from assize.calibration.prediction.predictions import chosen_raters, open_corrected
    from assize.errors import ConfigError

    for name in without or ():
        if name not in SOURCES:
            raise ConfigError(f"--without {name}: allowed are {', '.join(SOURCES)}")
    if against and by is not None:
        raise ConfigError("give --against or --by, not both")
    fitted = open_corrected(calibrator, uncorrected=uncorrected)
    places = chosen_raters(fitted.calibrator, raters, trusted)
    units: list[Unit] = []
    found = []
    names: list[str | None] = []
    for name, files in (("answers", answers), ("against", against or [])):
        if files:
            features = features_for(
                [fitted.calibrator], files, items, on_error=on_error, quiet=quiet, what=name
            )
            groups = unit_labels(fitted.fields, features.units, items_of(items))
            found.append(fitted.predict(features, places, groups))
            units += features.units
            names += [name] * len(features.units)
    keys = [item for item, _ in units]
    if by is not None:
        parts = split(units, by, items)
        names, keys = list(parts.names), list(parts.rest)
    sets = {
        name: np.flatnonzero([one == name for one in names])
        for name in dict.fromkeys(names)
        if name is not None
    }
    compared = compare_sets(
        np.concatenate(found), fitted.calibrator.target, sets,
        list(zip(names, keys, strict=True)) if unpaired else keys,
        sources=[one for one in SOURCES if one not in (without or ())],
        resamples=resamples, rng=np.random.default_rng(seed),
    )  # fmt: skip
    lost = names.count(None)
    if lost and not quiet:
        note(f"{lost:,} of {len(names):,} belong to no set and are left out")
    if report is not None:
        from assize.pages.calibration_sets import write_sets

        write_sets(report, compared, reproduce=command_line())
    if json:
        about = {"left_out": lost, "corrected": fitted.correction is not None}
        print_json(_plain(compared) | about | {"calibrator": fitted.signature})
    else:
        print_tables(compared.tables)


def _ascending(compared: Compared) -> list[str]:
    order = np.argsort(compared.scale.values, kind="stable")
    return [compared.scale.question.answers[place] for place in order]


def _plain(compared: Compared) -> dict[str, Any]:
    def spread(one: Spread) -> dict[str, Any]:
        answers = compared.scale.question.answers
        shares = {k: each.to_json() for k, each in zip(answers, one.shares, strict=True)}
        steps = zip(_ascending(compared), one.at_most, strict=False)  # the last one is always 1
        return {
            "mean": None if one.mean is None else one.mean.to_json(),
            "shares": shares,
            "at_most": {k: each.to_json() for k, each in steps},
        }

    def density(name: str) -> dict[str, Any] | None:
        one = compared.densities.get(name)
        if one is None:
            return None
        parts = (("at", one.at), ("curve", one.curve), ("low", one.low), ("high", one.high))
        return {key: column.tolist() for key, column in parts}

    return {
        "target": compared.scale.id,
        "sets": {
            name: spread(one) | {"density": density(name)} for name, one in compared.sets.items()
        },
        "differences": [
            {"first": gap.first, "second": gap.second, "shared": gap.shared} | spread(gap.spread)
            for gap in compared.gaps
        ],
        "signature": compared.signature,
    }
