"""The command `assize`: one thin file per command, each a call into the package.

Exit codes: 0 done, 1 more unscored than --max-unscored allows, 2 usage or input
error, 130 interrupted. Results go to stdout, everything else to stderr.
"""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from assize import __version__
from assize.cli.acts import app as acts
from assize.cli.agree import agree
from assize.cli.cache import cache
from assize.cli.calibrate import app as calibrate
from assize.cli.check import check
from assize.cli.convert import convert
from assize.cli.evaluator import app as evaluator
from assize.cli.judge import judge
from assize.cli.jury import jury
from assize.cli.report import report
from assize.cli.rubric import app as rubric
from assize.cli.score import score
from assize.cli.terminal import note, problem
from assize.errors import AssizeError

app = typer.Typer(
    name="assize",
    help="Judge multi-turn conversations, and know how far to trust the judgment.",
    no_args_is_help=True,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(asked: bool) -> None:
    if asked:
        print(f"assize {__version__}")  # noqa: T201
        raise typer.Exit


@app.callback()
def _root(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Judge multi-turn conversations, and know how far to trust the judgment."""


app.command()(score)
app.add_typer(evaluator, name="evaluator")
app.command()(judge)
app.command()(jury)
app.add_typer(acts)
app.add_typer(rubric, name="rubric")
app.add_typer(calibrate, name="calibrate")
app.add_typer(cache)
app.command()(convert)
app.command()(check)
app.command()(report)
app.command()(agree)


def main() -> None:
    """Runs the command line; an expected error is one message and exit code 2."""
    try:
        app()
    except AssizeError as error:
        problem(str(error))
        sys.exit(2)
    except KeyboardInterrupt:
        note("interrupted")
        sys.exit(130)
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(0)
