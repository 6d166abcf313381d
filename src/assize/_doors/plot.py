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
    spec = draw_figures(found)
    if not spec:
        raise ConfigError(
            f"the table {found.title!r} has no figures to plot, only words and counts"
            f" ({', '.join(column.name for column in found.columns)})"
        )
    return altair_chart(altair, spec)


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
