"""`assize evaluator`: train an evaluator, measure one, print its card."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from assize.cli.options import Files, FormatName, Json, Quiet
from assize.cli.reading import items_of
from assize.cli.terminal import note, print_json
from assize.tables import ResultTable, columns
from assize.tables.escape import printable
from assize.tables.terminal import print_table

if TYPE_CHECKING:
    pass

Judgments = Annotated[
    list[str] | None,
    typer.Option(
        "--judgments", "-j", help="Ratings or preferences; the input files' own when not given."
    ),
]
Folder = Annotated[Path, typer.Option("--out", "-o", help="Folder of the new evaluator.")]
Existing = Annotated[
    Path | None, typer.Option("--evaluator", help="Folder; the shipped one by default.")
]
Name = Annotated[
    str | None, typer.Option("--name", help="As in evaluator@NAME; else the folder's.")
]


def train(
    files: Files,
    out: Folder,
    judgments: Judgments = None,
    name: Name = None,
    format: FormatName = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Trains an evaluator on ratings of conversations or turns, and on preferences.

    Each file counts as one corpus; each question with ratings gets a head.
    Measure the result on other conversations, not on these.

    Example: [bold]assize evaluator train chats.jsonl -j ratings.jsonl --out mine/[/bold]
    """
    from assize.encoders import load_encoder
    from assize.evaluator import save
    from assize.evaluator.learning import learn
    from assize.formats import read_judgments

    sources = files if judgments is None else judgments
    table = read_judgments(sources, format=format if judgments is None else None)
    corpora = {_corpus(file, files): list(items_of([file], format=format)) for file in files}
    chosen = out.resolve().name if name is None else name
    learnt = learn(corpora, table, load_encoder("minilm", cached=True), name=chosen)
    save(learnt, out)
    found = {"evaluator": learnt.judge, "heads": list(learnt.scored), "out": str(out)}
    if json:
        print_json(found | {"judgments": len(table), "signature": learnt.signature})
    elif not quiet:
        heads = ", ".join(learnt.scored)
        note(f"{out}: {learnt.judge} with {heads}, from {len(table):,} judgments")


def _corpus(file: str, files: Iterable[str]) -> str:
    """The file's name, or its whole path where two have one name."""
    name = Path(file).name
    return name if sum(Path(other).name == name for other in files) == 1 else file


def evaluate(
    files: Files,
    judgments: Judgments = None,
    evaluator: Existing = None,
    format: FormatName = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Measures an evaluator against judgments: correlation with ratings, share of pairs.

    Example: [bold]assize evaluator evaluate chats.jsonl -j ratings.jsonl[/bold]
    """
    from assize.errors import DataError
    from assize.evaluator import load_evaluator, score
    from assize.evaluator.learning import agreement
    from assize.formats import read_judgments

    sources = files if judgments is None else judgments
    table = read_judgments(sources, format=format if judgments is None else None)
    chosen = load_evaluator(evaluator)
    per_turn = bool(table.present("turn").any())
    found = agreement(
        score(items_of(files, format=format), evaluator=chosen, turns=per_turn), table, chosen
    )
    if not found:
        raise DataError("no judgment fits an item of these files; check the ids of the items")
    if json:
        figures = [
            {"question": one.question, "head": one.head, "level": one.level} | one.figure.to_json()
            for one in found
        ]
        print_json({"judge": chosen.judge, "figures": figures, "signature": chosen.signature})
        return
    rows = [
        (one.question, one.head, one.level, one.figure.n, one.figure.unscored, one.figure)
        for one in found
    ]
    words, counts = columns("words", "question", "head", "level"), columns("count", "n", "unscored")
    named = words + counts + columns("number", "[95%]", digits=2)
    print_table(ResultTable(chosen.judge, named, rows))
    if not quiet:
        note("ratings: Spearman's correlation with their mean; pairs: share decided likewise")


def card(evaluator: Existing = None) -> None:
    """Prints an evaluator's model card; the shipped one's by default.

    Example: [bold]assize evaluator card[/bold]
    """
    from assize.evaluator.artefact import read_card

    print(printable(read_card(evaluator)))  # noqa: T201
