"""`assize acts`: dialogue acts and maxims in stored judgments, and a local tagger of acts."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from assize.cli.options import (
    FormatName,
    Json,
    Judges,
    Judgments,
    MaxUnscored,
    OnError,
    Quiet,
    Report,
    Seed,
)
from assize.cli.reading import judgments_of
from assize.cli.terminal import (
    check_unscored,
    command_line,
    note,
    page_written,
    print_json,
    print_tables,
)
from assize.tables import Column, ResultTable
from assize.tables.escape import printable
from assize.tables.terminal import print_table

if TYPE_CHECKING:
    from assize.dialogue_acts.annotations import Judged
    from assize.dialogue_acts.study import ActStudy
    from assize.dialogue_acts.tagging import Figures
    from assize.dialogue_acts.taxonomy import Taxonomy
    from assize.judgments import JudgmentTable

Items = Annotated[
    list[str] | None,
    typer.Option("--items", help="What was judged: pairs or conversations (repeatable)."),
]
TaxonomyFile = Annotated[
    str | None,
    typer.Option("--taxonomy", help="The taxonomy that labels are checked against: name or file."),
]
GoldJudge = Annotated[
    str, typer.Option("--gold", help="The judge whose preferences are gold, unless items have one.")
]


def show(
    judgments: Judgments,
    items: Items = None,
    judges: Judges = None,
    taxonomy: TaxonomyFile = None,
    gold: GoldJudge = "gold",
    report: Report = None,
    format: FormatName = None,
    on_error: OnError = "fail",
    max_unscored: MaxUnscored = 5.0,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """What dialogue acts and maxims show: how often, how they change, what they tell apart.

    Reads judgments of `da`, `da-paper`, `maxim` and `acts`, and recorded outputs
    of such judges. `show` may be left out.

    Example: [bold]assize acts show run/ --items pairs.jsonl --report acts.html[/bold]
    """
    from assize.dialogue_acts.study import study_all

    names = None if judges is None else [one for given in judges for one in given.split(",")]
    table = judgments_of(judgments, format=format, on_error=on_error, quiet=quiet)
    known = _items([*judgments, *([] if items is None else items)], format)
    studies = study_all(table, known, _taxonomy(taxonomy), judges=names, gold=gold)
    if report is not None:
        from assize.pages.acts import write_acts

        write_acts(report, studies, reproduce=command_line())
        page_written(report, quiet)
    if json:
        print_json(_as_json(studies))
    else:
        for study in studies:
            print(f"{printable(study.name)}\n")  # noqa: T201
            print_tables(study.tables)
            print(f"signature {study.signature}\n")  # noqa: T201
    _exit(studies, max_unscored)


def _taxonomy(name: str | None) -> Taxonomy:
    from assize.dialogue_acts.taxonomy import DEFAULT, load_taxonomy

    if name is None:
        return load_taxonomy(DEFAULT)
    return load_taxonomy(Path(name).resolve() if name.endswith(".toml") else name)


def _items(files: Sequence[str], format: str | None) -> dict[str, Judged]:
    """What was judged, by id; files of judgments may hold it, too."""
    from assize.conversation import Conversation, Pair
    from assize.errors import DataError
    from assize.formats import read

    found: dict[str, Judged] = {}
    for file in files:
        if file == "-" or Path(file).is_dir():
            continue
        for record in read(file, format=format, on_reject=lambda reject: None):
            if not isinstance(record, Pair | Conversation):
                continue
            if found.setdefault(record.id, record) != record:
                raise DataError(f"two items have the id {record.id!r}", source=file)
    if not found:
        raise DataError(
            "give what was judged with --items: roles and texts of its turns are needed"
        )
    return found


def _as_json(studies: Sequence[ActStudy]) -> dict[str, Any]:
    from assize.signature import sign_text

    return {
        "studies": {study.name: study.to_json() for study in studies},
        "signature": sign_text("|".join(study.signature for study in studies)),
    }


def _exit(studies: Sequence[ActStudy], max_unscored: float) -> None:
    left_out = sum(study.left_out for study in studies)
    total = left_out + sum(sum(study.items.values()) for study in studies)
    check_unscored(left_out, total, max_unscored, what="without valid labels")


Folder = Annotated[
    Path | None,
    typer.Option("--out", "-o", help="The tagger's folder; that of `acts@local` if unset."),
]
EncoderName = Annotated[str, typer.Option("--encoder", help="What turns become vectors by.")]
PrecisionName = Annotated[
    Literal["fp32", "int8"],
    typer.Option("--precision", help="Of the embedded encoder; int8 is faster."),
]
Least = Annotated[
    int, typer.Option("--least", min=1, help="Turns that an act must have to be learnt.")
]
Penalty = Annotated[
    float, typer.Option("--penalty", min=0, help="On the squared weights; higher is smoother.")
]
Folds = Annotated[
    int, typer.Option("--folds", min=2, help="Parts of the conversations, each held out once.")
]


def train(
    judgments: Judgments,
    items: Items = None,
    judge: Annotated[
        str | None, typer.Option("--judge", help="Whose acts are learnt; needed where several.")
    ] = None,
    out: Folder = None,
    encoder: EncoderName = "minilm",
    precision: PrecisionName = "int8",
    least: Least = 10,
    penalty: Penalty = 30.0,
    folds: Folds = 5,
    taxonomy: TaxonomyFile = None,
    seed: Seed = 0,
    format: FormatName = None,
    on_error: OnError = "fail",
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Trains a local tagger of dialogue acts from stored judgments.

    An encoder and a linear head: the same turns always get the same acts, and no
    model is asked. F1 is measured on held-out conversations. The judge
    `acts@local` (or `acts@FOLDER`) then labels any number of conversations.

    Example: [bold]assize acts train run/ --items pairs.jsonl[/bold]
    """
    from assize.dialogue_acts.annotations import gather
    from assize.dialogue_acts.tagger import local_folder, save_tagger
    from assize.dialogue_acts.tagging import Training, examples
    from assize.dialogue_acts.tagging import train as trained
    from assize.encoders import load_encoder
    from assize.formats.files import make_folder

    table = judgments_of(judgments, format=format, on_error=on_error, quiet=quiet)
    known = _items([*judgments, *([] if items is None else items)], format)
    name = _one_judge(table, judge)
    votes = gather(table, known, acts=name, maxims=None, taxonomy=_taxonomy(taxonomy))
    found = examples(known, votes.acts["first"], votes.acts["second"])
    reader = load_encoder(
        encoder, precision=precision if encoder == "minilm" else None, cached=True
    )
    folder = local_folder() if out is None else out
    make_folder(folder)  # before minutes of work that would be lost
    tagger, figures = trained(found, reader, Training(least, penalty, folds, seed))
    save_tagger(tagger, folder)
    if not quiet:
        target = "local" if out is None else str(folder)
        note(f"{folder}: the tagger is written; use it as acts@{target}")
    if json:
        print_json({**figures.to_json(), "judge": name, "signature": tagger.signature})
    else:
        _print_figures(figures, name, tagger.signature)


def _one_judge(table: JudgmentTable, wanted: str | None) -> str:
    from assize.dialogue_acts.annotations import act_judges
    from assize.errors import ConfigError

    found = act_judges(table)
    if wanted is None and len(found) == 1:
        return found[0]
    if wanted not in found:
        names = ", ".join(found) or "none"
        raise ConfigError(f"name the judge whose acts are learnt with --judge; here are: {names}")
    return wanted


def _print_figures(figures: Figures, judge: str, signature: str) -> None:
    rows = [
        ("the tagger, acts", figures.micro),
        ("the tagger, functions alone", figures.functions),
        ("the tagger, mean over acts", figures.macro),
        ("the most common act of the speaker", figures.common),
        ("the judge's own second vote", figures.again),
    ]
    f1, turns = Column("F1", "number"), Column("Turns", "count")
    print_table(ResultTable("F1 on held-out conversations", (Column("Who"), f1), rows))
    ranked = sorted(figures.by_act.items(), key=lambda pair: -pair[1][1])
    acts = [(name, *found) for name, found in ranked]
    print_table(ResultTable("By act", (Column("Act"), f1, turns), acts))
    print(  # noqa: T201
        f" {figures.turns:,} turns of {figures.conversations:,} conversations labelled by"
        f" {printable(judge)}; all functions right in {100 * figures.exact:.1f}% of turns."
        f" {100 * figures.missed:.1f}% of labels are too rare to be learnt.\n\n"
        f"signature {signature}"
    )
