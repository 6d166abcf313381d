"""`assize acts`: dialogue acts and maxims in stored judgments, and a local tagger of acts."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperGroup

from assize.cli.options import FormatName, Json, MaxUnscored, OnError, Quiet, Report
from assize.cli.terminal import note, print_json, print_table, printable

if TYPE_CHECKING:
    from assize.dialogue_acts.annotations import Judged
    from assize.dialogue_acts.study import ActStudy
    from assize.dialogue_acts.taxonomy import Taxonomy
    from assize.judgment import JudgmentTable

DEFAULT = "show"


class _ShowsByDefault(TyperGroup):
    """`assize acts FILE` is `assize acts show FILE`."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        if args and args[0] not in {*self.commands, *ctx.help_option_names}:
            args = [DEFAULT, *args]
        return super().parse_args(ctx, args)


app = typer.Typer(
    name="acts",
    help="Dialogue acts and maxims in stored judgments: `assize acts JUDGMENTS --items PAIRS`.",
    no_args_is_help=True,
    cls=_ShowsByDefault,
)

Judgments = Annotated[
    list[str],
    typer.Argument(metavar="JUDGMENTS", help="Folders of runs, or files of judgments."),
]
Items = Annotated[
    list[str] | None,
    typer.Option("--items", help="What was judged: pairs or conversations (repeatable)."),
]
Judges = Annotated[
    list[str] | None,
    typer.Option("--judges", help="Only these judges (repeatable, or with commas)."),
]
TaxonomyFile = Annotated[
    str | None,
    typer.Option("--taxonomy", help="The taxonomy that labels are checked against: name or file."),
]
GoldJudge = Annotated[
    str, typer.Option("--gold", help="The judge whose preferences are gold, unless items have one.")
]


@app.command(name=DEFAULT)
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
    table = _read(judgments, format, on_error, quiet)
    known = _items([*judgments, *([] if items is None else items)], format)
    studies = study_all(table, known, _taxonomy(taxonomy), judges=names, gold=gold)
    if report is not None:
        _write(report, studies, quiet)
    if json:
        print_json(_as_json(studies))
    else:
        _print(studies)
    _exit(studies, max_unscored)


def _taxonomy(name: str | None) -> Taxonomy:
    from assize.dialogue_acts.taxonomy import DEFAULT, load_taxonomy

    if name is None:
        return load_taxonomy(DEFAULT)
    return load_taxonomy(Path(name).resolve() if name.endswith(".toml") else name)


def _read(files: Sequence[str], format: str | None, on_error: str, quiet: bool) -> JudgmentTable:
    from assize.cli.convert import rejects_beside
    from assize.errors import DataError
    from assize.formats import read_judgments
    from assize.formats.rejects import Rejects
    from assize.formats.rejects import on_error as chosen

    with Rejects(rejects_beside("-")) as rejects:
        table = read_judgments(files, format=format, on_reject=chosen(on_error, rejects))
    if rejects.count and not quiet:
        note(f"{rejects.count} bad records were left out; they stand in {rejects.location}")
    if not len(table):
        raise DataError("there is no judgment in these files", source=", ".join(files))
    return table


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
            if isinstance(record, Pair | Conversation):
                found[record.id] = record
    if not found:
        raise DataError(
            "give what was judged with --items: roles and texts of its turns are needed"
        )
    return found


def _print(studies: Sequence[ActStudy]) -> None:
    from assize.dialogue_acts.tables import tables

    for study in studies:
        print(f"{printable(study.name)}\n")  # noqa: T201
        for one in tables(study):
            text = [one.header[place] for place in one.text]
            print_table(one.title, one.header, one.rows, text=text)
            if one.note:
                print(f" {printable(one.note)}\n")  # noqa: T201
        print(f"signature {study.signature}\n")  # noqa: T201


def _as_json(studies: Sequence[ActStudy]) -> dict[str, Any]:
    from assize.stats.estimate import sign

    return {
        "studies": {study.name: study.to_json() for study in studies},
        "signature": sign("|".join(study.signature for study in studies)),
    }


def _write(path: Path, studies: Sequence[ActStudy], quiet: bool) -> None:
    from assize.report.acts import write_acts

    write_acts(path, studies, reproduce=[shlex.join(["assize", *sys.argv[1:]])])
    if not quiet:
        note(f"{path}: the page is written")


def _exit(studies: Sequence[ActStudy], max_unscored: float) -> None:
    left_out = sum(study.left_out for study in studies)
    total = left_out + sum(sum(study.items.values()) for study in studies)
    share = 100 * left_out / total if total else 100.0
    if share > max_unscored:
        note(f"{share:.1f}% without valid labels is more than --max-unscored {max_unscored:g}")
        raise typer.Exit(1)
