"""Pairs to judge, and a way to run the command line as its own process."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from command_line import assize

from assize.base.conversation import Pair, Turn
from assize.formats import read, write
from assize.judging.session import RunSettings, Session


def make_pair(number: int, turns: int = 3) -> Pair:
    """A pair whose texts tell which it is."""
    context = tuple(
        Turn("user" if turn % 2 == 0 else "assistant", f"pair {number}, what of turn {turn}?")
        for turn in range(turns)
    )
    a = (Turn("assistant", f"the first response to pair {number}"),)
    b = (Turn("assistant", f"another response to pair {number}"),)
    return Pair(f"p{number}", context, a, b)


def why_unscored(row: Any) -> str | None:
    """Return the reason of a judgment that has no answer."""
    return None if row.unscored is None else str(row.unscored.reason)


@pytest.fixture
def prices(tmp_path: Path) -> Path:
    """A file that makes a token of the test server's model cost 100 dollars a million."""
    path = tmp_path / "prices.toml"
    path.write_text('"openai:tiny" = { input = 100.0, output = 100.0 }\n')
    return path


def session(file: Path, out: Path, *judges: str, **run: Any) -> Session:
    """A run over a file, by the scripted judge if no other is named."""
    return Session(read([str(file)]), judges or ("io@scripted:any",), out, run=RunSettings(**run))


@pytest.fixture
def pairs_file(tmp_path: Path) -> Any:
    """Writes a file of so many pairs."""

    def make(count: int, name: str = "pairs.jsonl") -> Path:
        write(tmp_path / name, (make_pair(number) for number in range(count)))
        return tmp_path / name

    return make


def start_cli(*arguments: object) -> subprocess.Popen[str]:
    """Starts `assize` with these arguments in a process of its own."""
    code = "from assize.cli import main; main()"
    return subprocess.Popen(
        [sys.executable, "-c", code, *map(str, arguments)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


@pytest.fixture
def start() -> Any:
    return start_cli


@pytest.fixture
def cli() -> Any:
    """Runs `assize` to its end in this process; gives exit code, stdout, stderr."""

    def run(*arguments: object) -> tuple[int, str, str]:
        done = assize(*arguments)
        return done.returncode, done.stdout, done.stderr

    return run


@pytest.fixture
def rows_of() -> Any:
    """The rows of a run's folder."""

    def rows(folder: Path) -> list[dict[str, Any]]:
        text = (folder / "judgments.jsonl").read_text("utf-8")
        return [json.loads(line) for line in text.split("\n") if line]

    return rows
