"""The page of `assize calibrate compare`: sets of conversations and their differences."""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup

from assize.calibration.prediction.compare_systems import Compared
from assize.formats.files import Location
from assize.pages import charts, page
from assize.pages.page import Section


def write_sets(path: Location, compared: Compared, *, reproduce: Sequence[str] = ()) -> int:
    """Writes the page; returns its size in bytes."""
    tables = compared.tables
    sections = [Section("Sets", page.join(page.table(tables["sets"]), _densities(compared)))]
    if "differences" in tables:
        sections.append(Section("Differences", page.table(tables["differences"])))
    return page.write_page(
        path,
        "Sets of conversations",
        sections,
        signature=compared.signature,
        subtitle=f"{compared.scale.id}, predicted",
        reproduce=reproduce,
    )


def _densities(compared: Compared) -> Markup:
    names = list(compared.densities)
    most = len(charts.SERIES)
    drawn = [
        _density(compared, names[start : start + most]) for start in range(0, len(names), most)
    ]
    return page.figures(*drawn) if drawn else page.EMPTY


def _density(compared: Compared, names: Sequence[str]) -> Markup:
    """The densities of a few sets on the same axes."""
    drawn = {
        name: charts.Curve(*(column.tolist() for column in (one.at, one.curve, one.low, one.high)))
        for name, one in compared.densities.items()
        if name in names
    }
    spec = charts.curves(
        drawn, x_title=f"expected {compared.scale.id}", y_title="density", zero=True
    )
    counted = ", ".join(f"{name} ({compared.sets[name].shares[0].n:,})" for name in names)
    return page.figure(spec, f"Of conversations or turns, averaged over raters: {counted}.")
