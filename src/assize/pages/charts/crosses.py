"""Points with an interval along both axes, a panel a group."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from assize.pages.charts.parts import colours, diagonal, layer, quantity
from assize.pages.drawing import SERIES, Spec
from assize.stats._estimate import nullable

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
        places = ("x", "y", "left", "right", "low", "high")
        values = map(nullable, (self.x, self.y, *self.x_ends, *self.y_ends))
        return {"name": self.name, **dict(zip(places, values, strict=True))}


def crosses(panels: Mapping[str, Sequence[Cross]], *, x_title: str, y_title: str) -> Spec:
    """Panels of crosses on axes from 0 to 1, for instance sensitivity against specificity.

    On the dashed line x + y is 1, as it is by chance. Up to six names have a colour of their own
    and stand in the legend; of more than six all points have one colour.

    Args:
        panels: points by the panel's title; one panel needs none.
    """
    names = list(dict.fromkeys(one.name for points in panels.values() for one in points))
    several = len(panels) > 1
    drawn = [
        _panel(points, title if several else None, names, x_title, y_title)
        for title, points in panels.items()
    ]
    said = f"{y_title} against {x_title} with intervals, of {', '.join(names)}"
    if not several:
        return {"description": f"{said}.", **drawn[0]}
    rows: list[Spec] = [
        {"hconcat": drawn[at : at + ACROSS], "spacing": 14} for at in range(0, len(drawn), ACROSS)
    ]
    return {"description": f"{said}; panels: {', '.join(panels)}.", "vconcat": rows, "spacing": 14}


def _panel(
    points: Sequence[Cross], title: str | None, names: Sequence[str], x_title: str, y_title: str
) -> Spec:
    options: Spec = {
        "scale": {"domain": [0, 1], "nice": False, "clamp": True},
        "axis": {"values": [0, 0.25, 0.5, 0.75, 1], "format": ".2~f"},
    }
    x, y = quantity("x", x_title, **options), quantity("y", y_title, **options)
    colour: Spec = {"value": SERIES[0]}
    if 2 <= len(names) <= len(SERIES):
        colour = colours("name", names, SERIES, symbolOpacity=1)
    bar = {"type": "rule", "strokeWidth": 1.5, "opacity": 0.45}
    dot = {"type": "circle", "size": 60, "opacity": 0.9}
    size = WIDE if title is None else NARROW
    panel: Spec = {
        "width": size,
        "height": size,
        "data": {"values": [one.point() for one in points]},
        "layer": [
            diagonal(x, y, (0, 1), (1, 0)),
            layer(bar, x={**x, "field": "left"}, x2={"field": "right"}, y=y, color=colour),
            layer(bar, y={**y, "field": "low"}, y2={"field": "high"}, x=x, color=colour),
            layer(dot, x=x, y=y, color=colour),
        ],
    }
    return panel if title is None else {"title": {"text": title, "fontSize": 12}, **panel}
