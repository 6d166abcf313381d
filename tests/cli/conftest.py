"""What tests of several commands read, and commands of a test's own functions."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import typer
from tests.versions.two_versions import HELPFUL, two_versions
from typer.testing import CliRunner

from assize.cli.command import from_function
from assize.formats import write


def make_command(
    function: Callable[..., Any], name: str, first: tuple[str, ...] = (), **how: Any
) -> Callable[..., Any]:
    """Make a command that is called with these first words and those that follow them."""
    app = typer.Typer()
    app.command()(from_function(function, name, **how))
    return lambda *words: CliRunner().invoke(app, [*first, *words])


def shown_json(done: Any) -> Any:
    """Return the object that a command has shown."""
    assert done.exit_code == 0, done.output + repr(done.exception)
    return json.loads(done.stdout)


@pytest.fixture
def versions(tmp_path: Path) -> list[str]:
    """Judgments and conversations of two versions, old and new."""
    files = []
    for version in two_versions():
        judged, chats = (tmp_path / f"{version.name}{end}.jsonl" for end in ("", "-chats"))
        write(judged, list(version.table), questions=[HELPFUL])
        write(chats, list(version.items.values()))
        files += [f"{version.name}={judged}", f"{version.name}={chats}"]
    return files
