"""The options of the command line itself, which are no parameters of functions."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from assize.cli.flags import INPUT, OUTPUT

Json = Annotated[
    bool,
    typer.Option("--json", rich_help_panel=OUTPUT, help="Print the result as one JSON object."),
]
Quiet = Annotated[
    bool,
    typer.Option("--quiet", "-q", rich_help_panel=OUTPUT, help="Show no progress and no notes."),
]
Format = Annotated[
    str | None,
    typer.Option(
        "--format",
        rich_help_panel=INPUT,
        metavar="NAME",
        help="Format of the input. Default: recognised from the content.",
    ),
]
OnError = Annotated[
    Literal["fail", "skip"],
    typer.Option(
        "--on-error",
        rich_help_panel=INPUT,
        help="What to do with a bad record: fail, or skip it and keep it in a file.",
    ),
]
MaxBytes = Annotated[
    str | None,
    typer.Option(
        "--max-bytes",
        rich_help_panel=INPUT,
        metavar="SIZE",
        help="Maximum size a compressed file may expand to, for example 64GB. Default: 16GB, and"
        " 200 times its own size.",
    ),
]
Mapped = Annotated[
    str | None,
    typer.Option(
        "--map",
        rich_help_panel=INPUT,
        metavar="FIELDS",
        help="Where an unknown log has its fields, for example role=author.role,text=body.text, or"
        " a file map.toml. For a table of ratings, what its columns are, for example"
        " columns=question-rater, and which names what was rated, for example item=Nr.",
    ),
]
Roles = Annotated[
    str | None,
    typer.Option(
        "--roles",
        rich_help_panel=INPUT,
        metavar="NAMES",
        help="What the roles in the input mean, for example customer=user,agent=assistant.",
    ),
]
Report = Annotated[
    Path | None,
    typer.Option(
        "--report",
        rich_help_panel=OUTPUT,
        help="Also write a self-contained HTML page to this file.",
    ),
]
MaxUnscored = Annotated[
    float,
    typer.Option(
        "--max-unscored",
        rich_help_panel=OUTPUT,
        min=0,
        max=100,
        help="Exit with 1 if more than this percentage is unscored.",
    ),
]
FailOnDrop = Annotated[
    bool,
    typer.Option(
        "--fail-on-drop",
        rich_help_panel=OUTPUT,
        help="Exit with 1 if a question is worse beyond chance: in any version than in the"
        " baseline, on all conversations; with --over in the latest period than before.",
    ),
]
