"""Sheets as raters fill them in: read, filled, and saved by our own writer or as CSV."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from pathlib import Path

from assize.base.conversation import Continuation, Turn
from assize.formats.xlsx import Sheet, SheetColumn, read_workbook, write_workbook
from assize.reference._rating_sheets.workbook import SHEET

Fill = Callable[[str, str], str]  # (row, column) -> what is written there


def items(count: int = 4, turns: int = 1) -> list[Continuation]:
    """Continuations of two sources, `m1` and `m2`, at each turn."""
    more = (Turn("assistant", "So."), Turn("user", "And?"))
    return [
        Continuation(
            f"k{number}-{turn}-{source}",
            (Turn("user", f"=1+{number}?"), *more * turn),
            f"candidate of {number} {turn} by {'one' if source == 'm1' else 'another'}",
            (f"reference of {number} {turn}",),
            f"c{number}",
            1 + 2 * turn,
            source,
        )
        for number in range(count)
        for turn in range(turns)
        for source in ("m1", "m2")
    ]


def table_of(folder: Path) -> list[list[str]]:
    """The sheet `ratings`, every row as wide as its head."""
    head, *rows = read_workbook(folder / SHEET)["ratings"]
    return [head, *([*row, *[""] * (len(head) - len(row))] for row in rows)]


def filled(folder: Path, place: Path, fill: Fill) -> Path:
    """The sheet of a folder, filled in and saved at a place, as a workbook or as CSV."""
    head, *rows = table_of(folder)
    for row in rows:
        for at, column in enumerate(head[4:], start=4):
            row[at] = fill(row[0], column)
    if place.suffix == ".csv":
        said = io.StringIO()
        csv.writer(said).writerows([head, *rows])
        place.write_text("\ufeff" + said.getvalue(), encoding="utf-8")
    else:
        columns = tuple(SheetColumn(name) for name in head)
        write_workbook(place, [Sheet("ratings", columns, tuple(map(tuple, rows)))])
    return place
