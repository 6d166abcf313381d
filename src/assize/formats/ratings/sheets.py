"""Which sheets of a workbook hold ratings, and what their names say."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from assize.base.errors import DataError
from assize.base.judgment import Question
from assize.formats.any_log.mapping import Columns
from assize.formats.ratings.crossed import compare_sides, order_of
from assize.formats.ratings.headers import Asked, asked
from assize.formats.ratings.layout import Layout, layout_of
from assize.formats.xlsx.reading import DEFINITION, QUESTIONS_SHEET, SheetTable, Workbook
from assize.results.log import log

Rows = Sequence[Mapping[str, Any]]


def choose_tables(workbook: Workbook, source: str) -> Sequence[SheetTable]:
    """Return the tables of ratings, or the main table where there are none; the log names what
    is passed over."""
    tables = [
        table
        for table in workbook.tables
        if layout_of([row for _, row in table.rows], {}, sure=True) is not None
    ]
    chosen = tables or [workbook.main_table()]
    names = [table.name for table in chosen]
    defining = [table.name for table in workbook.tables if DEFINITION in table.header]
    read = {*names, *({QUESTIONS_SHEET} & {*defining})}
    passed = [name for name in workbook.sheets if name not in read]
    if passed:
        verb, why = " is" if len(names) == 1 else "s are", " (no ratings)" if tables else ""
        log.info(
            f"{source}: sheet{verb} {', '.join(names)} read; passed over{why}: {', '.join(passed)}"
        )
    return chosen


def sheet_layouts(
    sheets: Mapping[str, Rows],
    known: Mapping[str, Question],
    columns: Columns | None,
    item: str | None = None,
) -> Mapping[str, Layout | None]:
    """Return the layout of each sheet; see `layout_of` for `columns` and `item`.

    Of several sheets whose columns are raters, the name of each is its question; where their
    columns are questions and nothing names a rater, the name of each is its rater. The columns
    are raters unless they, or the sheets' names, look otherwise.

    Raises:
        DataError: nothing tells whether columns are questions or raters, or a sheet has no column
            `item`.
    """
    layouts = _layouts(sheets, known, columns, item)
    if len(sheets) == 1 or not all(_is_plain(layout) for layout in layouts.values()):
        doubts = [layout.doubt for layout in layouts.values() if layout and layout.doubt]
        if doubts:
            raise DataError(doubts[0])
        return layouts
    if columns is None:
        names = {name for layout in layouts.values() if layout for name in layout.rated}
        order = order_of(compare_sides(list(sheets), list(names), known))
        columns = "question" if order == "rater-question" else "rater"
        layouts = _layouts(sheets, known, columns, item)
    return {
        sheet: layout and replace(layout, rated=_name_sides(layout, sheet, known))
        for sheet, layout in layouts.items()
    }


def _layouts(
    sheets: Mapping[str, Rows],
    known: Mapping[str, Question],
    columns: Columns | None,
    item: str | None,
) -> dict[str, Layout | None]:
    return {
        sheet: layout_of(rows, known, sure=False, columns=columns, item=item)
        for sheet, rows in sheets.items()
    }


def _is_plain(layout: Layout | None) -> bool:
    """Whether every column with answers is a rater's, or a question's of somebody unnamed."""
    if layout is None or layout.rater is not None or layout.is_form:
        return False
    return layout.kind in ("raters", "questions")


def _name_sides(layout: Layout, sheet: str, known: Mapping[str, Question]) -> dict[str, Asked]:
    """The sheet's name is the question of columns of raters, and the rater of questions."""
    name = " ".join(sheet.split())
    if layout.kind == "questions":
        return {column: part._replace(rater=name) for column, part in layout.rated.items()}
    question = asked(name, known)
    return {column: question._replace(rater=part.rater) for column, part in layout.rated.items()}
