"""Tables and headline figures that follow from the types of a result's fields.

A result is a frozen dataclass. A field marked with `Table` holds records, one a row; the fields of
a record are its columns. Nobody writes a table or its JSON by hand:

    @dataclass(frozen=True, slots=True)
    class JudgePair:
        first: str
        second: str
        kappa: Estimate | None
        rmse: Annotated[Estimate | None, Column(extra=True)]  # in JSON and data frames only

    @dataclass(frozen=True)
    class Agreement(Result):
        pairs: Annotated[Sequence[JudgePair], Table("Judges, two at a time")]
        judged: Annotated[int, Column("items judged")]  # a headline figure
        answers: Answers = field(repr=False)  # working data: never shown
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from functools import cache
from types import UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

from assize.results.columns import Column
from assize.results.numbers import LeastP, is_tiny
from assize.results.table import ResultTable
from assize.results.types import Estimate, Share, Test

IN_WORDS = "in words"
Counts = Annotated[Mapping[str, int], IN_WORDS]
"""Counts by name that stand in one cell, as `A: 12, B: 7`; other figures by name are columns."""

COUNTS = {"n", "unscored"}  # stand beside figures, of a record that has none too


@dataclass(frozen=True, slots=True)
class Table:
    """Marks a field of a result as a table: a sequence of records, or records by name.

    Args:
        title: heading of the table.
        about: a sentence that says what the table answers, for those who see it first.
        group: field of the records whose values head groups of rows; where all rows have the same
            value it stands in the title instead.
        key: heading of the names, where the field holds records (or figures) by name.
        notes: sentences below the table.
        most: rows that are shown; JSON and data frames hold all.
    """

    title: str
    about: str = ""
    group: str | None = None
    key: str = ""
    notes: Sequence[str] = ()
    most: int | None = None


def tables_of(result: Any, notes: Mapping[str, Sequence[str]]) -> dict[str, ResultTable]:
    """Return the tables that a result declares, by field; empty ones are left out.

    Args:
        notes: further sentences below each table, by field.
    """
    tables: dict[str, ResultTable] = {}
    for name, mark in table_marks(type(result)).items():
        rows = getattr(result, name)
        if rows:
            tables[name] = make_table(rows, mark, notes.get(name, ()))
    return tables


def table_marks(result: type) -> dict[str, Table]:
    """Return the fields of a result that are tables, and how they are headed."""
    return {
        name: mark
        for name, hint in hints_of(result).items()
        for mark in marks_of(hint)
        if isinstance(mark, Table)
    }


def headline_of(result: Any) -> list[tuple[Column, Any]]:
    """Return the figures that a result itself holds, each with the column that reads it."""
    figures: list[tuple[Column, Any]] = []
    if not is_dataclass(result):
        return figures
    for name, hint in hints_of(type(result)).items():
        column, value = column_of(name, hint), getattr(result, name)
        if value is not None and is_figure(hint) and not column.extra:
            figures.append((replace(column, ends="page"), value))
    return figures


def counts_of(value: Any) -> str:
    """Return on how many a figure rests, in words; nothing for a plain number.

    >>> counts_of(Estimate(0.5, n=1200, unscored=3))
    'n 1,200, 3 unscored'
    """
    if not isinstance(value, Estimate):
        return ""
    return f"n {value.n:,}" + (f", {value.unscored:,} unscored" if value.unscored else "")


def make_table(
    rows: Sequence[Any] | Mapping[str, Any], mark: Table, notes: Sequence[str] = ()
) -> ResultTable:
    """Return records as a table with a column a field."""
    columns: list[Column] = []
    cells: list[list[Any]] = []
    if isinstance(rows, Mapping):
        columns.append(Column(mark.key or "name"))
        cells = [[str(name)] for name in rows]
        rows = list(rows.values())
    else:
        cells = [[] for _ in rows]
    for column, values in columns_of(rows):
        columns.append(column)
        for row, value in zip(cells, values, strict=True):
            row.append(value)
    record = is_dataclass(rows[0]) and not isinstance(rows[0], Estimate)
    own = set(hints_of(type(rows[0]))) if record else set()
    columns, cells = add_counts(columns, cells, missing=COUNTS - own)
    columns, counts = count_once(columns, cells)
    notes = (*mark.notes, *notes, *counts, *note_floors(columns, cells))
    figures = [columns[index] for index in figure_places(columns, cells)]
    if sum(column.ends == "beside" for column in figures) > 2:
        columns = [  # or few would fit beside another
            replace(column, ends="below") if column.ends == "beside" else column
            for column in columns
        ]
    table = ResultTable(
        mark.title,
        columns,
        cells,
        notes,
        most=mark.most,
        about=mark.about,
    )
    return table if mark.group is None else group_rows(table, mark.group)


def columns_of(rows: Sequence[Any]) -> Iterator[tuple[Column, list[Any]]]:
    """Yield each column of records (or of plain figures) with its values.

    A field that holds figures by name is a column a name, in order of appearance.
    """
    if not is_dataclass(rows[0]) or isinstance(rows[0], Estimate):
        kind = next((type(row) for row in rows if row is not None), str)
        yield column_of("count" if kind is int else "figure", kind), [plain(row) for row in rows]
        return
    for name, hint in hints_of(type(rows[0])).items():
        values = [getattr(row, name) for row in rows]
        column = column_of(name, hint)
        in_words = IN_WORDS in marks_of(hint)
        inner = None if in_words else value_type(hint)
        if inner is None:
            if in_words or reads_as(hint) is not None:
                yield column, [plain(value) for value in values]
            continue
        for key in dict.fromkeys(key for value in values for key in value or ()):
            figure = replace(column_of(key, inner), extra=column.extra)
            heading = figure.name if figure.blanks else str(key)
            yield replace(figure, name=heading), [plain((value or {}).get(key)) for value in values]


def add_counts(
    columns: Sequence[Column], cells: Sequence[Sequence[Any]], missing: set[str]
) -> tuple[list[Column], list[list[Any]]]:
    """Put n and unscored beside figures, as columns, or behind each where a row's figures differ.

    Args:
        missing: which of `n` and `unscored` the records do not have themselves.
    """
    places = figure_places(columns, cells)
    counts = []
    for row in cells:
        figures = [row[index] for index in places if isinstance(row[index], Estimate)]
        counts.append({(figure.n, figure.unscored) for figure in figures})
    if places and missing and all(len(distinct) <= 1 for distinct in counts):
        added = [name for name in ("n", "unscored") if name in missing]
        rows = []
        for row, distinct in zip(cells, counts, strict=True):
            n, unscored = next(iter(distinct), (None, None))
            both = {"n": n, "unscored": unscored}
            rows.append([*row, *(both[name] for name in added)])
        return [*columns, *(Column(name, "count") for name in added)], rows
    if not missing:
        names = [column.name for column in columns]
        places = [index for index in places if rests_on_fewer(cells, index, names)]
    counted = [
        replace(column, counted=True) if index in places else column
        for index, column in enumerate(columns)
    ]
    return counted, [list(row) for row in cells]


def count_once(
    columns: Sequence[Column], cells: Sequence[Sequence[Any]]
) -> tuple[list[Column], list[str]]:
    """Move counts that are the same all down a column from its cells into a sentence below."""
    shown, counts = [], []
    for index, column in enumerate(columns):
        each = [counts_of(row[index]) for row in cells if isinstance(row[index], Estimate)]
        if column.counted and len(each) > 1 and len(set(each)) == 1:
            counts.append(f"{column.name} {each[0].removeprefix('n ')}")
            column = replace(column, counted=False)
        shown.append(column)
    return shown, [f"n: {'; '.join(counts)}."] if counts else []


def note_floors(columns: Sequence[Column], cells: Sequence[Sequence[Any]]) -> list[str]:
    """Return how many p-values of each column are as low as their tests could show."""
    notes = []
    for index, column in enumerate(columns):
        values = [row[index] for row in cells if isinstance(row[index], float)]
        least = sum(isinstance(value, LeastP) and not is_tiny(value) for value in values)
        if least and not column.extra:
            known = sum(not math.isnan(value) for value in values)
            notes.append(
                f"{column.name}: {least:,} of {known:,} are as low as so few permutations can show;"
                " they are marked <, and more permutations may lower them."
            )
    return notes


def rests_on_fewer(cells: Sequence[Sequence[Any]], index: int, names: Sequence[str]) -> bool:
    """Whether the figures of a column rest on other rows than the record itself."""
    n = names.index("n") if "n" in names else None
    return n is not None and any(
        isinstance(row[index], Estimate) and row[index].n not in (0, row[n]) for row in cells
    )


def figure_places(columns: Sequence[Column], cells: Sequence[Sequence[Any]]) -> list[int]:
    """Return the columns of figures that are shown."""
    return [
        index
        for index, column in enumerate(columns)
        if not column.extra and any(isinstance(row[index], Estimate) for row in cells)
    ]


def group_rows(table: ResultTable, field: str) -> ResultTable:
    """Return the table with rows in groups, or with the only group in its title."""
    index = [column.name for column in table.columns].index(words_of(field))
    order = [index, *(other for other in range(len(table.columns)) if other != index)]
    columns = [table.columns[other] for other in order]
    rows = [[row[other] for other in order] for row in table.rows]
    groups = list(dict.fromkeys(row[0] for row in rows))
    if len(groups) > 1:
        rows.sort(key=lambda row: groups.index(row[0]))
        return replace(table, columns=columns, rows=rows, grouped=True)
    title = f"{groups[0]}: {table.title}" if groups[0] else table.title
    return replace(table, title=title, columns=columns[1:], rows=[row[1:] for row in rows])


def hints_of(record: Any) -> dict[str, Any]:
    """Return the types of a dataclass's fields that are shown, in their order."""
    return _hints_of(record)


@cache
def _hints_of(record: Any) -> dict[str, Any]:
    hints = get_type_hints(record, include_extras=True)
    return {field.name: hints[field.name] for field in fields(record) if field.repr}


def column_of(name: str, hint: Any) -> Column:
    """Return the column of a field: its name in words, read as its type says."""
    kind: Any = reads_as(hint) or "words"
    for mark in marks_of(hint):
        if isinstance(mark, Column):
            column = replace(mark, kind=kind) if mark.kind == "words" else mark
            if column.kind == "share" and (column.digits, column.unit) == (3, ""):
                column = replace(column, digits=1, unit="%")
            return column if column.name else replace(column, name=words_of(name))
    if kind == "share":
        return Column(words_of(name), kind, digits=1, unit="%")
    return Column(words_of(name), kind)


def words_of(name: str) -> str:
    """Return the name of a field as words."""
    return name.replace("_", " ")


def reads_as(hint: Any) -> str | None:
    """Return how values of a type are read: words, counts, numbers, shares, p; None for no cell."""
    types = set(_types_in(hint))
    if types & {str, bool}:
        return "words"
    if Share in types:
        return "share"
    if types & {float, Estimate}:
        return "number"
    if Test in types:
        return "p"
    return "count" if int in types else None


def is_figure(hint: Any) -> bool:
    """Whether a field of a result is one of its headline figures."""
    return bool(set(_types_in(hint)) & {int, Estimate, Share}) and reads_as(hint) != "words"


def value_type(hint: Any) -> Any:
    """Return the type of the values of a mapping; None for any other type."""
    for kind in _members(hint):
        origin = get_origin(kind)
        if isinstance(origin, type) and issubclass(origin, Mapping):
            return get_args(kind)[1]
    return None


def marks_of(hint: Any) -> Sequence[Any]:
    """Return what is annotated to a type, or to a type that it may be."""
    if get_origin(hint) is Annotated:
        return (*hint.__metadata__, *marks_of(get_args(hint)[0]))
    return [mark for member in _union(hint) for mark in marks_of(member)]


def plain(value: Any) -> Any:
    """Return a cell: several words in a line, yes for true, nothing for false; a test's p-value.

    >>> plain({"A": 1200, "tie": 1})
    'A: 1,200, tie: 1'
    """
    if isinstance(value, bool):
        return "yes" if value else ""
    if isinstance(value, Test):
        return value.p_value
    if isinstance(value, Mapping):
        return ", ".join(f"{name}: {count:,}" for name, count in value.items())
    if isinstance(value, Sequence) and not isinstance(value, str):
        return ", ".join(map(str, value))
    return value


def _types_in(hint: Any) -> Iterator[Any]:
    """Yield the plain types that a value may have; a sequence of words counts as words."""
    for kind in _members(hint):
        origin = get_origin(kind)
        if origin is Literal:
            yield from (type(value) for value in get_args(kind))
        elif isinstance(origin, type) and issubclass(origin, Sequence):
            yield from (str for inner in get_args(kind) if str in set(_types_in(inner)))
        else:
            yield kind


def _members(hint: Any) -> Iterator[Any]:
    if get_origin(hint) is Annotated:
        yield from _members(get_args(hint)[0])
    elif _union(hint):
        for member in _union(hint):
            yield from _members(member)
    else:
        yield hint


def _union(hint: Any) -> Sequence[Any]:
    return get_args(hint) if get_origin(hint) in (Union, UnionType) else ()
