"""Scores with a threshold and an open window: precision by threshold, and classes below each other.

Blue stands for good and orange for bad throughout; the part of the axis that is left open is
shaded, and the threshold is a dashed line.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from assize.pages.charts.distributions import binned, whole
from assize.pages.charts.parts import WIDTH, span
from assize.pages.drawing import INK, SERIES, Spec
from assize.stats.estimate import nullable

GOOD, BAD, UNKNOWN = SERIES[0], SERIES[1], SERIES[5]
BINS = 40
MOST_STEPS = 1000  # beyond which values are as good as continuous
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


def precision_curves(
    thresholds: Sequence[float],
    curves: Mapping[str, tuple[Sequence[float], Sequence[float]]],
    *,
    cuts: Cuts,
    precision: float | None = None,
    x_title: str = "threshold of NetSAT",
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
    at = _across(ends, x_title)
    up: Spec = {
        "field": "y",
        "type": "quantitative",
        "title": "precision",
        "scale": {"domain": [0, 1]},
        "axis": {"format": "%", "tickCount": 5},
    }
    lines: Spec = {
        "data": {"values": data},
        "mark": {"type": "line", "strokeWidth": 2},
        "encoding": {
            "x": {**at, "field": "x"},
            "y": up,
            "color": _legend(list(curves)),
            "strokeDash": {
                "field": "fitted",
                "type": "nominal",
                "legend": None,
                "scale": {"domain": [False, True], "range": [[1, 0], [5, 4]]},
            },
        },
    }
    wanted: Spec = {
        "data": {"values": [{"y": precision}]},
        "mark": {"type": "rule", "color": INK["muted"], "strokeDash": [2, 3]},
        "encoding": {"y": up},
    }
    layers = [*_window(cuts, ends, at), *([] if precision is None else [wanted]), lines]
    return {
        "description": f"Precision against {x_title}: {', '.join(curves)}, with fitted tanh.",
        "width": WIDTH,
        "height": 240,
        "layer": [*layers, *_threshold(cuts, at, named=True)],
    }


def _legend(names: Sequence[str]) -> Spec:
    return {
        "field": "name",
        "type": "nominal",
        "sort": list(names),
        "legend": {"orient": "bottom", "title": None, "symbolType": "stroke", "columns": 2},
        "scale": {"domain": list(names), "range": [GOOD, BAD]},
    }


def class_histograms(
    classes: Mapping[str, tuple[Sequence[float], str]],
    *,
    cuts: Cuts,
    x_title: str = "NetSAT",
    range: tuple[float, float] | None = None,
) -> Spec:
    """How the scores of each class are spread, below each other on one axis.

    Args:
        classes: by name, finite scores, and the colour; one without scores is left out.
        range: of the axis; what the scores span when None.
    """
    shown = {name: one for name, one in classes.items() if len(one[0])}
    every = [float(value) for values, _ in shown.values() for value in values]
    ends, bins = bins_of([*range, *every] if range is not None else every)
    rows = [
        _class(
            f"{name} ({len(values):,})",
            binned(list(values), *ends, bins),
            colour,
            cuts,
            ends,
            x_title=x_title if at == len(shown) - 1 else None,
            named=at == 0,
        )
        for at, (name, (values, colour)) in enumerate(shown.items())
    ]
    told = ", ".join(f"{len(values):,} {name}" for name, (values, _) in shown.items())
    return {
        "description": f"Histograms of {x_title} by class: {told}.",
        "spacing": 8,
        "resolve": {"scale": {"y": "independent"}},
        "vconcat": rows,
    }


def bins_of(values: Sequence[float]) -> tuple[tuple[float, float], int]:
    """Both ends of an axis, and how many bins it is cut into.

    Values that lie on a lattice, such as sums of 0, 2.5, 5, are in the middle of their bins, so
    that no bin is empty for the lattice alone.

    >>> bins_of([0.0, 2.5, 10.0])
    ((-1.25, 11.25), 5)
    """
    import numpy as np

    # Sums of the same answers differ in their last bits.
    different = np.unique(np.round(np.asarray(values, dtype=float), 6))
    if len(different) < 2:
        return span(different.tolist()), 1
    gaps = np.diff(different)
    step = float(gaps.min())
    places = gaps / step
    count = int(np.round(places.sum()))
    if count > MOST_STEPS or not np.allclose(places, np.round(places), atol=1e-3):
        return span(values), BINS
    wide = -(-(count + 1) // BINS)  # steps that a bin is wide
    bins = -(-(count + 1) // wide)
    start = float(different[0]) - step / 2
    return (start, start + bins * wide * step), bins


def _class(
    name: str,
    data: Sequence[Spec],
    colour: str,
    cuts: Cuts,
    ends: tuple[float, float],
    *,
    x_title: str | None,
    named: bool,
) -> Spec:
    """The histogram of a class, its bins counted."""
    at = _across(ends, x_title)
    axis = {"grid": False} if x_title else {"grid": False, "labels": False, "ticks": False}
    bars: Spec = {
        "data": {"values": list(data)},
        "mark": {"type": "bar", "color": colour, "binSpacing": 1},
        "encoding": {
            "x": {**at, "field": "from", "bin": {"binned": True}, "axis": axis},
            "x2": {"field": "to"},
            "y": {"field": "n", "type": "quantitative", "title": name, "axis": whole(data)},
        },
    }
    layers = [*_window(cuts, ends, at), bars, *_threshold(cuts, at, named=named)]
    return {"width": WIDTH, "height": _ROW, "layer": layers}


def _across(ends: tuple[float, float], title: str | None) -> Spec:
    scale = {"domain": list(ends), "nice": False, "zero": False}
    return {"type": "quantitative", "title": title, "scale": scale}


def _window(cuts: Cuts, ends: tuple[float, float], at: Spec) -> list[Spec]:
    """A shaded band where scores are left open."""
    found = cuts.shaded(ends)
    if found is None:
        return []
    return [
        {
            "data": {"values": [{"from": found[0], "to": found[1]}]},
            "mark": {"type": "rect", "color": INK["muted"], "opacity": 0.16},
            "encoding": {"x": {**at, "field": "from"}, "x2": {"field": "to"}},
        }
    ]


def _threshold(cuts: Cuts, at: Spec, *, named: bool) -> list[Spec]:
    """A dashed line, with its value above the plot where it is the uppermost."""
    value = cuts.threshold
    if value is None or not math.isfinite(value):
        return []
    place = {"x": {**at, "field": "value"}}
    data = {"values": [{"value": value, "name": f"threshold {value:.3g}"}]}
    line = {"type": "rule", "color": INK["ink"], "strokeDash": [4, 3], "strokeWidth": 1.5}
    layers: list[Spec] = [{"data": data, "mark": line, "encoding": place}]
    if named:
        words = {"type": "text", "y": -8, "fontSize": 11, "color": INK["ink"]}
        layers.append(
            {"data": data, "mark": words, "encoding": {**place, "text": {"field": "name"}}}
        )
    return layers
