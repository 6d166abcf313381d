"""The page of `assize calibrate compare`: sets of conversations and their differences."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from markupsafe import Markup

from assize.calibration.comparing import Compared, Spread
from assize.formats.files import Location
from assize.report import charts, page
from assize.report.page import Section
from assize.stats import Estimate


def write_sets(path: Location, compared: Compared, *, reproduce: Sequence[str] = ()) -> int:
    """Writes the page; returns its size in bytes."""
    header, rows = set_rows(compared)
    note = "Means over conversations and raters, with 95% intervals from resampling."
    sets = page.table("Predicted answers", header, map(_cells, rows), note=note)
    sections = [Section("Sets", page.join(sets, _densities(compared)))]
    header, rows = gap_rows(compared)
    if rows:
        note = (
            "Second less first. Shared: conversations in both, drawn together."
            " Not corrected for the number of pairs."
        )
        table = page.table("Differences", header, map(_cells, rows), note=note)
        sections.append(Section("Differences", table))
    return page.write_page(
        path, "Sets of conversations", sections, signature=compared.signature,
        subtitle=f"{compared.scale.id}, predicted", reproduce=reproduce,
    )  # fmt: skip


def _cells(row: Sequence[str]) -> list[str | Markup]:
    """A name, and figures with their intervals below them."""
    name, *figures = row
    return [name, *(page.two_lines(*one.partition("\n")[::2]) for one in figures)]


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


def set_rows(compared: Compared) -> tuple[list[str], list[list[str]]]:
    """Header and a row a set: mean, and the share of each answer in percent."""
    answers = compared.scale.question.answers
    header = ["set", "n", "unscored", "mean", *(f"% {answer}" for answer in answers)]
    rows = []
    for name, one in compared.sets.items():
        first = one.shares[0]
        shares = [_shown(each, 100) for each in one.shares]
        rows.append([name, f"{first.n:,}", f"{first.unscored:,}", _mean(one), *shares])
    return header, rows


def gap_rows(compared: Compared) -> tuple[list[str], list[list[str]]]:
    """Header and a row a pair: differences of means and of P(answer <= k) in percent."""
    scale = compared.scale
    rising = [scale.question.answers[k] for k in np.argsort(scale.values, kind="stable")]
    steps = [f"% <= {k}" for k in rising[:-1]]
    if not scale.ordered:
        steps = [f"% {k}" for k in scale.question.answers]
    rows = []
    for gap in compared.gaps:
        each = gap.spread.at_most if scale.ordered else gap.spread.shares
        shown = [_shown(one, 100) for one in each]
        pair = f"{gap.second} - {gap.first}"
        rows.append([pair, f"{gap.shared:,}", _mean(gap.spread), *shown])
    return ["difference", "shared", "mean", *steps], rows


def _mean(one: Spread) -> str:
    return "-" if one.mean is None else _shown(one.mean, 1)


def _shown(one: Estimate, times: int) -> str:
    """The figure, and its interval on the next line."""
    digits, coarse = (2, 2) if times == 1 else (1, 0)
    low, high = (_rounded(times * end, coarse) for end in one.interval)
    ends = "" if np.isnan(one.interval[0]) else f"\n{low}..{high}"
    return f"{_rounded(times * one.estimate, digits)}{ends}"


def _rounded(value: float, digits: int) -> str:
    """So many decimals; what rounds to nothing has no sign."""
    return f"{round(value, digits) + 0.0:.{digits}f}"
