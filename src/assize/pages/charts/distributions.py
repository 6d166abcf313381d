"""How values are spread: histograms, and pairs of values as points."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

from assize.pages.charts.parts import WIDTH, diagonal_line, span
from assize.pages.drawing import INK, SERIES, Spec

POINTS = 1000
MOST_TICKS = 12


def histogram(
    values: Sequence[float],
    *,
    title: str,
    range: tuple[float, float] | None = None,
    bins: int = 20,
    marks: Mapping[str, float] | None = None,
    unit: str = "conversations",
) -> Spec:
    """How many values fall into each of `bins` equal bins.

    Args:
        values: finite numbers; the spec holds only the counts, so any number of them.
        range: lowest and highest value of the axis, widened where values lie beyond;
            that of the values when None. The last bin holds its upper edge.
        marks: vertical lines by name, for instance thresholds or the mean.
    """

    low, high = span(values if range is None else [*range, *values])
    data = binned(values, low, high, bins)
    x: Spec = {"type": "quantitative", "title": title, "scale": {"domain": [low, high]}}
    bars: Spec = {
        "data": {"values": data},
        "mark": {"type": "bar", "color": SERIES[0], "binSpacing": 1},
        "encoding": {
            "x": {"field": "from", **x, "bin": {"binned": True}, "axis": {"grid": False}},
            "x2": {"field": "to"},
            "y": {"field": "n", "type": "quantitative", "title": unit, "axis": whole(data)},
        },
    }
    layers = [bars, *_rules({} if marks is None else marks, x)]
    described = f"Histogram of {title}: {len(values)} {unit} from {low:g} to {high:g}."
    return {"description": described, "width": WIDTH, "height": 180, "layer": layers}


def answered(
    counts: Mapping[float, float],
    *,
    title: str,
    marks: Mapping[str, float] | None = None,
    unit: str = "judgments",
) -> Spec:
    """How often each value was answered: a bar a value, where it stands among the numbers.

    Args:
        counts: by value, at least one.
        marks: vertical lines by name, such as the mean.
    """
    values = sorted(counts)
    near = min((b - a for a, b in pairwise(values)), default=1.0)
    data = [
        {"from": one - 0.42 * near, "to": one + 0.42 * near, "n": counts[one]} for one in values
    ]
    ends = [values[0] - 0.6 * near, values[-1] + 0.6 * near]
    x: Spec = {"type": "quantitative", "title": title, "scale": {"domain": ends}}
    axis: Spec = {"grid": False}
    if len(values) <= MOST_TICKS:
        axis["values"] = values
    bars: Spec = {
        "data": {"values": data},
        "mark": {"type": "rect", "color": SERIES[0]},
        "encoding": {
            "x": {"field": "from", **x, "axis": axis},
            "x2": {"field": "to"},
            "y": {"field": "n", "type": "quantitative", "title": unit, "axis": whole(data)},
            "y2": {"datum": 0},
        },
    }
    layers = [bars, *_rules({} if marks is None else marks, x)]
    total = sum(counts.values())
    described = f"Bars of {title}: {total:,.0f} {unit}, {len(values)} values from {values[0]:g}"
    return {
        "description": f"{described} to {values[-1]:g}.",
        "width": WIDTH,
        "height": 150,
        "layer": layers,
    }


def binned(values: Sequence[float], low: float, high: float, bins: int = 20) -> list[Spec]:
    """How many values lie in each of equal bins; the last holds its upper edge."""
    import numpy as np

    counts, edges = np.histogram(np.asarray(values, dtype=float), bins=bins, range=(low, high))
    return [
        {"from": float(a), "to": float(b), "n": int(n)}
        for a, b, n in zip(edges[:-1], edges[1:], counts, strict=True)
    ]


def whole(data: Sequence[Spec]) -> Spec:
    """An axis of counts, of which there are no halves."""
    most = max((one["n"] for one in data), default=0)
    return {"tickMinStep": 1, "tickCount": min(5, max(int(most), 1)), "format": ",d"}


def _rules(marks: Mapping[str, float], x: Spec) -> list[Spec]:
    """A dashed line for each mark, its name above the plot on a row of its own."""
    layers: list[Spec] = []
    for row, (name, value) in enumerate(marks.items()):
        data = {"values": [{"value": value, "name": f"{name} {value:.3g}"}]}
        place = {"x": {**x, "field": "value"}}
        line = {"type": "rule", "color": INK["ink"], "strokeDash": [4, 3], "strokeWidth": 1.5}
        words = {"type": "text", "y": -8 - 15 * row, "fontSize": 11, "color": INK["ink"]}
        layers.append({"data": data, "mark": line, "encoding": place})
        layers.append(
            {"data": data, "mark": words, "encoding": {**place, "text": {"field": "name"}}}
        )
    return layers


def scatter(
    x: Sequence[float],
    y: Sequence[float],
    *,
    x_title: str,
    y_title: str,
    range: tuple[float, float] | None = None,
    marginals: bool = True,
    diagonal: bool = True,
) -> Spec:
    """One point a pair of values, with histograms along both sides.

    Args:
        x, y: (items N,) finite, of equal length; more than 1,000 points are thinned evenly
            for drawing, and the description says so (the histograms count all of them).
        range: of both axes; None takes what the values span.
        diagonal: a line where both are equal.
    """
    low, high = span([*x, *y]) if range is None else range
    step = max(1, -(-len(x) // POINTS))
    points = [{"x": a, "y": b} for a, b in list(zip(x, y, strict=True))[::step]]
    thinned = f" Every {step}th of {len(x)} points is drawn." if step > 1 else ""
    scale = {"domain": [low, high], "nice": False}
    layers: list[Spec] = [
        {
            "data": {"values": points},
            "mark": {"type": "circle", "color": SERIES[0], "opacity": 0.45, "size": 30},
            "encoding": {
                "x": {"field": "x", "type": "quantitative", "title": x_title, "scale": scale},
                "y": {"field": "y", "type": "quantitative", "title": y_title, "scale": scale},
            },
        }
    ]
    if diagonal:
        layers.insert(0, diagonal_line((low, high), scale, x_title, y_title))
    main: Spec = {"width": 280, "height": 280, "layer": layers}
    described = f"Scatter of {y_title} against {x_title}, {len(x)} points.{thinned}"
    if not marginals:
        return {"description": described, **main}
    top = _marginal(x, low, high, "x")
    side = _marginal(y, low, high, "y")
    rows = [top, {"spacing": 6, "hconcat": [main, side]}]
    return {"description": described, "spacing": 6, "vconcat": rows}


def _marginal(values: Sequence[float], low: float, high: float, along: str) -> Spec:

    data = binned(values, low, high)
    across = "y" if along == "x" else "x"
    place: Spec = {"field": "from", "type": "quantitative", "bin": {"binned": True}, "axis": None}
    encoding = {
        along: {**place, "scale": {"domain": [low, high]}},
        f"{along}2": {"field": "to"},
        across: {"field": "n", "type": "quantitative", "axis": None},
    }
    size = {"width": 280, "height": 40} if along == "x" else {"width": 40, "height": 280}
    mark = {"type": "bar", "color": SERIES[0], "opacity": 0.6, "binSpacing": 1}
    return {**size, "data": {"values": data}, "mark": mark, "encoding": encoding}
