"""What several kinds of charts share: sizes, axes, colours in order."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from assize.pages.drawing import INK, RAMP, Spec
from assize.results.numbers import Measured
from assize.stats.estimate import nullable

WIDTH = 400
LABEL = 200


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
    return WIDTH + 40 - max(40, *(min(LABEL, 7 * len(name)) for name in names), 0)


def figure_point(figure: Measured | None) -> Spec:
    """A figure and the ends of its interval; null where there is none."""
    if figure is None:
        return {"value": None, "low": None, "high": None}
    low, high = figure.interval
    return {"value": nullable(figure.estimate), "low": nullable(low), "high": nullable(high)}


def diagonal_line(ends: tuple[float, float], scale: Spec, x_title: str, y_title: str) -> Spec:
    """A dashed layer where both axes, of the same scale, have the same value."""
    place = {"type": "quantitative", "scale": scale}
    return {
        "data": {"values": [{"x": end, "y": end} for end in ends]},
        "mark": {"type": "line", "color": INK["muted"], "strokeDash": [4, 3], "strokeWidth": 1.5},
        "encoding": {
            "x": {"field": "x", "title": x_title, **place},
            "y": {"field": "y", "title": y_title, **place},
        },
    }
