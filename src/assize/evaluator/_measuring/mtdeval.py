"""What measured evaluators come to in the shape of MTDEval's tables 1 and 2."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from assize.base.judgment import PREFERENCE
from assize.evaluator._measuring.figures import FIGURES
from assize.evaluator._measuring.measure import Averaged, MeasuredRow
from assize.evaluator._measuring.tasks import Task
from assize.results import Cell, Ranked, ResultTable
from assize.results.columns import columns
from assize.stats import Estimate

_SET_OFF = "* best and + second best of {among}."
_SHOWN = ("pearson", "spearman", "with_tie", "without_tie")  # kappa stands among all figures
_ORDER = ("evaluators", "judges", "together")

Cells = Mapping[tuple[str, int], Estimate]
"""By the name of a row and the index of a column."""


def compare_rows(rows: Sequence[MeasuredRow], among: Sequence[str]) -> ResultTable:
    """Rows down, benchmarks with their figures across, as in MTDEval's table 1."""
    tasks = [task for task in dict.fromkeys(row.task for row in rows) if task.overall]
    across = [
        (task, name) for task in tasks for name in _SHOWN if FIGURES[name].paired is task.paired
    ]
    figures = {
        (row.judge, row.task, name): figure for row in rows for name, figure in row.figures.items()
    }
    cells = {
        (judge, index): figures[judge, task, name]
        for judge in {row.judge for row in rows}
        for index, (task, name) in enumerate(across)
        if (judge, task, name) in figures
    }
    headings = [_heading(task, name, tasks) for task, name in across]
    shares = [FIGURES[name].paired for _, name in across]
    return _across("Compared", rows, among, headings, cells, shares)


def _heading(task: Task, name: str, tasks: Sequence[Task]) -> str:
    alike = [other for other in tasks if other.benchmark == task.benchmark]
    parts = [task.benchmark] if len(alike) < len(tasks) else []
    if len(alike) > 1 and task.question != PREFERENCE.id:
        parts.append(task.question)
    if len({other.level for other in alike if other.question == task.question}) > 1:
        parts.append(task.level)
    return " ".join([*parts, FIGURES[name].short])


def compare_dimensions(
    rows: Sequence[MeasuredRow], averages: Sequence[Averaged], among: Sequence[str]
) -> dict[str, ResultTable]:
    """A table a benchmark: dimensions across and their average, as in MTDEval's table 2."""
    tables = {}
    benchmarks = list(dict.fromkeys(row.benchmark for row in averages))
    for benchmark in benchmarks:
        own = [
            row
            for row in rows
            if row.benchmark == benchmark and row.task.paired and not row.task.overall
        ]
        names = list(dict.fromkeys(row.question for row in own))
        cells = {(row.judge, names.index(row.question)): row.figures["with_tie"] for row in own}
        cells |= {
            (row.judge, len(names)): row.accuracy for row in averages if row.benchmark == benchmark
        }
        of = "" if len(benchmarks) == 1 else benchmark
        title = f"Dimensions, with ties: {of}".rstrip(": ")
        headings = [*names, "average"]
        table = _across(title, rows, among, headings, cells, [True] * len(headings))
        tables[f"dimensions {of}".strip()] = table
    return tables


def _across(
    title: str,
    rows: Sequence[MeasuredRow],
    among: Sequence[str],
    headings: Sequence[str],
    cells: Cells,
    shares: Sequence[bool],
) -> ResultTable:
    places = [_places(among, cells, index) for index in range(len(headings))]
    groups = {row.judge: row.group for row in rows}
    table: list[Sequence[Cell]] = []
    for judge in sorted(groups, key=lambda name: _ORDER.index(groups[name])):
        values = [cells.get((judge, index)) for index in range(len(headings))]
        if any(value is not None for value in values):
            ranks = [rank.get(judge) for rank in places]
            table.append((groups[judge], judge, *map(_rank, values, ranks)))
    head = columns("words", "group", "judge")
    for heading, share in zip(headings, shares, strict=True):
        kind, digits = ("percent", 1) if share else ("number", 3)
        head += columns(kind, heading, digits=digits, ends="page")  # type: ignore[arg-type]
    of = "all rows" if set(among) == set(groups) else ", ".join(among)
    return ResultTable(title, head, table, [_SET_OFF.format(among=of)], grouped=True)


def _rank(value: Estimate | None, place: int | None) -> Cell:
    return value if value is None or place is None else Ranked(value, place)  # type: ignore[arg-type]


def _places(among: Sequence[str], cells: Cells, index: int) -> dict[str, int]:
    """1 for the best of a column and 2 for the second; all that share a value share the place."""
    known = {
        name: round(cells[name, index].estimate, 6)
        for name in among
        if (name, index) in cells and not math.isnan(cells[name, index].estimate)
    }
    order = sorted(set(known.values()), reverse=True)[:2]
    return {name: order.index(value) + 1 for name, value in known.items() if value in order}
