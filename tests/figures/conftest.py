"""The figures that stand in the docs, read out of them, to be held against the product's.

The docs are the single source: no test here repeats a figure. A table is found by its column
labels, a sentence by its words, and each number in them must be what a command says today, to
the last digit that is printed.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from assize.cli import app

ROOT = Path(__file__).parents[2]
DATA = ROOT.parent / "shared" / "data"
NUMBER = re.compile(
    r"(?<![\w.,])[-+]?(?:\d{1,3}(?:,\d{3})+|\d+)?(?:(?<=\d)\.\d+|\.\d+|(?<=\d))(?!\w)"
)
Value = float | Sequence[float]


def numbers(text: str) -> list[str]:
    """The numbers of a text as they are written; a range `0.75-0.91` holds two.

    >>> numbers("0.826 (0.75-0.91), -.5 of 7,742, 62.6% at V1")
    ['0.826', '0.75', '0.91', '-.5', '7,742', '62.6']
    """
    return NUMBER.findall(text)


def printed(text: str, value: float) -> bool:
    """Whether a value is what a text says, in as many digits as it says.

    >>> printed("62.61", 62.608), printed("62.61", 62.616), printed("1,052", 1052)
    (True, False, True)
    """
    half = 0.5 * 10.0 ** -len(text.partition(".")[2])
    return abs(float(text.replace(",", "")) - value) <= half + 1e-9


def unlike(pairs: Mapping[Any, tuple[str, Value]]) -> dict[Any, str]:
    """What each text says and what was found, where the two are not the same."""
    wrong = {}
    for label, (text, value) in pairs.items():
        shown = numbers(text)
        values = list(value) if isinstance(value, Sequence) else [value]
        assert shown, f"{label}: no number in {text!r}"
        if len(shown) != len(values) or not all(map(printed, shown, values)):
            wrong[label] = f"the docs say {text}; found {', '.join(f'{one:.6g}' for one in values)}"
    return wrong


def unlike_in_turn(texts: Iterable[str], values: Iterable[Value]) -> dict[Any, str]:
    """See `unlike`; the texts and the values are in one order."""
    return unlike(dict(enumerate(zip(texts, values, strict=True))))


@dataclass(frozen=True)
class Grid:
    """A table of a page: column labels, and rows of cells without marks of emphasis."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    def cells(self, labels: int = 1) -> dict[Any, str]:
        """The cells that hold numbers, by (row's label, column); the label is the first cells'."""
        found = {
            (row[0] if labels == 1 else row[:labels], column): cell
            for row in self.rows
            for column, cell in zip(self.columns[labels:], row[labels:], strict=True)
            if numbers(cell)
        }
        assert found, f"no figure under {self.columns}"
        return found

    def only(self, labels: Sequence[str]) -> Grid:
        """Some rows, by their first cell."""
        rows = {row[0]: row for row in self.rows}
        return replace(self, rows=tuple(rows[label] for label in labels))

    def only_column(self, column: str) -> Grid:
        """The labels and one column."""
        place = self.columns.index(column)
        rows = tuple((row[0], row[place]) for row in self.rows)
        return Grid((self.columns[0], column), rows)

    def differences(self, found: Mapping[Any, Value], labels: int = 1) -> dict[Any, str]:
        """Cells that are not what was found; a cell or a value without the other is one too."""
        cells = self.cells(labels)
        wrong = dict.fromkeys(found.keys() - cells.keys(), "found, and not in the docs")
        wrong |= dict.fromkeys(cells.keys() - found.keys(), "in the docs, and not found")
        both = cells.keys() & found.keys()
        return wrong | unlike({label: (cells[label], found[label]) for label in both})


@dataclass(frozen=True)
class Page:
    """A page of the docs."""

    text: str

    def table(self, *columns: str) -> Grid:
        """The one table with these column labels."""
        found = [grid for grid in _tables(self.text) if grid.columns == columns]
        assert len(found) == 1, f"{len(found)} tables have the columns {columns}"
        return found[0]

    def said(self, pattern: str) -> tuple[str, ...]:
        """The groups of a pattern that stands on the page exactly once, line ends aside."""
        found = list(re.finditer(pattern, _plain(self.text)))
        assert len(found) == 1, f"{len(found)} places say {pattern!r}"
        return found[0].groups()


def _plain(text: str) -> str:
    return " ".join(re.sub(r"[*`]", "", text).split())


def _tables(text: str) -> Iterator[Grid]:
    for block in re.findall(r"(?:^\|.*\|\n)+", text, re.MULTILINE):
        head, _, *rows = (
            tuple(_plain(cell) for cell in line.strip("|").split("|"))
            for line in block.splitlines()
        )
        yield Grid(head, tuple(rows))


def page(name: str) -> Page:
    """Open a page of the repository."""
    return Page((ROOT / name).read_text("utf-8"))


def find_data(name: str) -> str:
    """The path of a file or folder of the research data; skip the test where it is absent."""
    if not (DATA / name).exists():
        pytest.skip(f"needs shared/data/{name} beside the repository")
    return str(DATA / name)


def run_json(*arguments: object) -> Any:
    """What a command of assize says with --json."""
    command = [*map(str, arguments), "--json"]
    done = CliRunner().invoke(app, command, catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return json.loads(done.stdout)


def run_program(name: str, *arguments: object) -> str:
    """What a program of the repository prints, named as the docs name it: a file or a module."""
    words = [str(ROOT / name)] if name.endswith(".py") else ["-m", name]
    command = [sys.executable, *words, *map(str, arguments)]
    path = os.pathsep.join([str(ROOT / "src"), os.environ.get("PYTHONPATH", "")])
    environment = os.environ | {"PYTHONPATH": path}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, cwd=ROOT)
    assert done.returncode == 0, done.stderr
    return done.stdout
