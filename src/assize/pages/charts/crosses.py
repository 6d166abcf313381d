"""Points with an interval along both axes, a panel a group."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from assize.pages.drawing import INK, SERIES, Spec
from assize.stats.estimate import nullable

ACROSS = 3  # panels in a row
WIDE, NARROW = 300, 150  # pixels of the only panel, and of one of several


@dataclass(frozen=True, slots=True)
class Cross:
    """A point and its intervals.

    Args:
        name: what is told apart by colour.
        x, y: in [0, 1].
        x_ends, y_ends: of the intervals; NaN where there is none.
    """

    name: str
    x: float
    y: float
    x_ends: tuple[float, float]
    y_ends: tuple[float, float]

    def point(self) -> Spec:
        """One object; NaN is null."""
        named = {
            "left": self.x_ends[0],
            "right": self.x_ends[1],
            "low": self.y_ends[0],
            "high": self.y_ends[1],
            "x": self.x,
            "y": self.y,
        }
        return {"name": self.name} | {key: nullable(value) for key, value in named.items()}


def crosses(
    panels: Mapping[str, Sequence[Cross]], *, x_title: str, y_title: str, chance: bool = True
) -> Spec:
    """Panels of crosses on axes from 0 to 1, for instance sensitivity against specificity.

    Args:
        panels: points by the panel's title; one panel needs none.
        chance: a dashed line where x + y is 1.

    Up to six names have a colour of their own and stand in the legend; of more than six all
    points have one colour.
    """
    names = list(dict.fromkeys(one.name for points in panels.values() for one in points))
    several = len(panels) > 1
    drawn = [
        _panel(points, title if several else None, names, x_title, y_title, chance=chance)
        for title, points in panels.items()
    ]
    said = f"{y_title} against {x_title} with intervals, of {', '.join(names)}"
    said += f"; panels: {', '.join(panels)}." if several else "."
    if not several:
        return {"description": said, **drawn[0]}
    rows: list[Spec] = [
        {"hconcat": drawn[at : at + ACROSS], "spacing": 14} for at in range(0, len(drawn), ACROSS)
    ]
    return {"description": said, "vconcat": rows, "spacing": 14}


def _panel(
    points: Sequence[Cross],
    title: str | None,
    names: Sequence[str],
    x_title: str,
    y_title: str,
    *,
    chance: bool,
) -> Spec:
    scale = {"domain": [0, 1], "nice": False, "clamp": True}
    axis = {"values": [0, 0.25, 0.5, 0.75, 1], "format": ".2~f"}
    across: Spec = {"type": "quantitative", "title": x_title, "scale": scale, "axis": axis}
    up: Spec = {"type": "quantitative", "title": y_title, "scale": scale, "axis": axis}
    colour = _colour(names)
    bar = {"type": "rule", "strokeWidth": 1.5, "opacity": 0.45}
    at_x, at_y = {**across, "field": "x"}, {**up, "field": "y"}
    layers: list[Spec] = [
        {
            "mark": bar,
            "encoding": {
                "x": {**across, "field": "left"},
                "x2": {"field": "right"},
                "y": at_y,
                **colour,
            },
        },
        {
            "mark": bar,
            "encoding": {"y": {**up, "field": "low"}, "y2": {"field": "high"}, "x": at_x, **colour},
        },
        {
            "mark": {"type": "circle", "size": 60, "opacity": 0.9},
            "encoding": {"x": at_x, "y": at_y, **colour},
        },
    ]
    if chance:
        layers.insert(
            0,
            {
                "data": {"values": [{"x": 0, "y": 1}, {"x": 1, "y": 0}]},
                "mark": {
                    "type": "line",
                    "color": INK["muted"],
                    "strokeDash": [4, 3],
                    "strokeWidth": 1.5,
                },
                "encoding": {"x": at_x, "y": at_y},
            },
        )
    size = WIDE if title is None else NARROW
    panel: Spec = {
        "width": size,
        "height": size,
        "layer": layers,
        "data": {"values": [one.point() for one in points]},
    }
    return panel if title is None else {"title": {"text": title, "fontSize": 12}, **panel}


def _colour(names: Sequence[str]) -> Spec:
    if len(names) > len(SERIES) or len(names) < 2:
        return {"color": {"value": SERIES[0]}}
    return {
        "color": {
            "field": "name",
            "type": "nominal",
            "scale": {"domain": list(names), "range": list(SERIES[: len(names)])},
            "legend": {"orient": "bottom", "title": None, "symbolOpacity": 1, "columns": 3},
        }
    }
