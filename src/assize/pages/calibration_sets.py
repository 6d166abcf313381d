"""Charts of `assize calibrate compare`: densities of the expected scores of sets."""

from __future__ import annotations

from collections.abc import Sequence

from assize.calibrate._prediction.compare_systems import Compared
from assize.pages import charts
from assize.pages.drawing import Spec
from assize.pages.result_page import Charts


def draw_sets(compared: Compared) -> Charts:
    """Return the densities of the sets, as many on the same axes as there are colours."""
    names, most = list(compared.densities), len(charts.SERIES)
    starts = range(0, len(names), most)
    return {"sets": [_draw_densities(compared, names[start : start + most]) for start in starts]}


def _draw_densities(compared: Compared, names: Sequence[str]) -> tuple[Spec, str]:
    curves = {}
    for name in names:
        one = compared.densities[name]
        columns = (one.at, one.curve, one.low, one.high)
        curves[name] = charts.Curve(*(column.tolist() for column in columns))
    title = f"expected {compared.target}"
    spec = charts.curves(curves, x_title=title, y_title="density", zero=True)
    counts = ", ".join(f"{name} ({compared.sets[name].n:,})" for name in names)
    return spec, f"Of conversations or turns, averaged over raters: {counts}."
