"""Scores with a threshold and an open window: precision by threshold, and classes below each other.

Blue stands for good and orange for bad throughout; the part of the axis that is left open is
shaded, and the threshold is a dashed line.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from assize.pages.charts.distributions import binned, count_bars
from assize.pages.charts.parts import WIDTH, colours, layer, line_at, quantity, span
from assize.pages.drawing import INK, SERIES, Spec
from assize.stats._estimate import nullable

GOOD, BAD, UNKNOWN = SERIES[0], SERIES[1], SERIES[5]
BINS = 40
_ROW = 84  # pixels of a class


@dataclass(frozen=True, slots=True)
class Cuts:
    """Where scores become labels.

    Args:
        threshold: above it a score is good; None draws none.
        low, high: between them scores are left open; -inf and inf where no score can be labelled
            bad, or good. None where there is no window.
    """

    threshold: float | None = None
    low: float | None = None
    high: float | None = None

    def shaded(self, ends: tuple[float, float]) -> tuple[float, float] | None:
        """The open part of an axis; None where nothing is left open."""
        if self.low is None or self.high is None:
            return None
        low, high = max(self.low, ends[0]), min(self.high, ends[1])
        return (low, high) if low < high else None

    def window(self, ends: tuple[float, float], x: Spec) -> list[Spec]:
        """A shaded band where scores are left open."""
        open_part = self.shaded(ends)
        if open_part is None:
            return []
        low, high = open_part
        band = {"type": "rect", "color": INK["muted"], "opacity": 0.16}
        between = {"x": {**x, "field": "from"}, "x2": {"field": "to"}}
        return [layer(band, [{"from": low, "to": high}], **between)]

    def line(self, x: Spec, *, named: bool = True) -> list[Spec]:
        """A dashed line, with its value above the plot where it is the uppermost."""
        if self.threshold is None or not math.isfinite(self.threshold):
            return []
        return line_at({"threshold": self.threshold}, x, named=named)


def precision_curves(
    thresholds: Sequence[float],
    curves: Mapping[str, tuple[Sequence[float], Sequence[float]]],
    *,
    cuts: Cuts,
    precision: float | None = None,
) -> Spec:
    """Precision by threshold (solid), each curve with the shape fitted to it (dashed).

    Args:
        thresholds: (points P,) rising.
        curves: by name, first that of good and then that of bad: precision (P,) and its fitted
            shape (P,), from 0 to 1; NaN breaks the line.
        precision: that is wanted, a line across.
    """
    ends = span([float(one) for one in thresholds])
    data = [
        {"x": float(x), "y": nullable(y), "name": name, "fitted": fitted}
        for name, both in curves.items()
        for fitted, values in zip((False, True), both, strict=True)
        for x, y in zip(thresholds, values, strict=True)
    ]
    x = _across(ends, "threshold of NetSAT")
    percent = {"format": "%", "tickCount": 5}
    y = quantity("y", "precision", scale={"domain": [0, 1]}, axis=percent)
    dashes = {"domain": [False, True], "range": [[1, 0], [5, 4]]}
    lines = layer(
        {"type": "line", "strokeWidth": 2},
        data,
        x=x,
        y=y,
        color=colours("name", curves, (GOOD, BAD), symbolType="stroke"),
        strokeDash={"field": "fitted", "type": "nominal", "legend": None, "scale": dashes},
    )
    rule = {"type": "rule", "color": INK["muted"], "strokeDash": [2, 3]}
    wanted = [] if precision is None else [layer(rule, [{"y": precision}], y=y)]
    return {
        "description": f"Precision by threshold of NetSAT: {', '.join(curves)}, with fitted tanh.",
        "width": WIDTH,
        "height": 240,
        "layer": [*cuts.window(ends, x), *wanted, lines, *cuts.line(x)],
    }


def class_histograms(classes: Mapping[str, tuple[Sequence[float], str]], *, cuts: Cuts) -> Spec:
    """How the NetSAT of each class is spread, below each other on one axis.

    Args:
        classes: by name, finite scores, and the colour; one without scores is left out.
    """
    known = {name: one for name, one in classes.items() if len(one[0])}
    ends = span([float(value) for values, _ in known.values() for value in values])
    last = len(known) - 1
    rows = []
    for place, (name, (values, colour)) in enumerate(known.items()):
        x = _across(ends, "NetSAT" if place == last else None)
        axis = {} if place == last else {"labels": False, "ticks": False}
        title = f"{name} ({len(values):,})"
        bars = count_bars(binned(values, *ends, BINS), x, title, colour, axis)
        layers = [*cuts.window(ends, x), bars, *cuts.line(x, named=place == 0)]
        rows.append({"width": WIDTH, "height": _ROW, "layer": layers})
    told = ", ".join(f"{len(values):,} {name}" for name, (values, _) in known.items())
    return {
        "description": f"Histograms of NetSAT by class: {told}.",
        "spacing": 8,
        "resolve": {"scale": {"y": "independent"}},
        "vconcat": rows,
    }


def _across(ends: tuple[float, float], title: str | None) -> Spec:
    return quantity("x", title, scale={"domain": list(ends), "nice": False, "zero": False})
