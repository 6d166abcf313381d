"""`assize report`: stored judgments as one self-contained HTML page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal

import typer

from assize.cli.options import FormatName, Json, Judgments, OnError, Quiet
from assize.cli.reading import items_of, judgments_of
from assize.cli.terminal import command_line, note, print_json

Items = Annotated[
    list[str] | None,
    typer.Option("--items", help="What was judged, so that its text is shown (repeatable)."),
]
OutPage = Annotated[str, typer.Option("--out", "-o", help="Where the page is written.")]
Title = Annotated[str, typer.Option("--title", help="Heading of the page.")]
Main = Annotated[
    str | None,
    typer.Option(
        "--question", help="The question that heads the page and orders the items; else `overall`."
    ),
]
Keep = Annotated[int, typer.Option("--keep", min=0, help="How many items are listed.")]
First = Annotated[
    Literal["lowest", "highest", "closest", "decided"] | None,
    typer.Option(
        "--list",
        help="Which items come first; the lowest scores, the closest preferences if unset.",
    ),
]


def report(
    judgments: Judgments,
    items: Items = None,
    out: OutPage = "report.html",
    title: Title = "Judgments",
    question: Main = None,
    keep: Keep = 20,
    first: First = None,
    on_error: OnError = "fail",
    format: FormatName = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Writes stored judgments as one HTML page that needs nothing else.

    Headline numbers, distributions, a table by judge and question, the
    items to look at first, and all that could not be scored, with the
    reason. The page makes no request and runs no script.

    Example: `assize report run/ --items conversations.jsonl --out report.html`
    """
    from assize.pages import write_report

    table = judgments_of(judgments, format=format, on_error=on_error, quiet=quiet)
    summary = write_report(
        out,
        table,
        items_of(items),
        title=title,
        reproduce=command_line(),
        main=_known(question, list(table.questions)),
        keep=keep,
        listing=first,
    )
    if json:
        print_json({"out": out, **summary.to_json()})
    elif not quiet:
        missing = summary.items - summary.scored
        note(f"{out}: {summary.items:,} {summary.noun}, {missing:,} of them not scored")


def _known(question: str | None, questions: Sequence[str]) -> str | None:
    from assize.errors import ConfigError

    if question is not None and question not in questions:
        raise ConfigError(f"no question {question!r}; asked were {', '.join(questions) or 'none'}")
    return question
