"""`assize calibrate predict`: what each rater would say about new items."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from assize.cli.calibrate_fit import Answers
from assize.cli.options import Json, MaxUnscored, OnError, Quiet
from assize.cli.reading import features_for, items_of
from assize.cli.terminal import note, print_json
from assize.running.progress import progress
from assize.tables.terminal import print_table

if TYPE_CHECKING:
    from collections.abc import Iterable

    from assize.conversation import Pair

Fitted = Annotated[
    Path, typer.Argument(metavar="DIR", help="Folder that `calibrate fit` has written.")
]
Raters = Annotated[str, typer.Option("--raters", help="Ids with commas, all, or unknown.")]
UnknownAs = Annotated[
    str,
    typer.Option("--strangers", help="How unknown is predicted: shared, or average of the known."),
]
LossName = Annotated[
    str | None,
    typer.Option("--loss", help="Also decide on an answer: squared, absolute or wrong."),
]
Microbatch = Annotated[
    str,
    typer.Option(
        "--aggregate", help="none: a row a rater; mean or max: one row an item, of all together."
    ),
]
Trusted = Annotated[
    str | None,
    typer.Option("--trusted", help="Ids with commas: the raters whose answers count; all else."),
]
Unordered = Annotated[
    bool, typer.Option("--unordered-mean", help="Give unordered answers the mean of their places.")
]
Items = Annotated[
    list[str] | None,
    typer.Option("--items", help="The conversations: their systems and metadata; repeatable."),
]
Uncorrected = Annotated[
    bool, typer.Option("--uncorrected", help="Without what `calibrate correct` has learnt.")
]
ChoicesAsked = Annotated[
    bool,
    typer.Option("--choices", help="Which side of each pair in --items a rater would prefer."),
]
Out = Annotated[str | None, typer.Option("--out", "-o", help="Write the judgments here.")]


def predict(
    calibrator: Fitted,
    answers: Answers,
    raters: Raters = "all",
    strangers: UnknownAs = "shared",
    aggregate: Microbatch = "none",
    trusted: Trusted = None,
    loss: LossName = None,
    unordered_mean: Unordered = False,
    items: Items = None,
    choices: ChoicesAsked = False,
    uncorrected: Uncorrected = False,
    out: Out = None,
    max_unscored: MaxUnscored = 5.0,
    on_error: OnError = "fail",
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Predicts raters' answers: a judgment by calibration:RATER for every item and rater.

    Its score is the mean; it has the whole distribution, and entropy,
    variance and P(answer <= k) in its details. A correction by groups needs
    --items, which say what group a conversation belongs to.

    Example: [bold]assize calibrate predict mine/ -a run/ --raters all --out said.jsonl[/bold]
    """
    from assize.calibration.artefact import signature
    from assize.calibration.fitted import load_calibrator
    from assize.calibration.groups.membership import unit_labels
    from assize.calibration.prediction.predict_pairs import predict_preferences
    from assize.calibration.prediction.predictions import prediction_tables, rater_places
    from assize.calibration.prediction.rater_means import RaterMeans
    from assize.calibration.tables import predicted_table
    from assize.errors import ConfigError
    from assize.formats import open_writer, write_questions
    from assize.judgment import PREFERENCE
    from assize.judgments import JudgmentTable

    if strangers not in ("shared", "average"):
        raise ConfigError(f"--strangers {strangers}: allowed are shared and average")
    if loss not in (None, "squared", "absolute", "wrong"):
        raise ConfigError(f"--loss {loss}: allowed are squared, absolute and wrong")
    if aggregate not in ("none", "mean", "max"):
        raise ConfigError(f"--aggregate {aggregate}: allowed are none, mean and max")
    fitted = load_calibrator(calibrator, uncorrected=uncorrected)
    features = features_for([fitted.calibrator], answers, items, on_error=on_error, quiet=quiet)
    places = rater_places(fitted.calibrator, raters, trusted)
    together = None if aggregate == "none" else aggregate
    tables: Iterable[JudgmentTable]
    if choices:
        pairs = _pairs(items, together, loss)
        question, about = PREFERENCE, len(pairs)
        rows = predict_preferences(
            fitted.calibrator, features, pairs, places, signature=signature(fitted.calibrator)
        )
        tables = [JudgmentTable.of(rows, [question])]
    else:
        question, about = fitted.calibrator.target.question, len(features.units)
        groups = unit_labels(fitted.fields, features.units, items_of(items))
        tables = prediction_tables(
            fitted, features, places, groups=groups, unknown_as=strangers,  # type: ignore[arg-type]
            loss=loss, unordered=unordered_mean, combine=together,  # type: ignore[arg-type]
        )  # fmt: skip
    tally = RaterMeans()
    total = about * (len(places) if together is None else 1)
    writer = nullcontext(lambda _: None) if out is None else open_writer(out)
    with progress("predicting", total, quiet=quiet) as advance, writer as put:
        for table in tables:
            put(table)
            tally.add(table)
            advance(len(table))
    if out is not None:
        write_questions(out, [question])
    found = {
        "target": question.id,
        "items": about,
        "raters": tally.to_json(),
        "unscored": tally.unscored,
        "corrected": fitted.correction is not None and not choices,
        "out": out,
        "signature": signature(fitted.calibrator) if choices else fitted.signature,
    }
    if json:
        print_json(found)
    else:
        print_table(predicted_table(question.id, tally))
        if out is not None and not quiet:
            note(f"{out}: {total:,} judgments")
    if total and 100 * tally.unscored / total > max_unscored:
        note(f"{tally.unscored:,} of {total:,} could not be predicted")
        raise typer.Exit(1)


def _pairs(items: list[str] | None, together: str | None, loss: str | None) -> list[Pair]:
    """The pairs of the files; refuses what choices cannot be asked with."""
    from assize.conversation import Pair
    from assize.errors import ConfigError, DataError

    if together is not None or loss is not None:
        raise ConfigError("--choices are of each rater; leave out --aggregate and --loss")
    if not items:
        raise ConfigError("--choices needs the pairs: give --items")
    pairs = [one for one in items_of(items) if isinstance(one, Pair)]
    if not pairs:
        raise DataError("there is no pair in these files", source=", ".join(items))
    return pairs
