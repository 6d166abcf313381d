"""Reading the texts of a workbook, whichever program saved it.

`python-calamine` holds every cell between the first and the last one in memory, so a file of
200 kB can take gigabytes: the parts are checked before it gets them, and it gets only those.
"""

from __future__ import annotations

import io
import os
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, time, timedelta
from pathlib import Path
from typing import IO, Any

from assize.base.errors import DataError
from assize.formats.xlsx.checks import DAMAGE, WorkbookChecks

MOST = 200_000_000  # bytes that all parts may unfold to
_PARTS = ("xl/", "_rels/", "[Content_Types].xml")
_SHARED = "xl/sharedstrings.xml"
_LISTED = 1_000_000  # bytes of the list of sheets that are looked through
_WHOLE = 1e15  # below it a whole number is written without a point or an exponent


def read_workbook(
    path: str | Path | IO[bytes], *, source: str | None = None, max_bytes: int | None = None
) -> dict[str, list[list[str]]]:
    """The texts of every sheet by its name: rows of cells, "" where a cell is empty.

    Whole numbers are written without a point, as people typed them; dates and times as ISO 8601;
    truth values as TRUE and FALSE. Of a formula there is the result that was stored, of an error
    nothing. Rows end with their last cell that holds something.

    Args:
        path: a file, or a stream that can be searched.
        source: what errors call it, by default the path.
        max_bytes: to how many bytes it may unfold; see `SizeLimit`.

    Raises:
        DataError: the file is no workbook, or a part of it is too large or not well-formed.
    """
    source = str(path) if source is None else source
    try:
        with zipfile.ZipFile(path) as archive:
            checked = _checked(archive, source, max_bytes)
    except DataError:
        raise
    except DAMAGE as error:
        raise DataError(f"is no workbook (.xlsx): {error}", source=source) from error
    except OSError as error:
        raise DataError(f"cannot be read: {error.strerror or error}", source=source) from error
    import python_calamine

    try:
        workbook = python_calamine.load_workbook(checked)
        return {
            name: _rows(workbook.get_sheet_by_name(name).to_python(skip_empty_area=False))
            for name in workbook.sheet_names
        }
    except (python_calamine.CalamineError, *DAMAGE) as error:
        raise DataError(f"is no workbook (.xlsx): {error}", source=source) from error


def has_sheet(stream: IO[bytes], name: str) -> bool:
    """Whether a file is a workbook with a sheet of this name, as far as its list of sheets tells.

    Nothing else is read, so that a large workbook without that sheet costs nothing.
    """
    try:
        with zipfile.ZipFile(stream) as archive, archive.open("xl/workbook.xml") as part:
            listed = part.read(_LISTED)
    except (KeyError, *DAMAGE):
        return False
    return f'name="{name}"'.encode() in listed


def _checked(archive: zipfile.ZipFile, source: str, max_bytes: int | None) -> io.BytesIO:
    """The XML parts, which are small and well-formed, as an archive without compression."""
    checks = WorkbookChecks(source, _size(archive), max_bytes)
    parts: dict[str, bytes] = {}
    total = 0
    infos = [
        info
        for info in archive.infolist()
        if info.filename.startswith(_PARTS) and info.filename.endswith((".xml", ".rels"))
    ]
    for info in sorted(infos, key=lambda info: info.filename.casefold() != _SHARED):
        with archive.open(info) as stream:
            data = stream.read(MOST - total + 1)
        total += len(data)
        if total > MOST:
            raise DataError(f"unfolds to more than {MOST:,} bytes of XML", source=source)
        checks.check(info.filename, data)
        parts[info.filename] = data
    if "xl/workbook.xml" not in parts:
        raise DataError("is no workbook (.xlsx): it has no xl/workbook.xml", source=source)
    plain = io.BytesIO()
    with zipfile.ZipFile(plain, "w", zipfile.ZIP_STORED) as written:
        for name, data in parts.items():
            written.writestr(name, data)
    plain.seek(0)
    return plain


def _size(archive: zipfile.ZipFile) -> int:
    """Return the bytes of the file itself: what an archive says of its parts may be wrong."""
    stream: Any = archive.fp
    return int(stream.seek(0, os.SEEK_END))


def _rows(sheet: Sequence[Sequence[Any]]) -> list[list[str]]:
    """The rows up to their last cell that holds something; a far cell leaves a million empty."""
    rows: list[list[str]] = []
    for values in sheet:
        width = 0 if values.count("") == len(values) else len(values)
        while width and values[width - 1] in ("", None):
            width -= 1
        rows.append([_text(value) for value in values[:width]])
    return rows


def _text(value: Any) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, float):
        whole = value.is_integer() and abs(value) < _WHOLE
        return str(int(value)) if whole else repr(value)
    if isinstance(value, date | time):  # a datetime is a date
        return value.isoformat()
    if isinstance(value, timedelta):  # a length of time, as 36:00:00
        minutes, seconds = divmod(round(value.total_seconds()), 60)
        return f"{minutes // 60}:{minutes % 60:02}:{seconds:02}"
    return "" if value is None else str(value)


SHEET = "ratings"
"""The sheet that is read where several hold tables that are no ratings."""

QUESTIONS_SHEET = "questions"
"""The sheet that says what is asked."""

DEFINITION = "definition"
"""The column of that sheet that holds each question as JSON."""


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
    from assize.formats.ratings.headers import join_headers  # which is read with this module

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
