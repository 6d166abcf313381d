"""What a comparison found as tables, for a terminal, a page and a notebook."""

from __future__ import annotations

import math
from collections.abc import Sequence

from assize.results import Column, Mean, ResultTable, columns
from assize.results.numbers import counted
from assize.studies.compare_methods import MethodTable
from assize.studies.learning_curve import Point
from assize.studies.measures import MEASURES, counts


def figures_table(
    found: MethodTable, base: str = "", loss: str = "squared error", title: str = ""
) -> ResultTable:
    """Every method with every measure that any has, by group; `p` is against `base`."""
    against, rows = found.against(base, loss), []
    for row in found.rows:
        figures = found.figures[row.name]
        n, missing = counts(figures)
        each = (figures[name] for name in found.measured)
        p = against.get(row.name, math.nan)
        rows.append((row.group, row.name, *each, n, missing or None, p))
    named = columns("words", "group", "method")
    named += columns("number", *(one.short for one in found.measured.values()), ends="page")
    named += columns("count", "n", "unscored") + columns("p", "p")
    notes = [
        "± is the deviation over seeds, [] the 95% interval over items at one seed, where they"
        " are shown."
    ]
    if base:
        each_loss = {"squared error": "squared errors", "log loss": "log losses"}.get(loss, loss)
        notes.append(
            f"p: {each_loss} against those of `{base}`, flipped item by item, Holm-corrected."
        )
    return ResultTable(title or found.name, named, rows, notes, grouped=True)


def gaps_table(found: MethodTable, others: Sequence[str], loss: str) -> ResultTable:
    """Every method's mean loss less that of each of `others`, with the p-value of all pairs."""
    gaps = [found.gaps(other, loss) for other in others]
    none = (math.nan, math.nan)
    rows = [
        (row.name, *(value for one in gaps for value in one.get(row.name, none)))
        for row in found.rows
        if any(row.name in one for one in gaps)
    ]
    named = [Column("method")]
    for other in others:
        named += columns("number", f"less {other}", signed=True) + columns("p", "p")
    note = (
        "Mean loss less that of another method: below 0 is better. p: paired permutation tests,"
        " flipped item by item, after Holm's correction over all pairs of methods; --json has"
        " every pair."
    )
    return ResultTable(f"By {loss}", named, rows, [note])


def curve_table(points: Sequence[Point], unit: str = "row") -> ResultTable:
    """The learning curve: mean and 5-95% of the subsamples, (n) where not all gave a figure."""
    names, rows = curve_measures(points), []
    for point in points:
        spreads = [point.measures[name] for name in names]
        few = [one.n if one.n < point.subsamples else None for one in spreads]
        means = [
            Mean(one.mean, (one.low, one.high), n=n) for one, n in zip(spreads, few, strict=True)
        ]
        rows.append((point.method, point.rows, *means))
    titles = (MEASURES[name].title if name in MEASURES else name for name in names)
    named = columns("words", "method") + columns("count", f"{unit}s")
    named += columns("number", *titles, counted=True)
    notes = ["[]: 5-95% of the subsamples.", *filter(None, [_alike(points, unit)])]
    return ResultTable("Learning curve", named, rows, notes, grouped=True)


def curve_measures(points: Sequence[Point]) -> list[str]:
    """The measures that any point of a learning curve has."""
    return [
        name
        for name in (points[0].measures if points else ())
        if any(not math.isnan(one.measures[name].mean) for one in points)
    ]


def _alike(points: Sequence[Point], unit: str) -> str:
    """Where subsamples are the same again, in words; "" where all differ."""
    found = {
        one.rows: f"{one.distinct} at {counted(one.rows, unit)}"
        for one in points
        if one.distinct < one.subsamples
    }
    if not found:
        return ""
    return (
        f"Of the {points[0].subsamples} subsamples, not all are different:"
        f" {', '.join(found.values())}. Their spread is less than that of new {unit}s."
    )
