"""`assize.plot`: an Altair chart of a result's table, for a notebook or a paper."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from markupsafe import Markup

from assize.base.arguments import shown
from assize.base.errors import ConfigError, MissingExtra
from assize.pages.altair_chart import altair_chart
from assize.pages.charts import means
from assize.pages.drawing import Spec
from assize.pages.result_page import draw
from assize.results import Mean, Result, ResultTable
from assize.results.columns import bare
from assize.results.numbers import Measured

_FIGURES = ("number", "percent", "share", "p")
_SHARES = ("percent", "share")


def plot(result: Result | ResultTable, table: str | None = None) -> Any:
    """An Altair chart of a result: one of its own, or the figures of a table.

    Results of criteria have charts of their own: `curves`, `distributions` and others. Of a table
    points are drawn, with their intervals as bars.

    The first column of figures with intervals is drawn, else the first of numbers; names stand
    down the side, in the order of the table, and in its groups. The chart is Altair's own, to
    be changed, combined with others, or saved (`chart.save("figure.svg")`).

    Args:
        result: what a function of assize came to, or one of its tables.
        table: name of one of the result's charts, or of `result.tables`; the first that there is
            when None.

    Returns:
        An `altair.Chart`, or what Altair makes of several: where the table has groups an
        `altair.VConcatChart`, a panel a group.

    Raises:
        ConfigError: there is no such table, or it holds no figures.
        MissingExtra: altair is not installed.
    """
    try:
        import altair
    except ImportError as error:
        raise MissingExtra("a chart", extra="notebook", missing="altair") from error
    if not isinstance(result, Result | ResultTable):
        problem = "give what a function of assize came to, or one of its tables"
        raise ConfigError(f"result: received {shown(result)}; {problem}")
    own = {} if isinstance(result, ResultTable) else charts_of(result)
    if own and (table is None or table in own):
        return altair_chart(altair, own[next(iter(own)) if table is None else table])
    found = _chosen(result, table, own)
    place = _column(found)
    if place is None:
        raise ConfigError(
            f"the table {found.title!r} has no figures to plot, only words and counts"
            f" ({', '.join(column.name for column in found.columns)})"
        )
    return altair_chart(altair, _draw(found, place))


def charts_of(result: Result) -> Mapping[str, Spec]:
    """The charts that a result has beside its tables, by name."""
    own = {
        name: [piece[0] for piece in pieces if not isinstance(piece, Markup)]
        for name, pieces in draw(result).items()
    }
    return {name: specs[0] for name, specs in own.items() if specs}


def _chosen(result: Result | ResultTable, name: str | None, charts: Iterable[str]) -> ResultTable:
    """The table of that name, or the first with figures."""
    if isinstance(result, ResultTable):
        return result
    if name is not None:
        return result.choose_table(name, charts)
    figures = (table for table in result.tables.values() if _column(table) is not None)
    return next(figures, result.choose_table())


def _column(table: ResultTable) -> int | None:
    """Where the figures stand: those with intervals first, else numbers; None without any."""
    places = range(len(table.columns))
    cells = {at: [row[at] for row in table.rows] for at in places}
    for at in places:
        if any(isinstance(cell, Measured) and _known(cell.interval) for cell in cells[at]):
            return at
    for at in places:
        numbers = table.columns[at].kind in _FIGURES
        if numbers and any(math.isfinite(_value(cell)) for cell in cells[at]):
            return at
    return None


def _known(interval: tuple[float, float]) -> bool:
    return all(map(math.isfinite, interval))


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


def _draw(table: ResultTable, place: int) -> Spec:
    """The figures of a column, in a panel a group, below each other, with one scale."""
    column = table.columns[place]
    unit = column.unit.strip()
    title = f"{column.name} ({unit})" if unit else column.name
    format = "%" if column.kind in _SHARES else None
    drawn = [
        means(rows, title=title, format=format) | ({"title": group} if group else {})
        for group, rows in _panels(table, place).items()
    ]
    spec = {"vconcat": drawn, "resolve": {"scale": {"x": "shared"}}} if table.grouped else drawn[0]
    return {**spec, "title": {"text": table.title, "anchor": "start", "offset": 10}}
