"""Writes docs/commands.md from the commands' own help, so that both say the same.

python scripts/command_reference.py          write the page
python scripts/command_reference.py --check  exit with 1 when the page is out of date
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import typer.main

from assize.cli import app

PAGE = Path(__file__).parent.parent / "docs" / "commands.md"
HEAD = """# Commands

Results go to stdout, progress and notes to stderr. Exit codes: 0 done, 1 more unscored than
`--max-unscored` allows, 2 usage or input error, 130 interrupted. With `--json` one object stands on
stdout and nothing else, the fields of the result: figures are
`{"estimate": 0.31, "interval": [lo, hi], "n": 223, "unscored": 0}`, shares in [0, 1] have their
`count` too, and every object carries its `signature`. `ASSIZE_CACHE_DIR` says where caches stand
(`~/.cache/assize` by default).

This page is written from the commands' help by `scripts/command_reference.py`.
"""


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


def page() -> str:
    """The whole page."""
    group = typer.main.get_command(app)
    return "\n".join([HEAD, *(section(name, one) for name, one in commands(group, "assize"))])


if __name__ == "__main__":
    if "--check" in sys.argv:
        sys.exit(PAGE.read_text() != page())
    PAGE.write_text(page())
