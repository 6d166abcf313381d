"""Curves with their intervals."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from assize.pages.charts.parts import WIDTH, diagonal_line
from assize.pages.drawing import SERIES, Spec
from assize.results import Mean
from assize.results.numbers import Measured
from assize.stats.estimate import nullable

if TYPE_CHECKING:
    from assize.stats import Calibration

SEEN = 0.02  # density below which a reliability curve means nothing


@dataclass(frozen=True, slots=True)
class Curve:
    """A curve and its band: (points P,) each, in the order of x; NaN breaks the line."""

    x: Sequence[float]
    y: Sequence[float]
    low: Sequence[float]
    high: Sequence[float]

    @classmethod
    def of(cls, x: Iterable[float], figures: Iterable[Measured | None]) -> Curve:
        """A curve through figures with their intervals; it breaks where there is none."""
        known = [Mean(float("nan")) if figure is None else figure for figure in figures]
        low, high = ([figure.interval[end] for figure in known] for end in (0, 1))
        return cls(list(x), [figure.estimate for figure in known], low, high)

    def points(self) -> list[Spec]:
        """One object a point; NaN is null."""
        columns = zip(self.x, self.y, self.low, self.high, strict=True)
        return [
            dict(zip(("x", "y", "low", "high"), map(nullable, each), strict=True))
            for each in columns
        ]


def line_with_band(
    x: Sequence[float],
    y: Sequence[float],
    low: Sequence[float],
    high: Sequence[float],
    *,
    x_title: str,
    y_title: str,
    range: tuple[float, float] = (0.0, 1.0),
) -> Spec:
    """A curve with its interval and the line of perfect calibration: a reliability diagram.

    Args:
        x, y, low, high: (points P,) of equal length, in the order of x; `low` and `high`
            bound y. NaN breaks the line.
        range: of both axes.
    """
    scale = {"domain": list(range), "nice": False, "clamp": True}
    at = {"field": "x", "type": "quantitative", "title": x_title, "scale": scale}
    up = {"type": "quantitative", "title": y_title, "scale": scale}
    layers: list[Spec] = [
        diagonal_line(range, scale, x_title, y_title),
        {
            "mark": {"type": "area", "color": SERIES[0], "opacity": 0.2},
            "encoding": {"x": at, "y": {**up, "field": "low"}, "y2": {"field": "high"}},
        },
        {
            "mark": {"type": "line", "color": SERIES[0], "strokeWidth": 2},
            "encoding": {"x": at, "y": {**up, "field": "y"}},
        },
    ]
    return {
        "description": f"{y_title} against {x_title}, with its interval.",
        "width": 300,
        "height": 300,
        "data": {"values": Curve(x, y, low, high).points()},
        "layer": layers,
    }


def reliability(found: Calibration, *, x_title: str, y_title: str) -> Spec:
    """A reliability diagram, where predictions lie."""
    import numpy as np

    seen = found.density > SEEN
    curve, low, high = (
        np.where(seen, column, np.nan).tolist() for column in (found.curve, found.low, found.high)
    )
    return line_with_band(found.at.tolist(), curve, low, high, x_title=x_title, y_title=y_title)


def curves(
    named: Mapping[str, Curve],
    *,
    x_title: str,
    y_title: str,
    zero: bool = False,
    dots: bool = False,
) -> Spec:
    """Several curves on the same axes, each with its band, for instance densities.

    Args:
        named: the curves by the name that stands in the legend; up to six have a colour of
            their own (`SERIES`), beyond that colours come again.
        zero: whether the y axis starts at 0.
        dots: marks the points of each curve, where they are few.
    """
    palette = [SERIES[place % len(SERIES)] for place in range(len(named))]
    points = [{"name": name, **one} for name, curve in named.items() for one in curve.points()]
    colour = {
        "field": "name",
        "type": "nominal",
        "scale": {"domain": list(named), "range": palette},
        "legend": {"orient": "bottom", "title": None, "symbolOpacity": 1, "symbolType": "stroke"},
    }
    nice = {"zero": False, "nice": False}
    across = {"field": "x", "type": "quantitative", "title": x_title, "scale": nice}
    up = {"type": "quantitative", "title": y_title, "scale": {"zero": zero}}
    line = {"type": "line", "strokeWidth": 2, "point": {"size": 30} if dots else False}
    return {
        "description": f"{y_title} against {x_title} of {', '.join(named)}, with intervals.",
        "width": WIDTH,
        "height": 260,
        "data": {"values": points},
        "encoding": {"x": across, "color": colour},
        "layer": [
            {
                "mark": {"type": "area", "opacity": 0.15},
                "encoding": {"y": {**up, "field": "low"}, "y2": {"field": "high"}},
            },
            {"mark": line, "encoding": {"y": {**up, "field": "y"}}},
        ],
    }
