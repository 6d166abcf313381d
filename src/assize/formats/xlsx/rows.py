"""The rows of a workbook's table, as those of a CSV file."""

from __future__ import annotations

import io
import logging
from collections.abc import Mapping, Sequence

from assize.errors import DataError
from assize.formats.xlsx.reading import read_workbook

log = logging.getLogger("assize")
SHEET = "ratings"
"""The sheet that is read where there are several; else the first that holds a table."""


def workbook_table(
    stream: io.BufferedReader, source: str
) -> tuple[list[str], list[tuple[int, dict[str, str]]]]:
    """The header, which is the first row with more than one cell filled, and the rows below it,
    each with its number in the sheet.

    Columns without a header are left out, and so are rows that hold nothing.

    Raises:
        DataError: the file is no workbook, or no sheet has a table.
    """
    seekable = stream if stream.seekable() else io.BytesIO(stream.read())
    table = _chosen(read_workbook(seekable, source=source), source)
    start = next(at for at, cells in enumerate(table) if _is_header(cells))
    header = [one.strip() for one in table[start]]
    columns = [at for at, one in enumerate(header) if one]
    rows = [
        (number, {header[at]: cells[at] if at < len(cells) else "" for at in columns})
        for number, cells in enumerate(table[start + 1 :], start=start + 2)
        if any(one.strip() for one in cells)
    ]
    return [header[at] for at in columns], rows


def _is_header(cells: Sequence[str]) -> bool:
    return sum(bool(one.strip()) for one in cells) > 1


def _chosen(sheets: Mapping[str, Sequence[Sequence[str]]], source: str) -> Sequence[Sequence[str]]:
    tables = {name: rows for name, rows in sheets.items() if any(map(_is_header, rows))}
    if not tables:
        named = ", ".join(sheets)[:200] or "none"
        raise DataError(f"no sheet holds a table with a header (sheets: {named})", source=source)
    chosen = next((name for name in tables if name.casefold() == SHEET), next(iter(tables)))
    if len(tables) > 1:
        log.info("%s: sheet %s of %s is read", source, chosen, ", ".join(tables))
    return tables[chosen]
