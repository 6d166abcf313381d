"""Charts: small functions that return Vega-Lite specs; `svg` draws any of them.

A builder takes plain numbers and names and returns a dict; `svg` renders it in this
process, with no request to anywhere. Colours are those of `INK` and `SERIES`; in the
SVG each becomes a CSS variable with the colour as fallback, so that a page can change
them for the dark. Every builder sets `description`, which becomes the text alternative.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from assize.report.drawing import INK, SERIES, Spec, require, svg

__all__ = [
    "INK",
    "RAMP",
    "SERIES",
    "Spec",
    "agreement_matrix",
    "confusion",
    "heatmap",
    "histogram",
    "line_with_band",
    "means",
    "ramp",
    "require",
    "scatter",
    "shares",
    "svg",
]

RAMP = ("#c9d9ec", "#9fbfe0", "#6f9fcf", "#457cb4", "#2a5b93", "#173f6e", "#0d2a4d")

WIDTH = 400
LABEL = 200
POINTS = 1000


def histogram(
    values: Sequence[float],
    *,
    title: str,
    range: tuple[float, float] | None = None,
    bins: int = 20,
    marks: Mapping[str, float] | None = None,
    unit: str = "conversations",
) -> Spec:
    """How many values fall into each of `bins` equal bins.

    Args:
        values: finite numbers; the spec holds only the counts, so any number of them.
        range: lowest and highest value of the axis, widened where values lie beyond;
            that of the values when None. The last bin holds its upper edge.
        marks: vertical lines by name, for instance thresholds or the mean.
    """
    import numpy as np

    low, high = _span(values if range is None else [*range, *_ends(values)])
    counts, edges = np.histogram(np.asarray(values, dtype=float), bins=bins, range=(low, high))
    data = [
        {"from": float(a), "to": float(b), "n": int(n)}
        for a, b, n in zip(edges[:-1], edges[1:], counts, strict=True)
    ]
    x: Spec = {"type": "quantitative", "title": title, "scale": {"domain": [low, high]}}
    bars: Spec = {
        "data": {"values": data},
        "mark": {"type": "bar", "color": SERIES[0], "binSpacing": 1},
        "encoding": {
            "x": {"field": "from", **x, "bin": {"binned": True}, "axis": {"grid": False}},
            "x2": {"field": "to"},
            "y": {"field": "n", "type": "quantitative", "title": unit, "axis": _whole(counts)},
        },
    }
    layers = [bars, *_rules({} if marks is None else marks, x)]
    described = f"Histogram of {title}: {len(values)} {unit} from {low:g} to {high:g}."
    return {"description": described, "width": WIDTH, "height": 180, "layer": layers}


def _ends(values: Sequence[float]) -> tuple[float, ...]:
    return (min(values), max(values)) if len(values) else ()


def _span(values: Sequence[float]) -> tuple[float, float]:
    low, high = (min(values), max(values)) if len(values) else (0.0, 1.0)
    return (low, high) if high > low else (low - 0.5, high + 0.5)


def _whole(counts: Any) -> Spec:
    most = int(max(counts)) if len(counts) else 0
    return {"tickMinStep": 1, "tickCount": min(5, max(most, 1)), "format": ",d"}


def _rules(marks: Mapping[str, float], x: Spec) -> list[Spec]:
    """A dashed line for each mark, its name above the plot on a row of its own."""
    layers: list[Spec] = []
    for row, (name, value) in enumerate(marks.items()):
        data = {"values": [{"value": value, "name": f"{name} {value:.3g}"}]}
        place = {"x": {**x, "field": "value"}}
        line = {"type": "rule", "color": INK["ink"], "strokeDash": [4, 3], "strokeWidth": 1.5}
        words = {"type": "text", "y": -8 - 15 * row, "fontSize": 11, "color": INK["ink"]}
        layers.append({"data": data, "mark": line, "encoding": place})
        layers.append(
            {"data": data, "mark": words, "encoding": {**place, "text": {"field": "name"}}}
        )
    return layers


def shares(
    rows: Sequence[tuple[str, str, float]],
    *,
    answers: Sequence[str],
    title: str,
    colours: Sequence[str] | None = None,
) -> Spec:
    """Stacked bars of 100%: one bar a name, one piece an answer, in the order of `answers`.

    Args:
        rows: (name of the bar, answer, count).
        colours: one an answer; a ramp when None, from light for the first.
    """
    totals: dict[str, float] = {}
    for name, _, count in rows:
        totals[name] = totals.get(name, 0) + count
    data = [
        {"name": name, "answer": answer, "n": n, "share": n / totals[name] if totals[name] else 0}
        for name, answer, n in rows
    ]
    for row in data:
        row["order"] = list(answers).index(str(row["answer"]))
    palette = list(ramp(len(answers)) if colours is None else colours)
    legend = {"orient": "bottom", "title": None, "columns": _columns(answers)}
    return {
        "description": f"Shares of the answers to {title}, one bar each: {', '.join(totals)}.",
        "width": _room(totals),
        "height": {"step": 30},
        "data": {"values": data},
        "mark": {"type": "bar", "stroke": INK["paper"], "strokeWidth": 1},
        "encoding": {
            "y": {"field": "name", "type": "nominal", "title": None, "sort": list(totals)},
            "x": {
                "field": "share",
                "type": "quantitative",
                "title": title,
                "stack": "zero",
                "axis": {"format": "%", "tickCount": 5},
                "scale": {"domain": [0, 1]},
            },
            "color": {
                "field": "answer",
                "type": "nominal",
                "sort": list(answers),
                "scale": {"domain": list(answers), "range": palette},
                "legend": legend,
            },
            "order": {"field": "order", "type": "quantitative"},
        },
    }


def _room(names: Iterable[str]) -> int:
    """The width that names at the side leave to a plot."""
    return WIDTH + 40 - max(40, *(min(LABEL, 7 * len(name)) for name in names), 0)


def _columns(answers: Sequence[str]) -> int:
    """Entries of a legend that fit beside each other."""
    longest = max((len(answer) for answer in answers), default=1)
    return max(1, min(len(answers), 220 // (26 + 7 * longest)))


def means(
    rows: Sequence[tuple[str, float, float, float]],
    *,
    title: str,
    range: tuple[float, float] | None = None,
) -> Spec:
    """One value with its interval a name, below each other.

    Args:
        rows: (name, value, low, high); NaN ends where there is no interval.
        range: of the axis; what the intervals span when None.
    """
    data = [
        {"name": name, "value": _null(value), "low": _null(low), "high": _null(high)}
        for name, value, low, high in rows
    ]
    scale: Spec = {"zero": False} if range is None else {"domain": list(range), "clamp": True}
    place = {"type": "quantitative", "title": title, "scale": scale}
    colour = SERIES[0]
    return {
        "description": f"{title} of {', '.join(name for name, *_ in rows)}.",
        "width": _room(name for name, *_ in rows),
        "height": {"step": 26},
        "data": {"values": data},
        "encoding": {
            "y": {"field": "name", "type": "nominal", "title": None, "sort": [r[0] for r in rows]}
        },
        "layer": [
            {
                "mark": {"type": "rule", "color": colour, "strokeWidth": 2.5, "opacity": 0.55},
                "encoding": {"x": {**place, "field": "low"}, "x2": {"field": "high"}},
            },
            {
                "mark": {"type": "circle", "color": colour, "opacity": 1, "size": 60},
                "encoding": {"x": {**place, "field": "value"}},
            },
        ],
    }


def ramp(count: int) -> tuple[str, ...]:
    """`count` colours from light to dark, evenly taken from `RAMP`; repeated beyond seven."""
    if count <= 1:
        return (RAMP[3],) * count
    last = len(RAMP) - 1
    return tuple(RAMP[round(index * last / (count - 1))] for index in range(count))


def scatter(
    x: Sequence[float],
    y: Sequence[float],
    *,
    x_title: str,
    y_title: str,
    range: tuple[float, float] | None = None,
    marginals: bool = True,
    diagonal: bool = True,
) -> Spec:
    """One point a pair of values, with histograms along both sides.

    Args:
        x, y: (items N,) finite, of equal length; more than 1,000 points are thinned evenly
            for drawing, and the description says so (the histograms count all of them).
        range: of both axes; None takes what the values span.
        diagonal: a line where both are equal.
    """
    low, high = _span([*x, *y]) if range is None else range
    step = max(1, -(-len(x) // POINTS))
    points = [{"x": a, "y": b} for a, b in list(zip(x, y, strict=True))[::step]]
    thinned = f" Every {step}th of {len(x)} points is drawn." if step > 1 else ""
    scale = {"domain": [low, high], "nice": False}
    layers: list[Spec] = [
        {
            "data": {"values": points},
            "mark": {"type": "circle", "color": SERIES[0], "opacity": 0.45, "size": 30},
            "encoding": {
                "x": {"field": "x", "type": "quantitative", "title": x_title, "scale": scale},
                "y": {"field": "y", "type": "quantitative", "title": y_title, "scale": scale},
            },
        }
    ]
    if diagonal:
        layers.insert(0, _diagonal((low, high), scale, x_title, y_title))
    main: Spec = {"width": 280, "height": 280, "layer": layers}
    described = f"Scatter of {y_title} against {x_title}, {len(x)} points.{thinned}"
    if not marginals:
        return {"description": described, **main}
    top = _marginal(x, low, high, "x")
    side = _marginal(y, low, high, "y")
    rows = [top, {"spacing": 6, "hconcat": [main, side]}]
    return {"description": described, "spacing": 6, "vconcat": rows}


def _diagonal(ends: tuple[float, float], scale: Spec, x_title: str, y_title: str) -> Spec:
    place = {"type": "quantitative", "scale": scale}
    return {
        "data": {"values": [{"x": end, "y": end} for end in ends]},
        "mark": {"type": "line", "color": INK["muted"], "strokeDash": [4, 3], "strokeWidth": 1.5},
        "encoding": {
            "x": {"field": "x", "title": x_title, **place},
            "y": {"field": "y", "title": y_title, **place},
        },
    }


def _marginal(values: Sequence[float], low: float, high: float, along: str) -> Spec:
    import numpy as np

    counts, edges = np.histogram(np.asarray(values, dtype=float), bins=20, range=(low, high))
    data = [
        {"from": float(a), "to": float(b), "n": int(n)}
        for a, b, n in zip(edges[:-1], edges[1:], counts, strict=True)
    ]
    across = "y" if along == "x" else "x"
    place: Spec = {"field": "from", "type": "quantitative", "bin": {"binned": True}, "axis": None}
    encoding = {
        along: {**place, "scale": {"domain": [low, high]}},
        f"{along}2": {"field": "to"},
        across: {"field": "n", "type": "quantitative", "axis": None},
    }
    size = {"width": 280, "height": 40} if along == "x" else {"width": 40, "height": 280}
    mark = {"type": "bar", "color": SERIES[0], "opacity": 0.6, "binSpacing": 1}
    return {**size, "data": {"values": data}, "mark": mark, "encoding": encoding}


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
        domain: values of the lightest and the darkest cell; 0 and the largest when None.
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
    dark = low + 0.55 * (high - low)
    label = f"datum.none ? '–' : format(datum.value, '{format}')"
    colour = {"value": INK["ink"]}
    white = {"test": f"datum.value > {dark}", "value": INK["paper"]}
    shade = {"domain": [low, high], "range": [0.04, 0.95], "clamp": True}
    opacity = {"field": "value", "type": "quantitative", "scale": shade, "legend": None}
    mark = {"type": "rect", "color": SERIES[0], "stroke": INK["grid"], "strokeOpacity": 1}
    return {
        "description": f"Grid of {y_title} by {x_title}.",
        "width": {"step": _step(len(columns))},
        "height": {"step": 34},
        "data": {"values": data},
        "transform": [{"calculate": label, "as": "label"}],
        "encoding": place,
        "layer": [
            {"mark": mark, "encoding": {"fillOpacity": opacity}},
            {
                "mark": {"type": "text"},
                "encoding": {"text": {"field": "label"}, "color": {**colour, "condition": white}},
            },
        ],
    }


def _step(columns: int) -> int:
    return max(34, min(70, 340 // max(columns, 1)))


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


def line_with_band(
    x: Sequence[float],
    y: Sequence[float],
    low: Sequence[float],
    high: Sequence[float],
    *,
    x_title: str,
    y_title: str,
    range: tuple[float, float] = (0.0, 1.0),
    diagonal: bool = True,
) -> Spec:
    """A curve with its interval, for instance a reliability diagram.

    Args:
        x, y, low, high: (points P,) of equal length, in the order of x; `low` and `high`
            bound y. NaN breaks the line.
        range: of both axes.
        diagonal: the line of perfect calibration.
    """
    scale = {"domain": list(range), "nice": False, "clamp": True}
    points = [
        {"x": _null(a), "y": _null(b), "low": _null(c), "high": _null(d)}
        for a, b, c, d in zip(x, y, low, high, strict=True)
    ]
    at = {"field": "x", "type": "quantitative", "title": x_title, "scale": scale}
    up = {"type": "quantitative", "title": y_title, "scale": scale}
    layers: list[Spec] = [
        {
            "mark": {"type": "area", "color": SERIES[0], "opacity": 0.2},
            "encoding": {"x": at, "y": {**up, "field": "low"}, "y2": {"field": "high"}},
        },
        {
            "mark": {"type": "line", "color": SERIES[0], "strokeWidth": 2},
            "encoding": {"x": at, "y": {**up, "field": "y"}},
        },
    ]
    if diagonal:
        layers.insert(0, _diagonal(range, scale, x_title, y_title))
    return {
        "description": f"{y_title} against {x_title}, with its interval.",
        "width": 300,
        "height": 300,
        "data": {"values": points},
        "layer": layers,
    }


def _null(value: float) -> float | None:
    return None if value != value else float(value)
