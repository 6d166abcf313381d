"""The tables of measured evaluators: every figure, and MTDEval's tables 1, 2 and 4 in shape."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from assize.evaluator.measuring.figures import FIGURES
from assize.evaluator.measuring.measured import EvaluatorFigures
from assize.evaluator.measuring.runtime import runtime_table
from assize.evaluator.measuring.tasks import Task
from assize.judgment import PREFERENCE
from assize.results import Cell, Ranked, ResultTable, columns, with_rows
from assize.stats import Estimate

_SET_OFF = "* best and + second best of {among}."
_SHOWN = ("pearson", "spearman", "with_tie", "without_tie")  # kappa stands among all figures


def figures_tables(found: EvaluatorFigures) -> dict[str, ResultTable]:
    """`figures`, and where there are several rows or dimensions `compared`, `dimensions`,
    `tests`; `runtime` where it was measured."""
    several = len({row.said.name for row in found.figures}) > 1
    tables = {"figures": _figures(found)}
    if several:
        tables["compared"] = _compared(found)
        tables |= _dimensions(found)
        tables["tests"] = _tests(found)
    elif found.averages:
        tables |= _dimensions(found)
    tables["runtime"] = runtime_table(found.runtimes)
    return with_rows({name: one for name, one in tables.items() if one.rows})


def _figures(found: EvaluatorFigures) -> ResultTable:
    kept = [name for name in FIGURES if any(name in row.figures for row in found.figures)]
    sets = len({row.task.benchmark for row in found.figures}) > 1
    several = len({row.said.name for row in found.figures}) > 1
    rows: list[tuple[Cell, ...]] = []
    for row in found.figures:
        first = next(iter(row.figures.values()))
        each = [row.figures.get(name) for name in kept]
        rows.append(
            (
                row.task.question,
                row.said.answered or None,
                row.task.level,
                row.said.name if several else None,
                row.task.benchmark if sets else None,
                first.n,
                first.unscored,
                *each,
            )
        )
    named = columns("words", "question", "head", "level", "judge", "set")
    named += columns("count", "n", "unscored")
    for name in kept:
        kind = "number" if not FIGURES[name].paired or name == "kappa" else "percent"
        digits = 2 if kind == "number" else 1
        named += columns(kind, f"{FIGURES[name].title} [95%]", digits=digits, ends="below")  # type: ignore[arg-type]
    notes = [_gold(found)]
    return ResultTable(found.judge if not several else "Against gold", named, rows, notes)


def _gold(found: EvaluatorFigures) -> str:
    said = {
        "gold": "the gold labels",
        "people": "what people said together",
        "judges": "what all judges said together",
    }
    sources = dict.fromkeys(said[row.task.source] for row in found.figures)
    return (
        f"Against {' and '.join(sources)}; pairs in percent. With ties: of the three answers;"
        " without: of sides, where gold is decided, by the sign alone."
    )


def _compared(found: EvaluatorFigures) -> ResultTable:
    """Rows down, benchmarks with their figures across, as in MTDEval's table 1."""
    tasks = [task for task in dict.fromkeys(row.task for row in found.figures) if task.overall]
    across = [
        (task, name) for task in tasks for name in _SHOWN if FIGURES[name].paired is task.paired
    ]
    cells = {
        (row.said.name, row.task, name): one
        for row in found.figures
        for name, one in row.figures.items()
    }
    sets = len({task.benchmark for task in tasks}) > 1
    return _wide(
        "Compared",
        found,
        [_heading(task, name, sets, tasks) for task, name in across],
        {
            (who, at): cells[who, task, name]
            for who in _names(found)
            for at, (task, name) in enumerate(across)
            if (who, task, name) in cells
        },
        [FIGURES[name].paired for _, name in across],
    )


def _heading(task: Task, name: str, sets: bool, tasks: Sequence[Task]) -> str:
    alike = [one for one in tasks if one.benchmark == task.benchmark]
    which = [task.benchmark] if sets else []
    if len(alike) > 1 and task.question != PREFERENCE.id:
        which.append(task.question)
    levels = {one.level for one in alike if one.question == task.question}
    if len(levels) > 1:
        which.append(task.level)
    return " ".join([*which, FIGURES[name].short])


def _dimensions(found: EvaluatorFigures) -> dict[str, ResultTable]:
    """A table a benchmark: dimensions across and their average, as in MTDEval's table 2."""
    tables = {}
    sets = list(dict.fromkeys(one.benchmark for one in found.averages))
    for benchmark in sets:
        mine = [
            row
            for row in found.figures
            if row.task.benchmark == benchmark and row.task.paired and not row.task.overall
        ]
        asked = list(dict.fromkeys(row.task.question for row in mine))
        cells: dict[tuple[str, int], Estimate] = {
            (row.said.name, asked.index(row.task.question)): row.figures["with_tie"] for row in mine
        }
        cells |= {
            (one.row, len(asked)): one.figure
            for one in found.averages
            if one.benchmark == benchmark
        }
        title = f"Dimensions, with ties{'' if len(sets) == 1 else f': {benchmark}'}"
        name = "dimensions" if len(sets) == 1 else f"dimensions {benchmark}"
        heads = [*asked, "average"]
        tables[name] = _wide(title, found, heads, cells, [True] * len(heads))
    return tables


def _wide(
    title: str,
    found: EvaluatorFigures,
    headings: Sequence[str],
    cells: Mapping[tuple[str, int], Estimate],
    shares: Sequence[bool],
) -> ResultTable:
    places = [_places(found.among, cells, at) for at in range(len(headings))]
    groups = {row.said.name: row.said.group for row in found.figures}
    rows = []
    for name in _names(found):
        given: list[Cell] = []
        for at in range(len(headings)):
            one = cells.get((name, at))
            place = places[at].get(name)
            given.append(one if one is None or place is None else Ranked(one, place))  # type: ignore[arg-type]
        if any(one is not None for one in given):
            rows.append((groups[name], name, *given))
    named = columns("words", "group", "judge")
    for heading, share in zip(headings, shares, strict=True):
        named += columns(
            "percent" if share else "number", heading, digits=1 if share else 3, ends="page"
        )
    among = "all rows" if set(found.among) == set(groups) else ", ".join(found.among)
    return ResultTable(title, named, rows, [_SET_OFF.format(among=among)], grouped=True)


def _places(
    among: Sequence[str], cells: Mapping[tuple[str, int], Estimate], at: int
) -> dict[str, int]:
    """1 for the best of a column and 2 for the second; all that share a value share the place."""
    known = {
        name: round(cells[name, at].estimate, 6)
        for name in among
        if (name, at) in cells and not math.isnan(cells[name, at].estimate)
    }
    order = sorted(set(known.values()), reverse=True)[:2]
    return {name: order.index(value) + 1 for name, value in known.items() if value in order}


def _names(found: EvaluatorFigures) -> list[str]:
    order = {"evaluators": 0, "judges": 1, "together": 2}
    rows = dict.fromkeys((order[row.said.group], row.said.name) for row in found.figures)
    return [name for _, name in sorted(rows, key=lambda one: one[0])]


def _tests(found: EvaluatorFigures) -> ResultTable:
    sets = len({one.task.benchmark for one in found.tests}) > 1
    rows = [
        (
            _column(one.task, one.figure, sets),
            one.row,
            one.comparison.difference,
            one.comparison.difference.n,
            one.comparison.test.p_value,
            one.p_holm,
        )
        for one in found.tests
    ]
    named = columns("words", "figure", "judge")
    named += columns("number", "difference", signed=True) + columns("count", "n")
    named += columns("p", "p", "p (Holm)")
    note = (
        f"Each row less {found.base}, on what both score, with its interval; p by exchanging the"
        " two (ranks, or standardised), corrected over the rows of a figure."
    )
    return ResultTable(f"Less {found.base}", named, rows, [note], grouped=True)


def _column(task: Task, figure: str, sets: bool) -> str:
    which = f"{task.benchmark}: " if sets else ""
    return f"{which}{task.question}, {task.level}: {FIGURES[figure].title}"
