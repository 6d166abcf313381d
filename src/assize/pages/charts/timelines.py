"""A figure over time: means with intervals, levels between changes, the window of labels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from assize.pages.charts.lines import Curve
from assize.pages.charts.parts import WIDTH
from assize.pages.drawing import INK, SERIES, Spec

WORSE, BETTER = SERIES[3], SERIES[2]
_HEIGHT = 240
_ROW = 14  # pixels between the dates of two lines


@dataclass(frozen=True, slots=True)
class Change:
    """When a line changed: a date with its interval, in milliseconds since 1970."""

    at: float
    low: float
    high: float
    label: str
    worse: bool


@dataclass(frozen=True, slots=True)
class Timeline:
    """One line; `curve.x` is in milliseconds since 1970.

    Args:
        levels: start, stop and mean of each part between changes; none where nothing changed.
    """

    name: str
    curve: Curve
    levels: Sequence[tuple[float, float, float]] = ()
    changes: Sequence[Change] = ()


@dataclass(frozen=True, slots=True)
class Bands:
    """Where labels lie: bad up to `low`, good above `high`, None where there is no such label."""

    threshold: float
    low: float | None
    high: float | None


def timelines(
    lines: Sequence[Timeline],
    *,
    y_title: str,
    y_format: str = "",
    bands: Bands | None = None,
    width: int = WIDTH + 200,
    height: int = _HEIGHT,
) -> Spec:
    """Lines over time, each with intervals; the dates at which they changed are marked.

    Args:
        y_format: of the numbers beside the axis, such as `%`; "" for plain ones.
        bands: shaded behind the lines, with the threshold as a dashed line.
    """
    palette = [SERIES[place % len(SERIES)] for place in range(len(lines))]
    several = len(lines) > 1
    colour: Spec = {
        "field": "name",
        "type": "nominal",
        "scale": {"domain": [one.name for one in lines], "range": palette},
        "legend": {"orient": "bottom", "title": None, "symbolType": "stroke"} if several else None,
    }
    ends = [end for one in lines for end in (*one.curve.low, *one.curve.high, *one.curve.y)]
    known = [end for end in ends if end == end] or [0.0, 1.0]
    low, high = min(known), max(known)
    if bands is not None:
        low, high = min(low, bands.threshold), max(high, bands.threshold)
    room = 0.08 * (high - low or 1.0)
    scale = {"domain": [low - room, high + room], "nice": False, "zero": False}
    across = {
        "type": "temporal",
        "title": None,
        "scale": {"type": "utc"},
        "axis": {"grid": False, "labelOverlap": True, "tickCount": 6},
    }
    up: Spec = {"type": "quantitative", "title": y_title, "scale": scale}
    if y_format:
        up["axis"] = {"format": y_format}
    layers = [
        *([] if bands is None else _shaded(bands, scale["domain"], up)),
        *_marked(lines, across),
        *_drawn(lines, across, up, colour),
    ]
    named = f" of {', '.join(one.name for one in lines)}" if several else ""
    marks = sum(len(one.changes) for one in lines)
    return {
        "description": f"{y_title}{named} over time, with intervals; {marks} changes are marked.",
        "width": width,
        "height": height,
        "layer": layers,
    }


def _shaded(bands: Bands, domain: object, up: Spec) -> list[Spec]:
    """Good above, bad below, and the threshold."""
    least, most = domain if isinstance(domain, list) else (0.0, 1.0)
    parts = []
    if bands.high is not None and bands.high < most:
        parts.append({"from": max(bands.high, least), "to": most, "name": "good", "at": most})
    if bands.low is not None and bands.low > least:
        parts.append({"from": least, "to": min(bands.low, most), "name": "bad", "at": least})
    tint = {"good": BETTER, "bad": WORSE}
    layers: list[Spec] = []
    for part in parts:
        high = part["name"] == "good"
        data = {"values": [part]}
        area = {"type": "rect", "color": tint[str(part["name"])], "opacity": 0.1}
        word = {
            "type": "text",
            "align": "left",
            "baseline": "top" if high else "bottom",
            "x": 4,
            "dy": 3 if high else -3,
            "color": INK["muted"],
            "fontSize": 11,
        }
        spots = {"y": {**up, "field": "from"}, "y2": {"field": "to"}}
        layers.append({"data": data, "mark": area, "encoding": spots})
        said = {"y": {**up, "field": "at"}, "text": {"field": "name"}}
        layers.append({"data": data, "mark": word, "encoding": said})
    rule = {"type": "rule", "color": INK["muted"], "strokeDash": [4, 3]}
    spot = {"y": {**up, "field": "y"}}
    return [*layers, {"data": {"values": [{"y": bands.threshold}]}, "mark": rule, "encoding": spot}]


def _marked(lines: Sequence[Timeline], across: Spec) -> list[Spec]:
    """A rule a change, the interval of its date behind it, and the date above, a row a line."""
    layers: list[Spec] = []
    for place, line in enumerate(lines):
        for one in line.changes:
            label = f"{line.name} {one.label}" if len(lines) > 1 else one.label
            point = {"x": one.at, "low": one.low, "high": one.high, "label": label}
            ink = {"color": WORSE if one.worse else BETTER}
            at = {"x": {**across, "field": "x"}}
            between = {"x": {**across, "field": "low"}, "x2": {"field": "high"}}
            text = {
                "type": "text",
                "align": "center",
                "baseline": "bottom",
                "y": -3 - _ROW * place,
                "fontSize": 11,
                **ink,
            }
            marks: list[Spec] = [
                {"mark": {"type": "rect", "opacity": 0.15, **ink}, "encoding": between},
                {"mark": {"type": "rule", "strokeWidth": 1.5, **ink}, "encoding": at},
                {"mark": text, "encoding": {**at, "text": {"field": "label"}}},
            ]
            layers += [{"data": {"values": [point]}, **mark} for mark in marks]
    return layers


def _drawn(lines: Sequence[Timeline], across: Spec, up: Spec, colour: Spec) -> list[Spec]:
    """Intervals, means, and the level of each part between changes."""
    points = [{"name": one.name, **point} for one in lines for point in one.curve.points()]
    levels = [
        {"name": one.name, "from": start, "to": stop, "y": level}
        for one in lines
        for start, stop, level in one.levels
    ]
    at = {"x": {**across, "field": "x"}, "color": colour}
    spans = {"y": {**up, "field": "low"}, "y2": {"field": "high"}}
    mean = {**at, "y": {**up, "field": "y"}}
    line = {"type": "line", "strokeWidth": 1.5, "opacity": 0.6}
    dots = {"type": "circle", "size": 34, "opacity": 1}
    layers: list[Spec] = [
        {
            "data": {"values": points},
            "mark": {"type": "rule", "opacity": 0.4, "strokeWidth": 2},
            "encoding": {**at, **spans},
        },
        {"data": {"values": points}, "mark": line, "encoding": mean},
        {"data": {"values": points}, "mark": dots, "encoding": mean},
    ]
    if levels:
        stretch = {"x": {**across, "field": "from"}, "x2": {"field": "to"}, "color": colour}
        rule = {"type": "rule", "strokeWidth": 3, "opacity": 0.55}
        encoding = {**stretch, "y": {**up, "field": "y"}}
        layers.append({"data": {"values": levels}, "mark": rule, "encoding": encoding})
    return layers
