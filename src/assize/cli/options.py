"""The options that commands share, so that each has one name, one meaning, one help text."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

Files = Annotated[
    list[str], typer.Argument(metavar="FILES", help="Paths, URLs, or - for standard input.")
]
Judgments = Annotated[
    list[str],
    typer.Argument(metavar="JUDGMENTS", help="Folders of runs, or files of judgments."),
]
Judges = Annotated[
    list[str] | None,
    typer.Option("--judges", help="Only these judges (repeatable, or with commas)."),
]
Out = Annotated[str | None, typer.Option("--out", "-o", help="Write the result here.")]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object on stdout.")]
Seed = Annotated[int, typer.Option("--seed", help="Seed of every random choice.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="No progress and no notes.")]
FormatName = Annotated[
    str | None,
    typer.Option("--format", help="Format of the input; recognised from the content by default."),
]
OnError = Annotated[
    str,
    typer.Option("--on-error", help="What a bad record does: fail, or skip (kept in a file)."),
]
Report = Annotated[
    Path | None, typer.Option("--report", help="Write a self-contained HTML page here.")
]
MaxUnscored = Annotated[
    float,
    typer.Option(
        "--max-unscored",
        min=0,
        max=100,
        help="Exit with 1 when more than this percent is unscored.",
    ),
]
