"""Writes docs/commands.md and the file of helps from the commands, so that all say the same.

python -m scripts.command_reference          write both
python -m scripts.command_reference --check  exit with 1 when one is out of date
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import typer.main
from scripts.floors import floor_of
from scripts.promised import promised

from assize.cli import COMMANDS, PANELS, app
from assize.cli.help_file import FILE, write_help

PAGE = Path(__file__).parent.parent / "docs" / "commands.md"
HEAD = """# Commands

Results go to stdout, progress and notes to stderr. Exit codes: 0 done, 1 more unscored than
`--max-unscored` allows, 2 usage or input error, or a hundred failures in a row, 130 interrupted.
With `--json` one object stands on stdout and nothing else, the fields of the result: figures are
`{"estimate": 0.31, "interval": [lo, hi], "n": 223, "unscored": 0}`, shares in [0, 1] have their
`count` too, and every object carries its `signature`. `ASSIZE_CACHE_DIR` says where caches stand
(`~/.cache/assize` by default).

This page is written from the commands' help by `scripts/command_reference.py`.
"""
TABLE_HEAD = """## Commands and functions

A command is made of a function, and has its name: `assize calibrate fit` is `assize.calibrate.fit`.
The last column says why a few have another name. A flag that calls a function of its own has a row
too. Modules stand below `src/assize`; the floors are those of `design/27-floors.md`, 1 at the top.

| command | function | module | floor | why another name |
|---|---|---|---|---|"""
EXCEPTIONS = {
    "assize score": "gathers figures and page while scores stream by; rows: `assize.score`",
    "assize jury decide": "is meant where `jury` has no second word",
    "assize calibrate next": "`next` is a builtin",
    "assize retrieve": "finds what `simulate` cites",
    "assize cache info": "`models` keeps the caches",
    "assize cache clear": "`models` keeps the caches",
}
"""Why a command has not the name of its function."""


def commands(command: Any, name: str) -> Iterator[tuple[str, Any]]:
    """(full name, command) of every command that runs something."""
    children = getattr(command, "commands", None)
    if children is None:
        yield name, getattr(command, "real", command)
    else:
        for child, value in children.items():
            yield from commands(value, f"{name} {child}")


def section(name: str, command: Any) -> str:
    """Heading, help and a table of the arguments and options."""
    rows = [row(parameter) for parameter in command.params if parameter.name != "help"]
    table = "| option | meaning | default |\n|---|---|---|\n" + "\n".join(rows)
    return f"## `{name}`\n\n{prose(command.help)}\n\n{table}\n"


def prose(text: str) -> str:
    """The help text, its example as code."""
    plain = re.sub(r"\[/?(?:bold|italic)\]", "", text)
    paragraphs = [" ".join(part.split()) for part in plain.split("\n\n")]
    return "\n\n".join(re.sub(r"^Example: `?(.*?)`?$", r"Example: `\1`", one) for one in paragraphs)


def row(parameter: Any) -> str:
    """One line of the table."""
    names = [*parameter.opts, *parameter.secondary_opts]
    if parameter.param_type_name == "argument":
        names = [str(parameter.metavar or parameter.name).strip("{}")]
    default = parameter.default
    shown = "" if default is None or default is False or callable(default) else f"`{default}`"
    meaning = (parameter.help or "").replace("|", "\\|")
    return f"| {', '.join(f'`{one}`' for one in names)} | {meaning} | {shown} |"


def promised_names() -> dict[int, str]:
    """By the identity of a function, the name by which it is promised: at the top, or deeper."""
    return {id(value): name for name, value in promised().items()}


def functions(name: str, command: Any) -> Iterator[tuple[str, Any]]:
    """A command with its function, and each flag of it that calls another one."""
    yield name, command.callback.made_of
    for mode in command.callback.modes:
        yield f"{name} {mode.flag}", mode.function


def function_rows(group: Any) -> Iterator[tuple[str, str, str]]:
    """(what is typed, promised name, module) of every function that a command or a flag calls."""
    names = promised_names()
    for name, command in commands(group, "assize"):
        for typed, function in functions(name, command):
            if id(function) in names:
                yield typed, names[id(function)], function.__module__


def function_table(group: Any) -> str:
    """The table of commands, functions, modules and floors, with why a name is another."""
    lines = [
        f"| `{typed}` | `{name}` | `{module.removeprefix('assize.').replace('.', '/')}.py` |"
        f" {floor_of(module)} | {EXCEPTIONS.get(typed, '')} |"
        for typed, name, module in function_rows(group)
    ]
    return "\n".join([TABLE_HEAD, *lines, ""])


def page() -> str:
    """The whole page."""
    group = typer.main.get_command(app)
    sections = [section(name, one) for name, one in commands(group, "assize")]
    return "\n".join([HEAD, *sections, function_table(group)])


def helps() -> str:
    """The file from which `--help` is shown."""
    named = commands(typer.main.get_command(app), "assize")
    return write_help({name.removeprefix("assize "): one.callback for name, one in named})


def check_panels() -> None:
    """Exit with what to do where a command stands under no heading: it would not be there."""
    shown = {name for names in PANELS.values() for name in names}
    if missing := {row.name.partition(" ")[0] for row in COMMANDS} - shown:
        sys.exit(f"add {', '.join(sorted(missing))} to PANELS in cli/__init__.py")


if __name__ == "__main__":
    check_panels()
    texts = {PAGE: page(), FILE: helps()}
    if "--check" in sys.argv:
        sys.exit(any(not path.exists() or path.read_text() != text for path, text in texts.items()))
    for path, text in texts.items():
        path.write_text(text)
