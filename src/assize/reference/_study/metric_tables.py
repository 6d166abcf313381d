"""Tables of metrics in the shape of UPHELD's tables 3 and 9-11: data sets stand side by side."""

from __future__ import annotations

import math
from collections.abc import Sequence

from assize.reference._ratings import UNITS, Unit
from assize.reference._study.association import SHORT, MetricFigures
from assize.reference._study.ensembles import BEST, OTHERS
from assize.reference._study.reading import GROUPS
from assize.results import Column, Mean, ResultTable
from assize.results.columns import Cell

MAIN = ("best", "metrics ", "gains", "controls", "kept", "sources")
"""How the names of those tables begin that a terminal shows; a page shows all."""

_UNITS: dict[Unit, str] = {"ratings": "every rating", "items": "mean of an item"}
_NOTE = (
    "The figure is chosen by the metric's scale: r Pearson (numbers), V Cramer's without"
    " correction (answers in order; of items against their mode), pb point-biserial (yes and"
    " no), phi the same against ratings of two values. On all rows; below it the 95% interval,"
    " clustered by conversation."
)


def metric_tables(
    figures: Sequence[MetricFigures],
    targets: Sequence[str],
    train: str | None,
    notes: Sequence[str],
    *,
    simulated: bool,
) -> dict[str, ResultTable]:
    """Return `metrics TARGET` for each target, with both units of a single data set.

    Where there are several data sets, `items TARGET` has the means of items.
    """
    tables = {}
    for target in targets:
        rows = [row for row in figures if row.target == target]
        sets = list(dict.fromkeys(row.data for row in rows))
        marked = f"{target} (simulated)" if simulated and len(sets) == 1 else target
        units: Sequence[Unit] = UNITS if len(sets) == 1 else ("ratings",)
        tables[f"metrics {target}"] = metric_table(marked, rows, units, train, notes)
        if len(sets) > 1:
            tables[f"items {target}"] = metric_table(marked, rows, ("items",), train, notes)
    return tables


def metric_table(
    target: str,
    figures: Sequence[MetricFigures],
    units: Sequence[Unit],
    train: str | None,
    notes: Sequence[str],
) -> ResultTable:
    """Return metrics and ensembles down, data sets (or units) across."""
    sets = list(dict.fromkeys(row.data for row in figures))
    across = [(data, unit) for data in sets for unit in units]
    headings = ensemble_headings(sets, train)
    rows: dict[tuple[str, str], dict[tuple[str | None, Unit], MetricFigures]] = {}
    for figure in figures:
        for group in groups_of(figure, train):
            rows.setdefault((group, figure.metric), {})[figure.data, figure.unit] = figure
    order = [*GROUPS, *headings]
    cells = [
        (
            headings.get(group, group),
            metric,
            "/".join(sorted({SHORT[cell.statistic] for cell in by_set.values()})),
            *(figure_cell(by_set.get(place)) for place in across),
        )
        for (group, metric), by_set in sorted(
            rows.items(), key=lambda row: (order.index(row[0][0]), row[0][1] != BEST)
        )
        if group in order
    ]
    names = [_UNITS[unit] if len(units) > 1 else str(data) for data, unit in across]
    columns = [Column("group"), Column("metric"), Column("figure")]
    columns += [Column(name, "number", 3, ends="below", coarse=2) for name in names]
    where = f": {_UNITS[units[0]]}" if len(units) == 1 else ""
    title = f"Agreement with people on {target}{where}"
    return ResultTable(title, columns, cells, notes, grouped=True)


def ensemble_headings(sets: Sequence[str | None], train: str | None) -> dict[str, str]:
    """Return the headings of ensembles by what they are fitted on: `own`, `train`, `others`."""
    if len(sets) == 1:
        return {"own": "Ensembles, cross-validated"}
    own = {"own": "Ensembles trained on each data set, cross-validated"}
    first = {"train": f"Ensembles trained on {train}"} if train else {}
    return {**first, **own, "others": "Ensembles trained on the other data sets"}


def groups_of(figure: MetricFigures, train: str | None) -> list[str]:
    """Return the groups of rows in which a figure stands."""
    if figure.trained_on is None:
        return [figure.group]
    groups = {
        "own": figure.cross_validated,
        "train": figure.trained_on == train,
        "others": figure.trained_on == OTHERS,
    }
    return [group for group, holds in groups.items() if holds]


def figure_cell(figure: MetricFigures | None) -> Cell:
    """Return a figure with its standard error, or the reason why there is none."""
    if figure is None:
        return None
    own = figure.figure
    if math.isnan(own.estimate):
        return own.reason or math.nan
    return Mean(own.estimate, own.interval, figure.standard_error)


def describe_figures(
    learners: Sequence[str], train: str | None, unit: Unit, folds: int
) -> list[str]:
    """Return what stands below the tables of metrics."""
    notes = [
        _NOTE,
        f"±: standard error of the mean of the figures of {folds} folds of conversations,"
        " which is their standard deviation over the root of their number. V is larger in a fold"
        " than on all rows, since fewer rows raise it.",
    ]
    if learners:
        rows = "ratings" if unit == "ratings" else "item means"
        more = " Elsewhere they are of one fit on all of that data set." if train else ""
        notes.append(
            f"Ensembles are fitted on {rows}; in their own data set predictions are of held-out"
            f" conversations.{more} {BEST}: the one with the largest r where the ensemble is"
            " fitted."
        )
    return notes
