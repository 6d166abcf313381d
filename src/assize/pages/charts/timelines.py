"""A figure over time: means with intervals, levels between changes, the window of labels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from assize.pages.charts.lines import Curve
from assize.pages.charts.parts import WIDTH, colours, layer, quantity
from assize.pages.charts.windows import Cuts
from assize.pages.drawing import INK, SERIES, Spec

WORSE, BETTER = SERIES[3], SERIES[2]
NO_CUTS = Cuts()
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


def timelines(
    lines: Sequence[Timeline],
    *,
    y_title: str,
    y_format: str = "",
    cuts: Cuts = NO_CUTS,
    width: int = WIDTH + 200,
    height: int = _HEIGHT,
) -> Spec:
    """Lines over time, each with intervals; the dates at which they changed are marked.

    Args:
        y_format: of the numbers beside the axis, such as `%`; "" for plain ones.
        cuts: where labels lie, shaded behind the lines: bad up to `low`, good above `high`; the
            threshold is a dashed line.
    """
    several = len(lines) > 1
    colour = colours("name", [one.name for one in lines], SERIES, symbolType="stroke")
    if not several:
        colour["legend"] = None
    ends = [end for one in lines for end in (*one.curve.low, *one.curve.high, *one.curve.y)]
    known = [end for end in ends if end == end] or [0.0, 1.0]
    low, high = min(known), max(known)
    if cuts.threshold is not None:
        low, high = min(low, cuts.threshold), max(high, cuts.threshold)
    room = 0.08 * (high - low or 1.0)
    domain = low - room, high + room
    scale = {"domain": list(domain), "nice": False, "zero": False}
    across = {
        "type": "temporal",
        "title": None,
        "scale": {"type": "utc"},
        "axis": {"grid": False, "labelOverlap": True, "tickCount": 6},
    }
    up = quantity("y", y_title, scale=scale, axis={"format": y_format} if y_format else {})
    layers = [
        *_shaded(cuts, domain, up),
        *_marked(lines, across),
        *_drawn(lines, across, up, colour),
    ]
    named = f" of {', '.join(one.name for one in lines)}" if several else ""
    marks = sum(len(one.changes) for one in lines)
    return {
        "description": f"{y_title}{named} over time, with intervals; changes marked: {marks}.",
        "width": width,
        "height": height,
        "layer": layers,
    }


def _shaded(cuts: Cuts, domain: tuple[float, float], up: Spec) -> list[Spec]:
    """Good above, bad below, and the threshold."""
    least, most = domain
    layers: list[Spec] = []
    if cuts.high is not None and cuts.high < most:
        ends = max(cuts.high, least), most
        layers += _band("good", BETTER, ends, most, {"baseline": "top", "dy": 3}, up)
    if cuts.low is not None and cuts.low > least:
        ends = least, min(cuts.low, most)
        layers += _band("bad", WORSE, ends, least, {"baseline": "bottom", "dy": -3}, up)
    rule = {"type": "rule", "color": INK["muted"], "strokeDash": [4, 3]}
    middle = [] if cuts.threshold is None else [layer(rule, [{"y": cuts.threshold}], y=up)]
    return [*layers, *middle]


def _band(
    name: str, colour: str, ends: tuple[float, float], place: float, where: Spec, up: Spec
) -> list[Spec]:
    """A shaded part of the axis with its name at one end."""
    data = [{"from": ends[0], "to": ends[1], "name": name, "y": place}]
    area = {"type": "rect", "color": colour, "opacity": 0.1}
    word = {"type": "text", "align": "left", "x": 4, "color": INK["muted"], "fontSize": 11}
    return [
        layer(area, data, y={**up, "field": "from"}, y2={"field": "to"}),
        layer({**word, **where}, data, y=up, text={"field": "name"}),
    ]


def _marked(lines: Sequence[Timeline], across: Spec) -> list[Spec]:
    """A rule a change, the interval of its date behind it, and the date above, a row a line."""
    layers: list[Spec] = []
    at = {**across, "field": "x"}
    between = {"x": {**across, "field": "low"}, "x2": {"field": "high"}}
    for place, line in enumerate(lines):
        words = {"type": "text", "baseline": "bottom", "y": -3 - _ROW * place, "fontSize": 11}
        for one in line.changes:
            label = f"{line.name} {one.label}" if len(lines) > 1 else one.label
            data = [{"x": one.at, "low": one.low, "high": one.high, "label": label}]
            ink = {"color": WORSE if one.worse else BETTER}
            layers += [
                layer({"type": "rect", "opacity": 0.15, **ink}, data, **between),
                layer({"type": "rule", "strokeWidth": 1.5, **ink}, data, x=at),
                layer({**words, **ink}, data, x=at, text={"field": "label"}),
            ]
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
    stretch = {"x": {**across, "field": "from"}, "x2": {"field": "to"}, "color": colour}
    ends = {"y": {**up, "field": "low"}, "y2": {"field": "high"}}
    dots = {"type": "circle", "size": 34, "opacity": 1}
    layers = [
        layer({"type": "rule", "opacity": 0.4, "strokeWidth": 2}, points, **at, **ends),
        layer({"type": "line", "strokeWidth": 1.5, "opacity": 0.6}, points, **at, y=up),
        layer(dots, points, **at, y=up),
    ]
    if levels:
        rule = {"type": "rule", "strokeWidth": 3, "opacity": 0.55}
        layers.append(layer(rule, levels, **stretch, y=up))
    return layers
