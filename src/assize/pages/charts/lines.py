"""Curves with their intervals."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from assize.pages.charts.parts import WIDTH, colours, diagonal, layer, quantity
from assize.pages.drawing import SERIES, Spec
from assize.results import Mean
from assize.results.numbers import Measured
from assize.stats._estimate import nullable

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


def reliability(diagram: Calibration, *, x_title: str, y_title: str) -> Spec:
    """A reliability diagram, where predictions lie, with the line of perfect calibration."""
    import numpy as np

    seen = diagram.density > SEEN
    columns = (diagram.curve, diagram.low, diagram.high)
    curve = Curve(diagram.at.tolist(), *(np.where(seen, c, np.nan).tolist() for c in columns))
    scale = {"domain": [0, 1], "nice": False, "clamp": True}
    x, y = quantity("x", x_title, scale=scale), quantity("y", y_title, scale=scale)
    area = {"type": "area", "color": SERIES[0], "opacity": 0.2}
    return {
        "description": f"{y_title} against {x_title}, with its interval.",
        "width": 300,
        "height": 300,
        "data": {"values": curve.points()},
        "layer": [
            diagonal(x, y, (0, 0), (1, 1)),
            layer(area, x=x, y={**y, "field": "low"}, y2={"field": "high"}),
            layer({"type": "line", "color": SERIES[0], "strokeWidth": 2}, x=x, y=y),
        ],
    }


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
    points = [{"name": name, **one} for name, curve in named.items() for one in curve.points()]
    y = quantity("y", y_title, scale={"zero": zero})
    line = {"type": "line", "strokeWidth": 2, "point": {"size": 30} if dots else False}
    area = {"type": "area", "opacity": 0.15}
    return {
        "description": f"{y_title} against {x_title} of {', '.join(named)}, with intervals.",
        "width": WIDTH,
        "height": 260,
        "data": {"values": points},
        "encoding": {
            "x": quantity("x", x_title, scale={"zero": False, "nice": False}),
            "color": colours("name", named, SERIES, symbolOpacity=1, symbolType="stroke"),
        },
        "layer": [
            layer(area, y={**y, "field": "low"}, y2={"field": "high"}),
            layer(line, y=y),
        ],
    }
