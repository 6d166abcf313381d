"""`assize convert`: from files in any known format to files in any other."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from assize.cli.options import FormatName, Json, OnError, Quiet
from assize.cli.terminal import note, print_json
from assize.running.progress import progress
from assize.signature import sign

if TYPE_CHECKING:
    from assize.formats.converting import Converted
    from assize.formats.recipes import Cooking
    from assize.formats.rejects import Rejects

Paths = Annotated[
    list[str],
    typer.Argument(
        metavar="IN... OUT", help="Files to read (paths, URLs, or -), then the file or folder."
    ),
]
To = Annotated[
    str | None,
    typer.Option("--to", help="Format to write; by default assize's own, chosen by OUT's suffix."),
]
Set = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="NAME=VALUE", help="An option of the input format."),
]
RaterColumn = Annotated[
    str | None, typer.Option("--rater-column", help="The column that names the rater (upheld).")
]
NotApplicable = Annotated[
    str | None,
    typer.Option("--na", help="What answers that cannot apply become (llm-rubric)."),
]
RecipeName = Annotated[
    str | None,
    typer.Option(
        "--recipe",
        help="Keep the pairs that a study uses: amulet-hh, amulet-wildfeedback, amulet-nectar.",
    ),
]
HumanTurns = Annotated[
    int | None,
    typer.Option("--human-turns", min=1, help="Human turns that --recipe asks for; 4 if unset."),
]
Against = Annotated[
    list[str] | None,
    typer.Option("--against", help="Pairs that --recipe must leave out (repeatable)."),
]


def convert(
    paths: Paths,
    format: FormatName = None,
    to: To = None,
    on_error: OnError = "fail",
    set_: Set = None,
    rater_column: RaterColumn = None,
    na: NotApplicable = None,
    recipe: RecipeName = None,
    human_turns: HumanTurns = None,
    against: Against = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Converts conversations, pairs, continuations and judgments between formats.

    The input's format is recognised from its content. OUT as a folder gets
    one file a kind of record; OUT as a file gets the items, and judgments
    stand beside it. --recipe keeps only some pairs, and counts its steps.
    Exit code 2 where every record is bad.

    Example: [bold]assize convert chats.parquet chats.jsonl[/bold]
    """
    from assize.errors import DataError
    from assize.formats.converting import convert as converted
    from assize.formats.kinds import counted
    from assize.formats.rejects import Rejects, rejects_beside
    from assize.formats.rejects import on_error as chosen

    if len(paths) < 2:
        raise typer.BadParameter("name the files to read and, last, where to write: IN... OUT")
    *sources, out = paths
    options = _options(set_ or [], {"rater_column": rater_column, "na": na})
    cooking = _cooking(recipe, human_turns, against)
    with (
        Rejects(rejects_beside(out)) as rejects,
        progress("converting", None, quiet=quiet) as advance,
    ):
        on_reject = chosen(on_error, rejects)
        try:
            done = converted(
                sources,
                out,
                format=format,
                to=to,
                options=options,
                on_reject=on_reject,
                advance=advance,
                recipe=cooking,
            )
        except DataError:
            _tell_unfinished(out)
            raise
    if not quiet:
        _tell(done)
    if rejects.count:
        left_out = counted(rejects.count, "bad records")
        note(f"{left_out} left out, kept in {rejects.location}")
    if cooking is not None and not quiet:
        _tell_steps(cooking)
    if json:
        settings: dict[str, object] = {"to": to, "format": format, "options": options}
        if cooking is not None:
            settings["recipe"] = [cooking.recipe.name, cooking.least]
        print_json(_report(done, rejects, settings) | _steps(cooking))
    if rejects.count and not done.kinds:
        raise typer.Exit(2)


def _cooking(
    recipe: str | None, human_turns: int | None, against: list[str] | None
) -> Cooking | None:
    from itertools import chain

    from assize.formats import read
    from assize.formats.recipes import Cooking

    if recipe is None:
        if human_turns is not None or against is not None:
            raise typer.BadParameter("--human-turns and --against are for --recipe")
        return None
    known = None if against is None else chain.from_iterable(map(read, against))
    return Cooking(recipe, 4 if human_turns is None else human_turns, known)


def _tell_steps(cooking: Cooking) -> None:
    """The steps' counts beside the paper's, on stderr, for stdout may be the result."""
    rows = cooking.counts()
    width = max(len(name) for name, _, _ in rows)
    note(f"{cooking.recipe.name}: {'step'.ljust(width)}  {'pairs':>9}  paper")
    for name, count, paper in rows:
        note(
            f"{' ' * len(cooking.recipe.name)}  {name.ljust(width)}  {count:>9,}  {paper}".rstrip()
        )
    if cooking.others:
        note(f"{cooking.others:,} records that are no pairs were left out")


def _steps(cooking: Cooking | None) -> dict[str, object]:
    if cooking is None:
        return {}
    steps = [
        {"step": name, "left": count, "paper": paper} for name, count, paper in cooking.counts()
    ]
    return {"recipe": {"name": cooking.recipe.name, "steps": steps}}


def _options(given: list[str], own: Mapping[str, str | None]) -> dict[str, str]:
    options = {name: value for name, value in own.items() if value is not None}
    for one in given:
        name, equals, value = one.partition("=")
        if not equals:
            raise typer.BadParameter(f"--set {one}: write NAME=VALUE")
        options[name.replace("-", "_")] = value
    return options


def _tell(done: Converted) -> None:
    from assize.formats.kinds import counted

    for source, name in done.formats.items():
        note(f"{source}: read as {name}")
    for path, kinds in done.files.items():
        if path != "-":
            note(f"{path}: " + ", ".join(counted(count, kind) for kind, count in kinds.items()))
    if done.questions is not None:
        note(f"{done.questions}: the questions that the judgments answer")
    if done.inferred:
        names = ", ".join(done.inferred[:5]) + (", ..." if len(done.inferred) > 5 else "")
        note(f"the scale of {names} is guessed from the answers seen; mend it in that file")
    if not done.kinds:
        note("no records were converted")


def _tell_unfinished(out: str) -> None:
    if Path(f"{out}.part").is_file():
        note(f"what was converted so far is kept in {out}.part")


def _report(done: Converted, rejects: Rejects, settings: Mapping[str, object]) -> dict[str, object]:
    return {
        "records": dict(done.kinds),
        "files": done.files,
        "rejects": rejects.count,
        "questions": done.questions,
        "inferred": list(done.inferred),
        "formats": dict(done.formats),
        "signature": sign("convert", 1, settings),
    }
