"""How values are spread: histograms, and pairs of values as points."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from assize.pages.charts.parts import WIDTH, diagonal, layer, line_at, quantity, span
from assize.pages.drawing import SERIES, Spec

POINTS = 1000


def histogram(
    values: Sequence[float],
    *,
    title: str,
    range: tuple[float, float] | None = None,
    marks: Mapping[str, float],
    unit: str,
) -> Spec:
    """How many values fall into each of 20 equal bins.

    Args:
        values: finite numbers; the spec holds only the counts, so any number of them.
        range: lowest and highest value of the axis, widened where values lie beyond;
            that of the values when None. The last bin holds its upper edge.
        marks: vertical lines by name, for instance thresholds or the mean.
    """
    low, high = span(values if range is None else [*range, *values])
    x = quantity("from", title, scale={"domain": [low, high]})
    bars = count_bars(binned(values, low, high), x, unit)
    return {
        "description": f"Histogram of {title}: {len(values)} {unit} from {low:g} to {high:g}.",
        "width": WIDTH,
        "height": 180,
        "layer": [bars, *line_at(marks, x)],
    }


def count_bars(
    data: Sequence[Spec], x: Spec, unit: str, colour: str = SERIES[0], axis: Spec | None = None
) -> Spec:
    """Bars from `from` to `to`, as high as `n`; there are no halves on an axis of counts.

    Args:
        unit: what is counted.
        axis: further options of the axis below.
    """
    most = max((one["n"] for one in data), default=0)
    whole = {"tickMinStep": 1, "tickCount": min(5, max(int(most), 1)), "format": ",d"}
    return layer(
        {"type": "bar", "color": colour, "binSpacing": 1},
        data,
        x={**x, "field": "from", "bin": {"binned": True}, "axis": {"grid": False} | (axis or {})},
        x2={"field": "to"},
        y=quantity("n", unit, axis=whole),
    )


def binned(values: Sequence[float], low: float, high: float, bins: int = 20) -> list[Spec]:
    """How many values lie in each of equal bins; the last holds its upper edge."""
    import numpy as np

    counts, edges = np.histogram(np.asarray(values, dtype=float), bins=bins, range=(low, high))
    return [
        {"from": float(a), "to": float(b), "n": int(n)}
        for a, b, n in zip(edges[:-1], edges[1:], counts, strict=True)
    ]


def scatter(
    x: Sequence[float],
    y: Sequence[float],
    *,
    x_title: str,
    y_title: str,
    range: tuple[float, float] | None = None,
) -> Spec:
    """One point a pair of values, with histograms along both sides; a line where both are equal.

    Args:
        x, y: (items N,) finite, of equal length; more than 1,000 points are thinned evenly
            for drawing, and the description says so (the histograms count all of them).
        range: of both axes; None takes what the values span.
    """
    low, high = span([*x, *y]) if range is None else range
    step = max(1, -(-len(x) // POINTS))
    points = [{"x": a, "y": b} for a, b in list(zip(x, y, strict=True))[::step]]
    thinned = f" Every {step}th of {len(x)} points is drawn." if step > 1 else ""
    scale = {"domain": [low, high], "nice": False}
    across, up = quantity("x", x_title, scale=scale), quantity("y", y_title, scale=scale)
    dot = {"type": "circle", "color": SERIES[0], "opacity": 0.45, "size": 30}
    layers = [diagonal(across, up, (low, low), (high, high)), layer(dot, points, x=across, y=up)]
    main: Spec = {"width": 280, "height": 280, "layer": layers}
    top, side = _marginal(x, low, high, "x"), _marginal(y, low, high, "y")
    return {
        "description": f"Scatter of {y_title} against {x_title}, {len(x)} points.{thinned}",
        "spacing": 6,
        "vconcat": [top, {"spacing": 6, "hconcat": [main, side]}],
    }


def _marginal(values: Sequence[float], low: float, high: float, along: str) -> Spec:
    across = "y" if along == "x" else "x"
    bins: Spec = {"bin": {"binned": True}, "axis": None, "scale": {"domain": [low, high]}}
    encoding = {
        along: quantity("from", **bins),
        f"{along}2": {"field": "to"},
        across: quantity("n", axis=None),
    }
    size = {"width": 280, "height": 40} if along == "x" else {"width": 40, "height": 280}
    mark = {"type": "bar", "color": SERIES[0], "opacity": 0.6, "binSpacing": 1}
    return {**size, **layer(mark, binned(values, low, high), **encoding)}
