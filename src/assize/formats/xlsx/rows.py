"""The tables of a workbook, a sheet each, as those of CSV files."""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass

from assize.base.errors import DataError
from assize.formats.two_headers import join_headers
from assize.formats.xlsx.reading import read_workbook

SHEET = "ratings"
"""The sheet that is read where several hold tables that are no ratings."""


@dataclass(frozen=True, slots=True)
class SheetTable:
    """A sheet's table.

    Args:
        name: the sheet's.
        header: the columns that have a name.
        rows: by column, each with its number in the sheet.
    """

    name: str
    header: Sequence[str]
    rows: Sequence[tuple[int, dict[str, str]]]


@dataclass(frozen=True, slots=True)
class Workbook:
    """The tables of a workbook, of which there is one at least, and the names of all sheets."""

    tables: Sequence[SheetTable]
    sheets: Sequence[str]

    def main_table(self) -> SheetTable:
        """Return the table of the sheet `ratings`, else the first."""
        for table in self.tables:
            if table.name.casefold() == SHEET:
                return table
        return self.tables[0]


def read_tables(stream: io.BufferedReader, source: str, max_bytes: int | None = None) -> Workbook:
    """Return the tables of all sheets that have one.

    The header is the first row with more than one cell filled, or two such rows. Columns without
    a header are left out, and so are rows that hold nothing.

    Raises:
        DataError: the file is no workbook, or no sheet has a table.
    """
    seekable = stream if stream.seekable() else io.BytesIO(stream.read())
    sheets = read_workbook(seekable, source=source, max_bytes=max_bytes)
    tables = [
        _sheet_table(name, rows) for name, rows in sheets.items() if any(map(_is_header, rows))
    ]
    if not tables:
        names = ", ".join(sheets)[:200] or "none"
        raise DataError(f"no sheet holds a table with a header (sheets: {names})", source=source)
    return Workbook(tables, list(sheets))


def _sheet_table(name: str, cells: Sequence[Sequence[str]]) -> SheetTable:
    start = next(number for number, row in enumerate(cells) if _is_header(row))
    header = [cell.strip() for cell in cells[start]]
    joined = join_headers(header, cells[start + 1]) if start + 1 < len(cells) else None
    if joined is not None:
        start, header = start + 1, joined
    columns = [column for column, cell in enumerate(header) if cell]
    rows = [
        (number, {header[column]: row[column] if column < len(row) else "" for column in columns})
        for number, row in enumerate(cells[start + 1 :], start=start + 2)
        if any(cell.strip() for cell in row)
    ]
    return SheetTable(name, [header[column] for column in columns], rows)


def _is_header(cells: Sequence[str]) -> bool:
    return sum(bool(cell.strip()) for cell in cells) > 1
