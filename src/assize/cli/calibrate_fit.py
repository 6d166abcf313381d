"""`assize calibrate fit`: a calibrator from a model's answers and people's ratings."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from assize.cli.options import Json, OnError, Quiet, Seed
from assize.cli.reading import answers_in, items_of, ratings_in, tell_lacking
from assize.cli.terminal import note, print_json
from assize.running.progress import progress

if TYPE_CHECKING:
    from assize.calibration import Features

Answers = Annotated[
    list[str],
    typer.Option("--answers", "-a", help="Judgments by models: files or runs; repeatable."),
]
Ratings = Annotated[
    list[str], typer.Option("--ratings", "-r", help="Judgments by people; repeatable.")
]
Target = Annotated[str, typer.Option("--target", "-t", help="The question to be predicted.")]
Folder = Annotated[Path, typer.Option("--out", "-o", help="Folder of the new calibrator.")]
Network = Annotated[
    str,
    typer.Option("--network", help="default, or paper: the published network, with a search."),
]
SearchGrid = Annotated[
    str | None,
    typer.Option("--grid", help="Settings that --network paper searches: small, or published."),
]
Folds = Annotated[
    int | None, typer.Option("--folds", min=2, help="Parts of that search, by item: 5.")
]
Seeds = Annotated[
    int | None,
    typer.Option("--seeds", min=1, help="Networks of --network paper that are averaged: 1."),
]
Dropout = Annotated[
    float | None,
    typer.Option(
        "--dropout",
        min=0,
        max=0.9,
        help="Share of forms trained without their rater, for raters unknown: 0.",
    ),
]
AnswerEmbeddings = Annotated[
    int | None,
    typer.Option(
        "--answer-embeddings",
        min=1,
        metavar="D",
        help="Give answers of questions with more than 12 of them D numbers each, as 5.",
    ),
]
WithoutRater = Annotated[
    list[str] | None,
    typer.Option("--drop-rater", help="Leave out all ratings of this rater; repeatable."),
]

Grouped = Annotated[
    list[str] | None,
    typer.Option(
        "--group", metavar="NAME=IDS", help="Take raters as one: crowd=3,17,22; repeatable."
    ),
]
TrustedOnes = Annotated[
    str | None,
    typer.Option("--trusted", help="Raters to be predicted, with commas; all others only help."),
]
Preferences = Annotated[
    str | None,
    typer.Option("--preferences", help="A question about pairs to learn from too (A, B or tie)."),
]
Beside = Annotated[
    list[str] | None,
    typer.Option("--beside", help="Scores to learn from once the answers are; repeatable."),
]
Embed = Annotated[
    str | None,
    typer.Option("--embed", help="Learn from embeddings of --items too: minilm, hf:NAME, ..."),
]
Items = Annotated[list[str] | None, typer.Option("--items", help="The conversations; repeatable.")]
Personal = Annotated[
    str,
    typer.Option(
        "--personal", help="What each rater has: all, or last: no weights on questions (users)."
    ),
]


def fit(
    answers: Answers,
    ratings: Ratings,
    target: Target,
    out: Folder,
    trusted: TrustedOnes = None,
    group: Grouped = None,
    preferences: Preferences = None,
    beside: Beside = None,
    embed: Embed = None,
    items: Items = None,
    personal: Personal = "all",
    network: Network = "default",
    grid: SearchGrid = None,
    folds: Folds = None,
    seeds: Seeds = None,
    dropout: Dropout = None,
    answer_embeddings: AnswerEmbeddings = None,
    drop_rater: WithoutRater = None,
    seed: Seed = 0,
    on_error: OnError = "fail",
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Learns what each rater would answer from what a model answered.

    Any subset of questions may be answered and any subset of items rated. NA
    and missing ratings are left out; repeated ones are kept; all are counted.
    The default needs no seed: the same data give the same numbers.

    Example: [bold]assize calibrate fit -a run/ -r ratings.jsonl -t Q0 --out mine/[/bold]
    """
    from assize.calibration import GRIDS, STARTS, FitOptions, fit_forms, forms_of, save

    options = FitOptions(
        personal,  # type: ignore[arg-type]
        grid, folds, seeds, dropout, answer_embeddings, seed,
    )  # fmt: skip
    features = _features(answers, beside, embed, items, on_error, quiet)
    table = ratings_in(ratings, on_error=on_error, quiet=quiet)
    if drop_rater:
        _check_known(drop_rater, table.judges)
        table = table.where(judge=[name for name in table.judges if name not in drop_rater])
    forms = forms_of(
        features,
        table,
        target,
        preferences=preferences,
        groups=groups_of(group or []),
        trusted=None if trusted is None else _ids(trusted),
    )
    total = len(GRIDS.get(grid or "small", ())) * (len(STARTS) if answer_embeddings else 1)
    with progress("settings", total, quiet=quiet or network == "default") as advance:
        calibrator, found = fit_forms(forms, network, options, tick=advance)
    found["signature"] = save(calibrator, out, found)
    found["out"] = str(out)
    if json:
        print_json(found)
    elif not quiet:
        _tell(found)


def _features(
    answers: list[str],
    beside: list[str] | None,
    embed: str | None,
    items: list[str] | None,
    on_error: str,
    quiet: bool,
) -> Features:
    """The answers, and what stands beside them."""
    from assize.calibration import features_of
    from assize.calibration.data.embedding import embed_conversations
    from assize.encoders import load_encoder
    from assize.errors import ConfigError

    if (embed is None) != (not items):
        raise ConfigError("--embed and --items go together: an encoder, and what it reads")
    found = features_of(answers_in(answers, on_error=on_error, quiet=quiet))
    if beside:
        extra = answers_in(beside, on_error=on_error, quiet=quiet, what="beside")
        found = found.beside(features_of(extra))
    if embed is not None:
        encoder = load_encoder(embed, cached=True)
        vectors = embed_conversations(found.units, items_of(items), encoder, embed)
        found = found.beside(vectors)
    if not quiet:
        tell_lacking(found, {block.key for block in found.blocks if block.late})
    return found


def _ids(written: str) -> list[str]:
    return [part.strip() for part in written.split(",") if part.strip()]


def groups_of(written: list[str]) -> dict[str, str]:
    """Rater -> group, from `NAME=ID,ID`."""
    from assize.errors import ConfigError

    found: dict[str, str] = {}
    for one in written:
        name, equals, ids = one.partition("=")
        if not (name.strip() and equals and _ids(ids)):
            raise ConfigError(f"--group {one}: expected a name and raters, as crowd=3,17,22")
        for rater in _ids(ids):
            if rater in found:
                raise ConfigError(f"--group: rater {rater} is in two groups")
            found[rater] = name.strip()
    return found


def _check_known(names: list[str], known: tuple[str, ...]) -> None:
    from assize.errors import ConfigError

    for name in names:
        if name not in known:
            raise ConfigError(f"--drop-rater {name}: nobody of that id rated anything")


def _tell(found: dict[str, Any]) -> None:
    graded = f"{found['ratings']:,} ratings in {found['forms']:,} forms"
    learnt = graded if found["forms"] else f"{found['choices']:,} choices between items"
    note(f"{found['out']}: {found['target']} by {found['raters']:,} raters, from {learnt}")
    if found["helpers"] and "helpers_count" in found:
        note(
            f"  {found['helpers']:,} more raters help, are not predicted, and count"
            f" {found['helper_weight']:g} each, which was learnt"
        )
    for name, text in (
        ("choices", "choices between items"),
        ("duplicates", "forms beyond a rater's first about an item, kept"),
        ("raters_with_one_form", "with one form only, drawn to the others"),
        ("not_applicable", "answers NA, to all questions together, left out"),
        ("unscored", "answers missing, to all questions together, left out"),
        ("ratings_without_answers", "answers about items that no model answered about, left out"),
        ("answers_unscored", "answers of a model missing; they count as average"),
        ("answers_averaged", "repeated answers of a model, averaged"),
    ):
        if found[name] and (name != "choices" or found["forms"]):
            note(f"  {found[name]:,} {text}")
