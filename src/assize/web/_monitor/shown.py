"""A table as a page shows it: sorted by a column, cells as texts, each with where it leads."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from assize.formats.cells import guarded
from assize.results import Column, ResultTable, to_json
from assize.results.numbers import Measured
from assize.stats._estimate import nullable

Link = Callable[[str], str | None]
"""Where a cell's text leads; None for nowhere."""


@dataclass(frozen=True, slots=True)
class Head:
    """A column's name and how a click sorts.

    Args:
        sort: what the address says to sort by it.
        direction: `ascending` or `descending` where the table is sorted by it, else `none`.
        down: whether a click sorts from the highest.
    """

    name: str
    words: bool
    sort: str
    direction: str
    down: bool


@dataclass(frozen=True, slots=True)
class ShownCell:
    """A cell: its text, what stands small below it, and where it leads."""

    text: str
    below: str
    words: bool
    link: str | None = None


@dataclass(frozen=True, slots=True)
class ShownTable:
    """A table as the template writes it; `name` stands in addresses."""

    name: str
    title: str
    heads: Sequence[Head]
    rows: Sequence[Sequence[ShownCell]]
    notes: Sequence[str]
    left_out: int = 0

    @property
    def sorted(self) -> bool:
        """Whether the address asks for an order of it."""
        return any(one.direction != "none" for one in self.heads)


@dataclass(frozen=True, slots=True)
class Sort:
    """By which column of which table the address asks to sort: `raters.2` and `down`."""

    table: str = ""
    column: int = -1
    down: bool = False

    @classmethod
    def read(cls, sort: str, down: str) -> Sort:
        """From an address; what makes no sense sorts nothing.

        >>> Sort.read("raters.2", "1")
        Sort(table='raters', column=2, down=True)
        """
        table, _, column = sort.partition(".")
        if not (column.isascii() and column.isdecimal() and len(column) < 4):
            return cls()
        return cls(table, int(column), down == "1")


def shown(
    name: str,
    table: ResultTable,
    sort: Sort | None = None,
    *,
    links: Mapping[str, Link] | None = None,
    most: int = 200,
) -> ShownTable:
    """A table for a page.

    Args:
        sort: of any table; another table's leaves this one in its order.
        links: by column, where its cells lead.
        most: rows that are shown; how many are left out is said.
    """
    mine = sort if sort is not None and sort.table == name else Sort()
    ordered = sorted_by(table, mine)
    kept = [
        place
        for place, _ in enumerate(table.columns)
        if not table.rows or any(row[place] is not None for row in table.rows)
    ]
    leads = links or {}
    heads = [
        Head(
            table.columns[at].name,
            table.columns[at].kind == "words",
            f"{name}.{at}",
            ("descending" if mine.down else "ascending") if at == mine.column else "none",
            _down(table.columns[at], at, mine),
        )
        for at in kept
    ]
    rows = [
        [_cell(table.columns[at], row[at], leads.get(table.columns[at].name)) for at in kept]
        for row in ordered.rows[:most]
    ]
    return ShownTable(name, table.title, heads, rows, table.notes, max(0, len(table.rows) - most))


def _down(column: Column, at: int, sort: Sort) -> bool:
    """Figures from the highest first, words from the first letter, and then the other way."""
    return not sort.down if at == sort.column else column.kind != "words"


def _cell(column: Column, value: Any, link: Link | None) -> ShownCell:
    text, below = column.shown(value)
    leads = link(value) if link is not None and isinstance(value, str) else None
    return ShownCell(text, below, column.kind == "words", leads)


def sorted_by(table: ResultTable, sort: Sort) -> ResultTable:
    """The table in the order of a column; what has no value comes last either way."""
    if not 0 <= sort.column < len(table.columns):
        return table

    def value(row: Sequence[Any]) -> Any:
        cell = row[sort.column]
        found = cell.estimate if isinstance(cell, Measured) else cell
        return None if isinstance(found, float) and math.isnan(found) else found

    known = [row for row in table.rows if value(row) is not None]
    known.sort(key=value, reverse=sort.down)
    return replace(table, rows=[*known, *(row for row in table.rows if value(row) is None)])


def as_csv(table: ResultTable) -> str:
    """A table with a header; of a figure with an interval the columns say both ends, and n.

    Words that a spreadsheet would run as a formula begin with an apostrophe.
    """
    into = io.StringIO()
    writer = csv.writer(into, lineterminator="\r\n")
    measured = {
        at
        for at, _ in enumerate(table.columns)
        if any(isinstance(row[at], Measured) for row in table.rows)
    }
    header: list[str] = []
    for at, column in enumerate(table.columns):
        header.append(guarded(column.name))
        if at in measured:
            header += [guarded(f"{column.name} {part}") for part in ("low", "high", "n")]
    writer.writerow(header)
    for row in table.rows:
        cells: list[Any] = []
        for at, cell in enumerate(row):
            cells += _flat(cell) if at in measured else [_safe(cell)]
        writer.writerow(cells)
    return into.getvalue()


def _flat(cell: Any) -> list[Any]:
    if not isinstance(cell, Measured):
        return [None] * 4
    n = getattr(cell, "n", None)
    return [nullable(cell.estimate), *(nullable(end) for end in cell.interval), n]


def _safe(cell: Any) -> Any:
    if isinstance(cell, float):
        return nullable(cell)
    return guarded(cell)


def as_json(table: ResultTable) -> dict[str, Any]:
    """A table as an object: its title, notes, and a row an object by column."""
    names = [column.name for column in table.columns]
    rows = [dict(zip(names, map(_plain, row), strict=True)) for row in table.rows]
    return {"title": table.title, "rows": rows, "notes": list(table.notes)}


def _plain(cell: Any) -> Any:
    if isinstance(cell, Measured):
        return to_json(cell)
    return nullable(cell) if isinstance(cell, float) else cell
