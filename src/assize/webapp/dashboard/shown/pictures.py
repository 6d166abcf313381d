"""Charts as Vega-Lite: one spec for the page's script and for the picture without it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from assize.judgment import Question
from assize.pages.charts.lines import Curve as Line
from assize.pages.charts.timelines import Timeline, timelines
from assize.pages.drawing import INK, SERIES, Spec
from assize.stats.estimate import nullable
from assize.webapp.dashboard.figures.charts import Chart
from assize.webapp.dashboard.figures.periods import SHARE, OverTime
from assize.webapp.dashboard.figures.worth import Spread

SMALL = 180
HIGH = 240


def chart_spec(
    chart: Chart,
    question: Question,
    bands: Mapping[str, Any] | None = None,
    *,
    main: bool = False,
    width: int | str = "container",
) -> Spec:
    """One question's curves.

    Args:
        bands: of these very curves (`Bands.to_json`).
        width: pixels; `container` for what the page leaves.
    """
    names = [one.name for one in chart.curves]
    colour = {
        "field": "name",
        "type": "nominal",
        "scale": {"domain": names, "range": list(SERIES[: len(names)])},
        "legend": {"orient": "bottom", "title": None, "columns": 3} if len(names) > 1 else None,
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
        "width": width,
        "height": HIGH if main else SMALL,
        "data": {"name": "curves", "values": _points(chart, bands)},
        "layer": layers,
    }


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
                width = (ends[point, 1] - ends[point, 0]) / (len(chart.curves) + 1)
                row["from"] = _short(ends[point, 0] + (place + 0.5) * width)
                row["to"] = _short(ends[point, 0] + (place + 1.5) * width)
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
