"""Charts of numbers as Vega-Lite specs, whose strips and bars are links."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from assize.base.judgment import Question
from assize.pages.charts.lines import Curve as Line
from assize.pages.charts.timelines import Timeline, timelines
from assize.pages.drawing import INK, SERIES, Spec
from assize.stats._estimate import nullable
from assize.web._dashboard.figures.charts import Chart
from assize.web._dashboard.figures.periods import SHARE, OverTime
from assize.web._dashboard.figures.worth import Spread

WIDTH = 370  # pixels; a page draws a chart larger or smaller, its words with it
HEIGHT = 165
LINK_MARK: Spec = {"type": "rect", "opacity": 0, "color": INK["ink"]}
"""Unseen; the page's style shows it under the pointer and in focus."""


def chart_spec(
    chart: Chart,
    question: Question,
    bands: Mapping[str, Any] | None = None,
) -> Spec:
    """One question's curves, and over them a mark for each of `chart.strips`, with its place
    among them as the link.

    Args:
        bands: of these very curves (`bands_to_json`).
    """
    names = [one.name for one in chart.curves]
    colour = {
        "field": "name",
        "type": "nominal",
        "scale": {"domain": names, "range": list(SERIES[: len(names)])},
        "legend": None,  # the table beside the chart has the colours
    }
    bars = chart.shape.ends is not None
    scale = {"domain": [chart.grid.low, chart.grid.high], "nice": False, "zero": False}
    across = {
        "field": "x",
        "type": "quantitative",
        "title": None,
        "scale": scale,
        "axis": _axis(question),
    }
    up = {
        "type": "quantitative",
        "title": "share" if bars else "density",
        "axis": {"format": "%", "tickCount": 4}
        if bars
        else {"labels": False, "ticks": False, "tickCount": 4},
        "scale": {"zero": True},
    }
    layers = (_bars if bars else _curves)(across, up, colour, bands)
    said = (
        f"How {question.id} is spread: {len(names)} curves"
        if len(names) > 1
        else (f"How {question.id} is spread")
    )
    return {
        "description": f"{said}, {sum(one.n for one in chart.curves):,} numbers.",
        "width": WIDTH,
        "height": HEIGHT,
        "data": {"name": "curves", "values": _points(chart, bands)},
        "layer": [*layers, _links(chart, across)],
    }


def _links(chart: Chart, across: Spec) -> Spec:
    """A mark as high as the chart for each strip."""
    names = [one.name for one in chart.curves]
    rows = []
    for at, strip in enumerate(chart.strips):
        low, high = strip.low, strip.high
        if strip.curve:
            low, high = _slot(low, high, names.index(strip.curve), len(names))
        rows.append({"from": _short(low), "to": _short(high), "link": f"#{at}"})
    return {
        "data": {"values": rows},
        "mark": LINK_MARK,
        "encoding": {
            "x": {**across, "field": "from"},
            "x2": {"field": "to"},
            "y": {"value": 0},
            "y2": {"value": "height"},
            "href": {"field": "link"},
        },
    }


def _slot(low: float, high: float, place: int, curves: int) -> tuple[float, float]:
    """Where the bar of a curve stands within a bar of all."""
    width = (high - low) / (curves + 1)
    return low + (place + 0.5) * width, low + (place + 1.5) * width


def _axis(question: Question) -> Spec:
    """Answers with their labels at the ends, where the question has some."""
    axis: Spec = {"grid": False, "tickCount": 6}
    if question.answers and question.values and len(question.answers) <= 7:
        axis |= {"values": sorted(question.values), "format": "~g"}
    return axis


def _points(chart: Chart, bands: Mapping[str, Any] | None) -> list[Spec]:
    """A row a curve and point; with bands also `low`, `middle` and `high`."""
    at, ends = chart.shape.at.tolist(), chart.shape.ends
    rows = []
    for place, curve in enumerate(chart.curves):
        if not curve.n:
            continue
        found = None if bands is None else bands["bands"][place]
        for point, (x, y) in enumerate(zip(at, curve.height.tolist(), strict=True)):
            row = {"name": curve.name, "x": _short(x), "y": _short(y)}
            if ends is not None:
                low, high = _slot(ends[point, 0], ends[point, 1], place, len(chart.curves))
                row["from"], row["to"] = _short(low), _short(high)
                row["x"] = _short((row["from"] + row["to"]) / 2)
            if found is not None:
                row |= {key: found[key][point] for key in ("low", "middle", "high")}
            rows.append(row)
    return rows


def _short(value: float) -> Any:
    return nullable(float(f"{value:.5g}"))


def _curves(across: Spec, up: Spec, colour: Spec, bands: Mapping[str, Any] | None) -> list[Spec]:
    band = {
        "mark": {"type": "area", "opacity": 0.22},
        "encoding": {
            "x": across,
            "y": {**up, "field": "low"},
            "y2": {"field": "high"},
            "color": colour,
        },
    }
    middle = {
        "mark": {"type": "line", "strokeWidth": 1.2, "strokeDash": [5, 4]},
        "encoding": {"x": across, "y": {**up, "field": "middle"}, "color": colour},
    }
    line = {
        "mark": {"type": "line", "strokeWidth": 2},
        "encoding": {"x": across, "y": {**up, "field": "y"}, "color": colour},
    }
    if bands is None:
        return [line]
    return [band, *([middle] if bands["drawn"]["answers"] else []), line]


def _bars(across: Spec, up: Spec, colour: Spec, bands: Mapping[str, Any] | None) -> list[Spec]:
    span = {**across, "field": "from"}
    bar = {
        "mark": {"type": "bar", "opacity": 0.75},
        "encoding": {
            "x": span,
            "x2": {"field": "to"},
            "y": {**up, "field": "y"},
            "y2": {"datum": 0},
            "color": colour,
        },
    }
    rule = {
        "mark": {"type": "rule", "color": INK["ink"], "strokeWidth": 1.5},
        "encoding": {"x": across, "y": {**up, "field": "low"}, "y2": {"field": "high"}},
    }
    return [bar] if bands is None else [bar, rule]


def time_spec(found: OverTime, question: Question, *, width: int = 640) -> Spec:
    """Each curve's figure over time, with intervals."""
    middles = [500 * (one.start + one.stop) for one in found.periods]  # ms
    lines = []
    for one in found.lines:
        ends = [(e.estimate, *e.interval) if e else (float("nan"),) * 3 for e in one.figures]
        y, low, high = zip(*ends, strict=True) if ends else ((), (), ())
        lines.append(Timeline(one.name, Line(middles, y, low, high)))
    if found.figure == SHARE:
        of = f" with {found.answer}" if found.answer else ""
        title = f"share of {question.id}{of}"
        return timelines(lines, y_title=title, y_format="%", width=width)
    what = "mean" if found.figure == "mean" else f"{found.figure} quantile"
    return timelines(lines, y_title=f"{what} of {question.id}", width=width)


def worth_spec(rows: Sequence[tuple[str, float, float, float]], target: str) -> Spec:
    """What a point more of each question is worth, with intervals: name, value, low, high."""
    order = [row[0] for row in sorted(rows, key=lambda row: -row[1])]
    data = [dict(zip(("name", "x", "low", "high"), row, strict=True)) for row in rows]
    down = {"field": "name", "type": "nominal", "sort": order, "title": None}
    across = {"type": "quantitative", "title": f"points of {target} per point of the question"}
    return {
        "description": f"What a point more of each question is worth for {target}.",
        "width": 420,
        "height": {"step": 26},
        "data": {"values": data},
        "layer": [
            {
                "mark": {"type": "rule", "color": INK["muted"]},
                "encoding": {"y": down, "x": {**across, "field": "low"}, "x2": {"field": "high"}},
            },
            {
                "mark": {"type": "point", "filled": True, "size": 70, "color": SERIES[0]},
                "encoding": {"y": down, "x": {**across, "field": "x"}},
            },
        ],
    }


def spread_spec(found: Mapping[str, Sequence[Spread]], order: Sequence[str], target: str) -> Spec:
    """How each question's importance differs between conversations: 5% to 95% as a line, the
    middle half as a bar, the median as a stroke; a colour for each group."""
    data = [
        {"name": name, "group": one.group, **dict(zip("abcde", one.levels, strict=True))}
        for name in order
        for one in found[name]
    ]
    groups = list(dict.fromkeys(one["group"] for one in data))
    where = {
        "y": {"field": "name", "type": "nominal", "sort": list(order), "title": None},
        "yOffset": {"field": "group", "type": "nominal", "sort": groups},
        "color": {
            "field": "group",
            "type": "nominal",
            "sort": groups,
            "scale": {"range": list(SERIES)},
            "legend": None if len(groups) < 2 else {"title": None, "orient": "top"},
        },
    }
    across = {"type": "quantitative", "title": f"points of {target} per point of the question"}

    def layer(mark: Spec, low: str, high: str | None = None) -> Spec:
        x = {"x": {**across, "field": low}} | ({} if high is None else {"x2": {"field": high}})
        return {"mark": mark, "encoding": {**where, **x}}

    return {
        "description": f"How what a point more of a question is worth for {target} differs.",
        "width": 420,
        "height": {"step": max(12, 26 // max(len(groups), 1)), "for": "offset"},
        "data": {"values": data},
        "layer": [
            layer({"type": "rule"}, "a", "e"),
            layer({"type": "bar", "size": 9, "opacity": 0.55}, "b", "d"),
            layer({"type": "tick", "thickness": 2.5, "size": 12}, "c"),
        ],
    }
