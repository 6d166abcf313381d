"""Grids of shaded cells."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from assize.pages.charts.parts import layer, quantity
from assize.pages.drawing import INK, SERIES, Spec


def heatmap(
    cells: Mapping[tuple[str, str], float | None],
    *,
    x_title: str,
    y_title: str,
    columns: Sequence[str],
    rows: Sequence[str],
    format: str = ".2f",
    domain: tuple[float, float] | None = None,
) -> Spec:
    """A grid of shaded, labelled cells: a confusion table or a matrix of agreement.

    Args:
        cells: (row, column) -> value; a missing or None cell is shown as a dash.
        format: of the labels, as in d3-format: `d` for counts, `.0%` for shares.
        domain: values of the faintest and the strongest cell; 0 and the largest when None.
    """
    values = [value for value in cells.values() if value is not None]
    low, high = (0.0, max(values, default=1.0)) if domain is None else domain
    high = high if high > low else low + 1.0
    data = [
        {"row": r, "column": c, "value": cells.get((r, c)), "none": cells.get((r, c)) is None}
        for r in rows
        for c in columns
    ]
    place: Spec = {
        "y": {"field": "row", "type": "nominal", "sort": list(rows), "title": y_title},
        "x": {"field": "column", "type": "nominal", "sort": list(columns), "title": x_title},
    }
    place["x"]["axis"] = {"labelAngle": 0 if max(map(len, columns), default=0) <= 6 else -40}
    label = f"datum.none ? '–' : format(datum.value, '{format}')"
    # No stronger, so that the ink is read on every shade, on a bright page and on a dark one.
    shade = {"domain": [low, high], "range": [0.03, 0.62], "clamp": True}
    opacity = quantity("value", scale=shade, legend=None)
    mark = {"type": "rect", "color": SERIES[0], "stroke": INK["grid"], "strokeOpacity": 1}
    words = {"type": "text", "color": INK["ink"]}
    return {
        "description": f"Grid of {y_title} by {x_title}.",
        "width": {"step": max(34, min(70, 340 // max(len(columns), 1)))},
        "height": {"step": 34},
        "data": {"values": data},
        "transform": [{"calculate": label, "as": "label"}],
        "encoding": place,
        "layer": [layer(mark, fillOpacity=opacity), layer(words, text={"field": "label"})],
    }


def confusion(
    counts: Mapping[tuple[str, str], int],
    *,
    answers: Sequence[str],
    x_title: str,
    y_title: str,
) -> Spec:
    """How often one judge's answer (rows) meets another's (columns)."""
    cells: dict[tuple[str, str], float | None] = {
        (row, column): float(counts.get((row, column), 0)) for row in answers for column in answers
    }
    return heatmap(
        cells, x_title=x_title, y_title=y_title, columns=answers, rows=answers, format=",d"
    )


def agreement_matrix(
    values: Mapping[tuple[str, str], float | None], *, judges: Sequence[str], statistic: str
) -> Spec:
    """One statistic for each two judges, on a scale from 0 to 1; below 0 is shown as 0's shade."""
    spec = heatmap(values, x_title="", y_title="", columns=judges, rows=judges, domain=(0.0, 1.0))
    return {**spec, "description": f"{statistic} between each two of {', '.join(judges)}."}
