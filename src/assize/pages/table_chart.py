"""The figures of a table as points with their intervals, whatever the table is of."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from typing import Any

from assize.pages.charts import means
from assize.pages.drawing import Spec
from assize.results import Mean, ResultTable
from assize.results.columns import bare
from assize.results.numbers import Measured

MOST_ROWS = 60
"""Rows of a group that are drawn; the table holds all."""

_FIGURES = ("number", "percent", "share", "p")
_SHARES = ("percent", "share")


def _column(table: ResultTable) -> int | None:
    """Where the figures stand: those with intervals first, else numbers; None without any."""
    numbers = None
    for at, column in enumerate(table.columns):
        cells = [bare(row[at]) for row in table.rows]
        measured = [cell for cell in cells if isinstance(cell, Measured)]
        if any(all(map(math.isfinite, cell.interval)) for cell in measured):
            return at
        known = any(math.isfinite(_value(cell)) for cell in cells)
        if numbers is None and column.kind in _FIGURES and known:
            numbers = at
    return numbers


def _value(cell: Any) -> float:
    """The figure in a cell; NaN where there is none."""
    value = bare(cell)
    if isinstance(value, Measured):
        return value.estimate
    return float(value) if isinstance(value, int | float) else math.nan


def _panels(table: ResultTable, place: int) -> dict[str, list[tuple[str, Mean]]]:
    """By group, each figure with a name that is its own; a figure that is missing is left out."""
    words = _words(table, place)
    panels: dict[str, list[tuple[str, Mean]]] = {}
    seen: Counter[tuple[str, str]] = Counter()
    for row in table.rows:
        value, cell = _value(row[place]), bare(row[place])
        if not math.isfinite(value):
            continue
        group = str(row[0]) if table.grouped else ""
        name = ", ".join(str(row[at]).strip() for at in words if row[at] not in (None, ""))
        seen[group, name] += 1
        again = "" if seen[group, name] == 1 else f" ({seen[group, name]})"
        figure = Mean(value, cell.interval) if isinstance(cell, Measured) else Mean(value)
        panels.setdefault(group, []).append((name + again, figure))
    return panels


def _words(table: ResultTable, place: int) -> Sequence[int]:
    """The columns that name a row: words before the figures, without the groups' names."""
    start = 1 if table.grouped else 0
    words = [at for at in range(start, len(table.columns)) if table.columns[at].kind == "words"]
    return [at for at in words if at < place] or words[:1] or [0]


def draw_figures(table: ResultTable, heading: str = "", *, zero: bool = False) -> Spec:
    """Return the figures of a column, in a panel a group, with one scale; {} where there are none.

    The description says what is drawn by what; a title has the table.

    Args:
        heading: of the column; "" for the first of figures with intervals, else of numbers.
        zero: mark where 0 is, of figures that are differences.
    """
    headings = [column.name for column in table.columns]
    place = headings.index(heading) if heading in headings else _column(table)
    panels = {} if place is None else _panels(table, place)
    if place is None or not panels:
        return {}
    column = table.columns[place]
    mark = 0.0 if zero and column.signed else None
    unit = column.unit.strip()
    title = f"{column.name} ({unit})" if unit else column.name
    format = "%" if column.kind in _SHARES else None
    drawn = [
        means(rows[:MOST_ROWS], title=title, format=format, mark=mark)
        | ({"title": group} if group else {})
        for group, rows in panels.items()
    ]
    spec = {"vconcat": drawn, "resolve": {"scale": {"x": "shared"}}} if table.grouped else drawn[0]
    words = ", ".join(table.columns[at].name for at in _words(table, place))
    intervals = " with intervals" if _column(table) == place else ""
    return {**spec, "description": f"{title[:1].upper()}{title[1:]}{intervals}, by {words}."}
