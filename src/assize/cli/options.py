"""The options of the command line itself, which are no parameters of functions."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from assize.cli.flags import INPUT, OUTPUT

Json = Annotated[
    bool, typer.Option("--json", rich_help_panel=OUTPUT, help="Print one JSON object on stdout.")
]
Quiet = Annotated[
    bool, typer.Option("--quiet", "-q", rich_help_panel=OUTPUT, help="No progress and no notes.")
]
Format = Annotated[
    str | None,
    typer.Option(
        "--format",
        rich_help_panel=INPUT,
        metavar="NAME",
        help="Format of the input, recognised from the content by default.",
    ),
]
OnError = Annotated[
    Literal["fail", "skip"],
    typer.Option(
        "--on-error",
        rich_help_panel=INPUT,
        help="What a bad record does, fail or skip (kept in a file).",
    ),
]
MaxBytes = Annotated[
    str | None,
    typer.Option(
        "--max-bytes",
        rich_help_panel=INPUT,
        metavar="SIZE",
        help="To how much a packed file may unfold, as 64GB; by default 16 GB, and 200 times its"
        " size.",
    ),
]
Mapped = Annotated[
    str | None,
    typer.Option(
        "--map",
        rich_help_panel=INPUT,
        metavar="FIELDS",
        help="Where the fields of an unknown log stand, as role=author.role,text=body.text, or a"
        " file map.toml; or what the columns of a table of ratings are, as columns=question-rater.",
    ),
]
Roles = Annotated[
    str | None,
    typer.Option(
        "--roles",
        rich_help_panel=INPUT,
        metavar="NAMES",
        help="What its names of roles mean, as customer=user,agent=assistant.",
    ),
]
Report = Annotated[
    Path | None,
    typer.Option("--report", rich_help_panel=OUTPUT, help="Write a self-contained HTML page here."),
]
MaxUnscored = Annotated[
    float,
    typer.Option(
        "--max-unscored",
        rich_help_panel=OUTPUT,
        min=0,
        max=100,
        help="Exit with 1 when more than this percent is unscored.",
    ),
]
