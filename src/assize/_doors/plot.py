"""`assize.plot`: an Altair chart of a result's table, for a notebook or a paper."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from markupsafe import Markup

from assize.base.arguments import shown
from assize.base.errors import ConfigError, MissingExtra
from assize.pages.altair_chart import altair_chart
from assize.pages.drawing import Spec
from assize.pages.result_page import draw
from assize.pages.table_chart import draw_figures
from assize.results import Result, ResultTable


def plot(result: Result | ResultTable, table: str | None = None) -> Any:
    """Draw a result, or a table of it, as an Altair chart.

    Results of criteria have charts of their own, such as `curves` and `distributions`. Of a table
    the first column of figures with intervals is drawn, else the first of numbers: points with
    intervals as bars, names down the side, in the order and groups of the table. The chart is
    Altair's own: you can change it, combine it with others, or save it
    (`chart.save("figure.svg")`).

    Args:
        result: the result of a function of assize, or one of its tables.
        table: name of one of the result's charts, or of `result.tables`; the first one when None.

    Returns:
        An `altair.Chart`; if the table has groups, an `altair.VConcatChart` with a panel per group.

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
    spec = draw_figures(found)
    if not spec:
        raise ConfigError(
            f"the table {found.title!r} has no figures to plot, only words and counts"
            f" ({', '.join(column.name for column in found.columns)})"
        )
    title = {"text": found.title, "anchor": "start", "offset": 10}
    return altair_chart(altair, {**spec, "title": title})


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
    figures = (table for table in result.tables.values() if draw_figures(table))
    return next(figures, result.choose_table())
