"""Labels out of filled-in sheets: judgments by the people who filled them in."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from assize.base.errors import ConfigError, DataError
from assize.base.judgment import Judgment, Unscored
from assize.formats.ratings.answers import cell_text
from assize.formats.research.fields import MISSING
from assize.formats.rows import open_rows, readable
from assize.judgments import JudgmentTable
from assize.reference._rating_sheets.form import FORMS, ROW, Form
from assize.reference._rating_sheets.workbook import Key
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
    paths: dict[str, str] = {}
    for file in files:
        rater, path = name_rater(file)
        if rater in paths:
            problem = f"{path} and {paths[rater]} are both by {rater!r}; write NAME=FILE"
            raise ConfigError(problem)
        paths[rater] = path
        rows += judge_rows(form, key, rater, path)
    return JudgmentTable.of(rows, form.questions.values())


def name_rater(file: str | Path) -> tuple[str, str]:
    """The rater and the file of `NAME=FILE`; of a file alone its name says who.

    >>> name_rater("anna=sheets/one.xlsx"), name_rater("sheets/ben.xlsx")
    (('anna', 'sheets/one.xlsx'), ('ben', 'sheets/ben.xlsx'))
    """
    name, is_, path = str(file).partition("=")
    if is_ and name and "/" not in name and not Path(str(file)).exists():
        return name, path
    return Path(str(file)).stem, str(file)


def judge_rows(form: Form, key: Key, rater: str, path: str) -> Iterator[Judgment]:
    """One person's cells; an empty one is unscored, or nothing where it may stay empty."""
    sheet = read_sheet(form, {entry.row for entry in key.entries}, path)
    for entry in key.entries:
        for asked in form.asked:
            cell = sheet.get(entry.row, {}).get(asked.column, "")
            if not cell and asked.column in form.optional:
                continue
            answer = asked.meant(cell[:_LONGEST]) if cell else None
            if cell and answer is None:
                allowed = ", ".join(asked.answers)
                problem = f"row {entry.row}: received {cell!r:.40}; allowed are {allowed}"
                raise DataError(problem, source=path, field=asked.column)
            empty = None if cell else Unscored(MISSING, "the cell is empty")
            id = asked.question.id
            yield Judgment(entry.item, rater, id, answer=answer, kind="person", unscored=empty)


def read_sheet(form: Form, names: set[str], path: str) -> dict[str, Mapping[str, str]]:
    """The cells of a filled-in sheet by the name of the row and the column; blank rows are none."""
    sheet: dict[str, Mapping[str, str]] = {}
    needed = {ROW, *(asked.column for asked in form.asked)} - set(form.optional)
    with open_rows(path) as (_, rows):
        for line in readable(rows):
            if not isinstance(line.value, dict):
                raise DataError("a row has no columns; save the sheet as CSV", source=path)
            cells = {name: visible(cell_text(cell)).strip() for name, cell in line.value.items()}
            if missing := needed - cells.keys():
                problem = f"has no column {min(missing)!r}; it has {', '.join(cells)[:200]}"
                raise DataError(problem, source=path)
            row = cells[ROW]
            if any(cells.values()) and (row not in names or row in sheet):
                problem = f"row {row!r:.20} is none of the sheet's, or there twice"
                raise DataError(f"{problem}; keep its first column as it was", source=path)
            sheet[row] = cells
    return sheet
