"""What several kinds of charts share: sizes, encodings, layers, colours in order."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from assize.pages.drawing import INK, RAMP, Spec
from assize.results.numbers import Measured
from assize.stats._estimate import nullable

WIDTH = 400
NARROW = 230  # pixels of a plot beside long names
LABEL = 290  # pixels that names at the side take at most
DASHED: Spec = {"strokeDash": [4, 3], "strokeWidth": 1.5}
_ROW = 15  # pixels between the names of two marks


def ramp(count: int) -> tuple[str, ...]:
    """`count` colours from least to most, evenly taken from `RAMP`; repeated beyond seven."""
    if count <= 1:
        return (RAMP[3],) * count
    last = len(RAMP) - 1
    return tuple(RAMP[round(index * last / (count - 1))] for index in range(count))


def span(values: Sequence[float]) -> tuple[float, float]:
    """Lowest and highest value, half a unit apart from the only one; 0 to 1 without any."""
    low, high = (min(values), max(values)) if len(values) else (0.0, 1.0)
    return (low, high) if high > low else (low - 0.5, high + 0.5)


def room(names: Iterable[str]) -> int:
    """The width that names at the side leave to a plot."""
    longest = max(40, *(min(LABEL, 7 * len(name)) for name in names), 0)
    return max(NARROW, WIDTH + 40 - longest)


def figure_point(figure: Measured | None) -> Spec:
    """A figure and the ends of its interval; null where there is none."""
    if figure is None:
        return {"value": None, "low": None, "high": None}
    low, high = figure.interval
    return {"value": nullable(figure.estimate), "low": nullable(low), "high": nullable(high)}


def quantity(field: str, title: str | None = None, **options: Any) -> Spec:
    """The encoding of a number: its field, the title of its axis, its scale and axis."""
    return {"field": field, "type": "quantitative", "title": title, **options}


def names_down(names: Iterable[str], **options: Any) -> Spec:
    """The encoding of the field `name`, whose values stand below each other at the side."""
    axis = {"labelLimit": LABEL, **options.pop("axis", {})}
    sort = list(names)
    return {
        "field": "name",
        "type": "nominal",
        "title": None,
        "sort": sort,
        "axis": axis,
        **options,
    }


def colours(field: str, names: Iterable[str], palette: Sequence[str], **legend: Any) -> Spec:
    """The encoding of a colour a name, with a legend below; colours come again beyond the last."""
    domain = list(names)
    wide = max((len(name) for name in domain), default=1)
    columns = max(1, min(len(domain), 330 // (30 + 7 * wide)))  # that fit beside each other
    return {
        "field": field,
        "type": "nominal",
        "sort": domain,
        "scale": {
            "domain": domain,
            "range": [palette[place % len(palette)] for place in range(len(domain))],
        },
        "legend": {"orient": "bottom", "title": None, "columns": columns, **legend},
    }


def layer(mark: Spec, data: Iterable[Spec] | None = None, **encoding: Any) -> Spec:
    """A layer of a chart, with data of its own where it has them."""
    drawn = {"mark": mark, "encoding": encoding}
    return drawn if data is None else {"data": {"values": list(data)}, **drawn}


def line_at(marks: Mapping[str, float], x: Spec, *, named: bool = True) -> list[Spec]:
    """A dashed line for each mark, its name and value above the plot on a row of its own."""
    layers: list[Spec] = []
    for row, (name, value) in enumerate(marks.items()):
        points = [{"value": value, "name": f"{name} {value:.3g}"}]
        place = {**x, "field": "value"}
        words = {"type": "text", "y": -8 - _ROW * row, "fontSize": 11, "color": INK["ink"]}
        layers.append(layer({"type": "rule", "color": INK["ink"], **DASHED}, points, x=place))
        if named:
            layers.append(layer(words, points, x=place, text={"field": "name"}))
    return layers


def diagonal(x: Spec, y: Spec, *ends: tuple[float, float]) -> Spec:
    """A dashed line through points, such as where both axes have the same value."""
    mark = {"type": "line", "color": INK["muted"], **DASHED}
    return layer(mark, [{"x": a, "y": b} for a, b in ends], x=x, y=y)
