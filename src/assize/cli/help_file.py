"""The help of every command, written beforehand: to print it no method is imported.

A command's options are read off its function, whose module needs numpy, Arrow and more. So
`python -m scripts.command_reference` writes the options of all commands into `help.json`, one a
line; `assize COMMAND --help` reads that file, and a test holds it to the functions.
"""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable, Mapping
from inspect import Parameter
from pathlib import Path
from typing import Annotated, Any, Literal, Optional, get_args, get_type_hints

import typer
from typer.models import ArgumentInfo

FILE = Path(__file__).with_name("help.json")

_NAMES = {"Literal": Literal, "Optional": Optional, "Path": Path}
"""What types of options are written with."""


def _describe(parameter: Parameter) -> dict[str, Any]:
    kind, info = get_args(parameter.annotation)
    flags = [part for part in (info.default, *(info.param_decls or ())) if isinstance(part, str)]
    default = parameter.default
    spelt = kind.__name__ if isinstance(kind, type) and not get_args(kind) else str(kind)
    return {
        "name": parameter.name,
        "kind": spelt.replace("typing.", "").replace("pathlib.", ""),
        "flags": None if isinstance(info, ArgumentInfo) else flags,
        "default": {} if default is Parameter.empty else {"value": default},
        "help": info.help,
        "metavar": info.metavar,
        "panel": info.rich_help_panel,
        "range": [info.min, info.max],
    }


def write_help(commands: Mapping[str, Callable[..., Any]]) -> str:
    """Return the text of `help.json` for commands by name."""
    parts = []
    for name, command in commands.items():
        rows = map(_describe, inspect.signature(command).parameters.values())
        options = ",\n".join(json.dumps(row, ensure_ascii=False) for row in rows)
        about = json.dumps(inspect.getdoc(command), ensure_ascii=False)
        parts.append(f'{json.dumps(name)}: {{"about": {about}, "options": [\n{options}\n]}}')
    return "{\n" + ",\n".join(parts) + "\n}\n"


def read_help(name: str) -> Callable[..., Any]:
    """Return a function that has the help of a command, and does nothing."""
    entry = json.loads(FILE.read_text(encoding="utf-8"))[name]
    rows = entry["options"]
    holder = type("Kinds", (), {"__annotations__": {row["name"]: row["kind"] for row in rows}})
    kinds = get_type_hints(holder, _NAMES)

    def command(**values: Any) -> None:
        """Stand for a command in its help."""

    command.__doc__ = entry["about"]
    parameters = [_read_option(row, kinds[row["name"]]) for row in rows]
    command.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    return command


def _read_option(row: Mapping[str, Any], kind: Any) -> Parameter:
    about = {"help": row["help"], "metavar": row["metavar"]}
    info: Any
    low, high = row["range"]
    if row["flags"] is None:
        info = typer.Argument(**about)
    else:
        info = typer.Option(*row["flags"], rich_help_panel=row["panel"], min=low, max=high, **about)
    default = row["default"].get("value", Parameter.empty)
    hint: Any = Annotated[kind, info]
    return Parameter(row["name"], Parameter.KEYWORD_ONLY, annotation=hint, default=default)
