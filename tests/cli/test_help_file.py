"""The help of commands, read from a file."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest
import typer
from typer.testing import CliRunner

from assize.cli import COMMANDS
from assize.cli.help_file import FILE, read_help, write_help
from assize.cli.lazy import LazyCommand

HEAVY = ("numpy", "scipy", "pyarrow", "torch", "openai", "sklearn", "pydantic.dataclasses")


@pytest.mark.parametrize("row", COMMANDS, ids=lambda row: row.name)
def test_the_file_shows_the_help_of_the_command_itself(row: object) -> None:
    lazy = LazyCommand(row)  # type: ignore[arg-type]
    shown = []
    for function in (read_help(row.name), lazy.real.callback):  # type: ignore[attr-defined]
        app = typer.Typer(add_completion=False, rich_markup_mode="rich")
        app.command("x")(function)
        shown.append(CliRunner().invoke(app, ["--help"]).output)
    assert shown[0] == shown[1]
    assert "--help" in shown[0]


def test_no_help_imports_anything_heavy() -> None:
    names = [row.name.split() for row in COMMANDS]
    script = (
        "import sys\nfrom typer.testing import CliRunner\nfrom assize.cli import app\n"
        f"for name in {names!r}:\n"
        "    done = CliRunner().invoke(app, [*name, '--help'])\n"
        "    assert done.exit_code == 0, (name, done.output)\n"
        f"    loaded = [part for part in {HEAVY!r} if part in sys.modules]\n"
        "    assert not loaded, (name, loaded)\n"
        "print(len([name for name in sys.modules if name.startswith('assize.')]))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert done.stderr == ""
    assert int(done.stdout) < 25


def test_what_is_written_is_read_back() -> None:
    text = write_help({"agree": read_help("agree")})
    assert json.loads(text)["agree"] == json.loads(FILE.read_text())["agree"]
