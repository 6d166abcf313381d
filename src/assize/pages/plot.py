"""`assize.plot`: an Altair chart of a result's table, for a notebook or a paper."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from markupsafe import Markup

from assize.arguments import shown
from assize.errors import ConfigError, MissingExtra
from assize.pages.altair_chart import altair_chart
from assize.pages.drawing import INK, SERIES, Spec
from assize.pages.result_page import draw
from assize.results import Result, ResultTable, to_json
from assize.results.columns import bare
from assize.results.escape import visible
from assize.results.numbers import Measured

WIDTH = 400
STEP = 22  # pixels a row
LABEL = 320  # pixels that a name may take; Vega cuts it there
_FIGURES = ("number", "percent", "share", "p")
_SHARES = ("percent", "share")


class _Row(NamedTuple):
    """A point of the chart; `low` and `high` are NaN where there is no interval."""

    group: str
    name: str
    value: float
    low: float
    high: float
    shown: str


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
        `altair.FacetChart`, a panel a group.

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
    return _drawn(altair, found, place)


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


def _rows(table: ResultTable, place: int) -> list[_Row]:
    """The points, each with a name that is its own within the group."""
    column, words = table.columns[place], _words(table, place)
    seen: Counter[tuple[str, str]] = Counter()
    rows = []
    for row in table.rows:
        value = _value(row[place])
        if not math.isfinite(value):
            continue
        group = visible(str(row[0])) if table.grouped else ""
        name = ", ".join(visible(str(row[at])).strip() for at in words if row[at] not in (None, ""))
        seen[group, name] += 1
        again = "" if seen[group, name] == 1 else f" ({seen[group, name]})"
        cell = bare(row[place])
        ends = cell.interval if isinstance(cell, Measured) else (math.nan, math.nan)
        rows.append(
            _Row(group, name + again, value, *ends, " ".join(filter(None, column.shown(cell))))
        )
    return rows


def _words(table: ResultTable, place: int) -> Sequence[int]:
    """The columns that name a row: words before the figures, without the groups' names."""
    start = 1 if table.grouped else 0
    words = [at for at in range(start, len(table.columns)) if table.columns[at].kind == "words"]
    return [at for at in words if at < place] or words[:1] or [0]


def _drawn(altair: Any, table: ResultTable, place: int) -> Any:
    rows = _rows(table, place)
    data = altair.InlineData(values=[to_json(row._asdict()) for row in rows])
    base = altair.Chart(data).encode(
        y=altair.Y(
            "name:N",
            sort=list(dict.fromkeys(row.name for row in rows)),
            title=None,
            axis=altair.Axis(labelLimit=LABEL),
        ),
        tooltip=[altair.Tooltip("name:N"), altair.Tooltip("shown:N", title=_title(table, place))],
    )
    x = _axis(altair, table, place)
    bars = base.mark_rule(color=SERIES[0], strokeWidth=2.5, opacity=0.55).encode(
        x=altair.X("low:Q", **x), x2="high:Q"
    )
    points = base.mark_circle(color=SERIES[0], opacity=1, size=60).encode(
        x=altair.X("value:Q", **x)
    )
    chart = (bars + points).properties(width=WIDTH, height=altair.Step(STEP))
    if table.grouped:
        chart = _in_groups(altair, chart, [row.group for row in rows])
    title = altair.TitleParams(visible(table.title), anchor="start", fontSize=13, offset=10)
    return chart.properties(title=title)


def _axis(altair: Any, table: ResultTable, place: int) -> dict[str, Any]:
    percent = table.columns[place].kind in _SHARES
    axis = altair.Axis(format="%", grid=True) if percent else altair.Axis(grid=True)
    return {
        "title": _title(table, place),
        "axis": axis,
        "scale": altair.Scale(zero=False, nice=True),
    }


def _title(table: ResultTable, place: int) -> str:
    column = table.columns[place]
    return visible(f"{column.name} ({column.unit.strip()})" if column.unit.strip() else column.name)


def _in_groups(altair: Any, chart: Any, groups: Sequence[str]) -> Any:
    """A panel a group, below each other, with one scale for the figures."""
    header = altair.Header(
        title=None,
        labelAnchor="start",
        labelOrient="top",
        labelColor=INK["ink"],
        labelFontSize=12,
        labelFontWeight="bold",
        labelPadding=4,
        labelLimit=LABEL + WIDTH,
    )
    facet = altair.Facet("group:N", sort=list(dict.fromkeys(groups)), header=header, title=None)
    return chart.facet(facet=facet, columns=1, spacing=12).resolve_scale(y="independent")
