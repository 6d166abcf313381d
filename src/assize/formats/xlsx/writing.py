"""Writing a workbook of texts: what a cell holds is never taken for a formula."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from math import ceil
from pathlib import Path
from typing import Any

from assize.base.errors import ConfigError, DataError, OutputError
from assize.results.escape import visible

LONGEST = 32_767  # characters a cell may hold
_LONGEST_LIST = 255  # characters of a dropdown's answers together
_NAME = re.compile(r"[^\[\]:*?/\\]{1,31}")
_LINE, _TALLEST = 15.0, 409.0  # points of a line, and of the tallest row there can be
_MADE = datetime(1980, 1, 1, tzinfo=UTC)  # so that the same sheets are the same bytes
_BORDER: dict[str, Any] = {"border": 1, "border_color": "#B8BEC6"}
_TEXT = {"num_format": "@", "valign": "top", "text_wrap": True, **_BORDER}
_HEADING = {**_TEXT, "bold": True, "bg_color": "#E3E6EA"}
_FIXED = {**_TEXT, "quote_prefix": True}
_OPEN = {**_FIXED, "bg_color": "#FFF8E1", "locked": False}
_FORMATS = {"heading": _HEADING, "fixed": _FIXED, "open": _OPEN}


@dataclass(frozen=True, slots=True)
class SheetColumn:
    """A column of a sheet.

    Args:
        width: in characters.
        answers: what a dropdown offers; () for none.
        open: whether people fill it in; the others are locked, without a password.
        by_row: what a dropdown offers in each row, where rows differ; () for none there.
    """

    name: str
    width: float = 20
    answers: tuple[str, ...] = ()
    open: bool = False
    by_row: tuple[tuple[str, ...], ...] = ()

    def offered(self, rows: int) -> dict[tuple[str, ...], list[int]]:
        """The rows, counted from 0, of each set of answers that a dropdown offers."""
        found: dict[tuple[str, ...], list[int]] = {}
        for row, answers in enumerate(self.by_row or (self.answers,) * rows):
            if answers:
                found.setdefault(answers, []).append(row)
        return found


@dataclass(frozen=True, slots=True)
class Sheet:
    """A sheet: a heading, then rows of texts.

    Args:
        locked: whether what is not open is protected against being changed by mistake.
    """

    name: str
    columns: tuple[SheetColumn, ...]
    rows: tuple[tuple[str, ...], ...]
    locked: bool = True


def write_workbook(path: str | Path, sheets: Sequence[Sheet]) -> int:
    """Writes the sheets, the last one shown first; returns how many texts were cut.

    Every cell is a text, marked as one: `=1+1` stays these four characters. What no XML can hold
    is shown by its number, as on pages; what is longer than a cell can be ends with a mark.

    Raises:
        ConfigError: a sheet's name or a dropdown is not what the format allows.
        DataError: a row has more cells than there are columns.
        OutputError: the file cannot be written.
    """
    for one in sheets:
        _check(one)
    import xlsxwriter
    from xlsxwriter.exceptions import FileCreateError

    workbook = xlsxwriter.Workbook(str(path), {"in_memory": True})
    workbook.set_properties({"created": _MADE})
    formats = {name: workbook.add_format(given) for name, given in _FORMATS.items()}
    for one in sheets:
        _write_sheet(workbook.add_worksheet(one.name), one, formats)
    workbook.worksheets()[-1].activate()
    try:
        workbook.close()
    except FileCreateError as error:
        cause = error.args[0] if error.args else error
        raise OutputError(
            f"cannot write: {getattr(cause, 'strerror', None) or cause}", source=str(path)
        ) from error
    return sum(len(visible(cell)) > LONGEST for one in sheets for row in one.rows for cell in row)


def _check(sheet: Sheet) -> None:
    if _NAME.fullmatch(sheet.name) is None:
        raise ConfigError(
            f"a sheet cannot be named {sheet.name!r}: 1 to 31 characters, no []:*?/\\"
        )
    for column in sheet.columns:
        for answers in {column.answers, *column.by_row}:
            listed = ",".join(answers)
            if len(listed) > _LONGEST_LIST or any("," in one or '"' in one for one in answers):
                raise ConfigError(
                    f"the answers of column {column.name!r} make no dropdown: no commas, no quotes,"
                    f" {_LONGEST_LIST} characters together"
                )
    for number, row in enumerate(sheet.rows, start=2):
        if len(row) > len(sheet.columns):
            raise DataError(
                f"sheet {sheet.name!r}, row {number}: {len(row)} cells for"
                f" {len(sheet.columns)} columns"
            )


def _shown(text: str) -> str:
    """A text as a cell holds it."""
    shown = visible(text.replace("\r\n", "\n").replace("\r", "\n"))
    if len(shown) > LONGEST:
        more = " [cut]"
        shown = shown[: LONGEST - len(more)] + more
    return shown


def _write_sheet(worksheet: Any, sheet: Sheet, formats: dict[str, Any]) -> None:
    worksheet.freeze_panes(1, 0)
    worksheet.set_landscape()
    worksheet.fit_to_pages(1, 0)
    for place, column in enumerate(sheet.columns):
        worksheet.set_column(place, place, column.width)
        worksheet.write_string(0, place, _shown(column.name), formats["heading"])
    kinds = [formats["open" if one.open else "fixed"] for one in sheet.columns]
    for number, row in enumerate(sheet.rows, start=1):
        cells = [*row, *[""] * (len(sheet.columns) - len(row))]
        worksheet.set_row(number, _height(cells, sheet.columns))
        for place, (cell, kind) in enumerate(zip(cells, kinds, strict=True)):
            worksheet.write_string(number, place, _shown(cell), kind)
    if sheet.locked:
        allowed = {"format_columns": True, "format_rows": True, "autofilter": True}
        worksheet.protect("", allowed)
    for place, column in enumerate(sheet.columns):
        for answers, rows in column.offered(len(sheet.rows)).items():
            _add_dropdown(worksheet, place, answers, rows)


def _add_dropdown(
    worksheet: Any, place: int, answers: tuple[str, ...], rows: Sequence[int]
) -> None:
    (first, last), *others = _ranges(rows)
    worksheet.data_validation(
        first,
        place,
        last,
        place,
        {
            "validate": "list",
            "source": list(answers),
            "error_title": "Not on the list",
            "error_message": "Please choose one of the answers offered.",
            "other_cells": [(start, place, end, place) for start, end in others],
        },
    )


def _height(cells: Sequence[str], columns: Sequence[SheetColumn]) -> float:
    """Points that the wrapped texts of a row need: not every program works them out itself."""
    lines = max(
        (
            sum(ceil(max(1, len(line)) / column.width) for line in cell.split("\n"))
            for cell, column in zip(cells, columns, strict=True)
        ),
        default=1,
    )
    return min(_TALLEST, _LINE * lines + 1)


def _ranges(rows: Sequence[int]) -> list[tuple[int, int]]:
    """The first and the last row of each range; rows count from 0 below the heading, and rise.

    >>> _ranges([0, 1, 2, 5])
    [(1, 3), (6, 6)]
    """
    found: list[tuple[int, int]] = []
    for row in rows:
        if found and found[-1][1] == row:
            found[-1] = (found[-1][0], row + 1)
        else:
            found.append((row + 1, row + 1))
    return found
