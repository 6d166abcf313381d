"""The page of `assize calibrate compare`: sets of conversations and their differences."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from markupsafe import Markup

from assize.calibration.data.binning import is_binned
from assize.calibration.prediction.compare_systems import Compared, Spread
from assize.formats.files import Location
from assize.pages import charts, page
from assize.pages.page import Section
from assize.stats import Estimate

MOST = 8  # answers that a table has a column each for; JSON has all


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
    """Header and a row a set: mean, and the share of each answer in percent; of many ordered
    answers P(answer <= k) at the quarters of the scale, of many others the most frequent."""
    scale = compared.scale
    header, shares = _shares(compared)
    if scale.ordered and len(scale) > MOST:
        header, shares = _up_to(compared)
    rows = []
    for name, one in compared.sets.items():
        first = one.shares[0]
        shown = [_shown(each, 100) for each in shares(one)]
        rows.append([name, f"{first.n:,}", f"{first.unscored:,}", _mean(one), *shown])
    return ["set", "n", "unscored", "mean", *header], rows


def gap_rows(compared: Compared) -> tuple[list[str], list[list[str]]]:
    """Header and a row a pair: differences of means and of P(answer <= k) in percent, at the
    quarters of the scale where answers are many."""
    header, figures = _up_to(compared) if compared.scale.ordered else _shares(compared)
    rows = []
    for gap in compared.gaps:
        shown = [_shown(one, 100) for one in figures(gap.spread)]
        pair = f"{gap.second} - {gap.first}"
        rows.append([pair, f"{gap.shared:,}", _mean(gap.spread), *shown])
    return ["difference", "shared", "mean", *header], rows


_Figures = Callable[[Spread], list[Estimate]]


def _shares(compared: Compared) -> tuple[list[str], _Figures]:
    """Names of columns, and what stands in them: shares of the most frequent answers."""
    answers = compared.scale.question.answers
    of_all = [[one.estimate for one in each.shares] for each in compared.sets.values()]
    frequent = np.argsort(-np.nan_to_num(of_all).sum(axis=0), kind="stable")[:MOST]
    places = sorted(frequent.tolist())
    return [f"% {answers[k]}" for k in places], lambda one: [one.shares[k] for k in places]


def _up_to(compared: Compared) -> tuple[list[str], _Figures]:
    """Names of columns, and what stands in them: P(answer <= k) at all steps, or quarters."""
    scale = compared.scale
    rising = [scale.question.answers[k] for k in np.argsort(scale.values, kind="stable")]
    places = list(range(len(rising) - 1))
    if len(rising) > MOST:
        places = [round(part * len(rising)) - 1 for part in (0.25, 0.5, 0.75)]
    names = [rising[k].rpartition(" to ")[2] if is_binned(scale.question) else rising[k]
             for k in places]  # fmt: skip
    return [f"% <= {name}" for name in names], lambda one: [one.at_most[k] for k in places]


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
