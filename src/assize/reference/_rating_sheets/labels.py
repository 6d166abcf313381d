"""Labels out of filled-in sheets: judgments by the people who filled them in."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from pathlib import Path

from assize.base.errors import ConfigError, DataError
from assize.base.judgment import Judgment, Unscored
from assize.formats.research.fields import MISSING
from assize.formats.xlsx import read_workbook
from assize.formats.yaml_nodes import text_in
from assize.judgments import JudgmentTable
from assize.reference._rating_sheets.form import FORMS, ROW, Form
from assize.reference._rating_sheets.workbook import TABLE, Key
from assize.results.escape import visible

_LONGEST = 2_000  # characters of a free answer that are kept


def labels_of(key: Key, sheets: str | Path | Sequence[str | Path]) -> JudgmentTable:
    """The judgments in filled-in sheets, one person a file.

    Args:
        sheets: workbooks, or the table alone as CSV, whose names are the raters' (`anna.xlsx` is
            `anna`), or `NAME=FILE`.

    Returns:
        One row a person, row of the sheet and column; what is empty is unscored as `missing`,
        an empty column that may stay empty is left out.

    Raises:
        ConfigError: there is no file, or two have one name.
        DataError: a file is none, lacks a column, names an unknown row or one twice, or holds an
            answer that the form does not offer.
    """
    form = FORMS[key.form]
    files = [sheets] if isinstance(sheets, str | Path) else list(sheets)
    if not files:
        raise ConfigError("name at least one filled-in sheet")
    rows: list[Judgment] = []
    seen: dict[str, str] = {}
    for file in files:
        name, place = named(file)
        if name in seen:
            problem = f"{place} and {seen[name]} are both by {name!r}; write NAME=FILE"
            raise ConfigError(problem)
        seen[name] = place
        rows += _judgments(form, key, name, place)
    return JudgmentTable.of(rows, form.questions.values())


def named(file: str | Path) -> tuple[str, str]:
    """The rater and the file of `NAME=FILE`; of a file alone its name says who.

    >>> named("anna=sheets/one.xlsx"), named("sheets/ben.xlsx")
    (('anna', 'sheets/one.xlsx'), ('ben', 'sheets/ben.xlsx'))
    """
    name, is_, place = str(file).partition("=")
    if is_ and name and "/" not in name and not Path(str(file)).exists():
        return name, place
    return Path(str(file)).stem, str(file)


def _judgments(form: Form, key: Key, rater: str, source: str) -> Iterator[Judgment]:
    """One person's cells; an empty one is unscored, or nothing where it may stay empty."""
    filled = _filled(form, source)
    unknown = filled.keys() - {entry.row for entry in key.entries}
    if unknown:
        problem = f"row {min(unknown)!r:.20} is none of the sheet's; keep its first column"
        raise DataError(f"{problem} as it was", source=source)
    for entry in key.entries:
        for asked in form.asked:
            cell = visible(filled.get(entry.row, {}).get(asked.column, "")).strip()
            if not cell and asked.column in form.optional:
                continue
            answer = asked.meant(cell[:_LONGEST]) if cell else None
            if cell and answer is None:
                allowed = ", ".join(asked.answers)
                problem = f"row {entry.row}: received {cell!r:.40}; allowed are {allowed}"
                raise DataError(problem, source=source, field=asked.column)
            empty = None if cell else Unscored(MISSING, "the cell is empty")
            id = asked.question.id
            yield Judgment(entry.item, rater, id, answer=answer, kind="person", unscored=empty)


def _filled(form: Form, source: str) -> dict[str, dict[str, str]]:
    """By row what stands in its cells, by column."""
    table = _table(source)
    head = [one.strip() for one in table[0]] if table else []
    for name in (ROW, *(one.column for one in form.asked)):
        if name not in head and name not in form.optional:
            problem = f"has no column {name!r}; it has {', '.join(head)[:200] or 'none'}"
            raise DataError(problem, source=source)
    found: dict[str, dict[str, str]] = {}
    for line in table[1:]:
        cells = dict(zip(head, line, strict=False))
        row = cells.get(ROW, "").strip()
        if not row:
            if any(one.strip() for one in line):
                raise DataError("has a row without its name in the column row", source=source)
            continue
        if row in found:
            raise DataError(f"has row {row!r:.20} twice", source=source)
        found[row] = cells
    return found


def _table(source: str) -> list[list[str]]:
    """The rows of the sheet `table`, or of the CSV file that it was saved as."""
    if Path(source).suffix.lower() == ".csv":
        try:
            return list(csv.reader(io.StringIO(text_in(source))))
        except csv.Error as error:
            raise DataError(f"is no CSV: {error}", source=source) from error
    sheets = read_workbook(source)
    if TABLE not in sheets:
        problem = f"has no sheet {TABLE!r}; it has {', '.join(sheets)[:200]}"
        raise DataError(problem, source=source)
    return sheets[TABLE]
