"""Ours in the shape of AMULET's tables: what the data determine, and why the rest is missing."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from assize.base.errors import DataError
from assize.juries.names import parse_cascade
from assize.juries.outcome import RESULTS
from assize.juries.study.grid import Grid
from assize.juries.study.methods import head_of, model_of
from assize.juries.study.published import FORMS, MODELS, REWARDS, SETS, TABLES, Figures, Published
from assize.juries.study.sitting import Place, Sitting, judges_of
from assize.results import Column, ResultTable, Share
from assize.results.columns import columns
from assize.results.numbers import NONE, counted
from assize.results.types import NAN
from assize.stats import wilson

_AS_PRINTED: Mapping[str, Any] = {"digits": 1, "ends": "none"}
_NO = "there are no judgments "  # of a data set, by a judge
_NAMED = 6  # cells that a note names


@dataclass(frozen=True, slots=True)
class ShapedCell:
    """One cell: ours, or why there is none, beside what is printed.

    Args:
        table: the paper's number of it.
        row, column: the printed labels.
        ours: one share, or win, tie and loss; none where the data do not determine it.
        printed: in percent, put right where the paper is known to be wrong.
        same: whether ours rounds to what is printed; None where there is none.
        judges: whose votes ours are, in full.
    """

    table: int
    row: str
    column: str
    ours: Sequence[Share]
    printed: Figures
    same: bool | None
    reason: str | None = None
    judges: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class PrintedTable:
    """How a table of the paper compares.

    Args:
        determined_here: cells that the data determine.
        as_printed: of these, cells that round to what is printed.
    """

    table: str
    cells: int
    determined_here: int
    as_printed: int


def shaped_cells(grid: Grid) -> list[ShapedCell]:
    """Return all cells of the printed tables, ours beside theirs."""
    cells = []
    for number, table in TABLES.items():
        for row, column, what, printed in table.cells():
            ours, reason, judges = _figures(grid, what)
            same = rounded(ours) == printed if ours else None
            cells.append(
                ShapedCell(number, row.label, column.label, ours, printed, same, reason, judges)
            )
    return cells


def rounded(shares: Sequence[Share]) -> Figures:
    """Return shares in percent, with one decimal as printed."""
    return tuple(float(f"{100 * share.estimate:.1f}") for share in shares)


def _figures(
    grid: Grid, what: Mapping[str, Any]
) -> tuple[tuple[Share, ...], str | None, tuple[str, ...]]:
    """The figures of one cell, or why there are none; and whose votes they are."""
    data = next((one for one in grid.sets if one.name.upper() == what["data"]), None)
    if data is None:
        return (), f"{_NO}of {what['data']}", ()
    try:
        method, model = _who(grid, judges_of(data.table, grid.settings.gold), what)
    except DataError as error:
        return (), error.problem, ()
    sitting = grid.at(Place(data.name, method, model, what["least"]))
    if sitting.result is None and method not in {one.written for one in grid.methods}:
        return (), f"{_NO}by {method}", ()
    ours, reason = _of(sitting, what["figure"])
    sat = sitting.result.members if ours and sitting.result is not None else ()
    return ours, reason, sat


def _who(grid: Grid, known: Sequence[str], what: Mapping[str, Any]) -> tuple[str, str | None]:
    """The jury of a cell as the study has it, and the model whose judges sit there.

    Raises:
        DataError: who it is cannot be told.
    """
    names, model = parse_cascade(str(what["method"])), None
    if not all(one.startswith("{") for one in names):
        fits = [one for one in grid.models if is_model(one, what["model"])]
        model = _only(
            [one for one in fits if any(model_of(name) == one for name in known)], what["model"]
        )
    return " > ".join(_seated(name, model, known) for name in names), model


def _seated(name: str, model: str | None, known: Sequence[str]) -> str:
    """Who sits for a name of the tables: a reward model, or the form of a judge that is there."""
    if name.startswith("{"):
        name = name.strip("{}")
        return _only([one for one in known if REWARDS[name] in one.lower()], name)
    mine = {head_of(one) for one in known if model_of(one) == model}
    return next((one for one in FORMS.get(name, ()) if one in mine), name)


def _only(found: Sequence[str], name: str) -> str:
    """Raises DataError where there is none, or where there are several."""
    if not found:
        raise DataError(f"{_NO}by {name}")
    if len(found) > 1:
        raise DataError(f"{name} could be any of {', '.join(found)}")
    return found[0]


def is_model(target: str, name: str) -> bool:
    """Whether a judge's model is one of the paper's, by the end of its name.

    >>> is_model("openai:gpt-4o-2024-08-06", "GPT-4O"), is_model("openai:gpt-4o-mini", "GPT-4O")
    (True, False)
    """
    own = target.partition("#")[0].lower()  # without a signature's mark
    return re.search(rf"(?<![a-z0-9_-]){MODELS[name]}$", own) is not None


def models_called(name: str, models: Sequence[str]) -> list[str]:
    """Return the models that a name can mean: in full, as the paper prints it, or a part.

    >>> models_called("GPT-4O", ["openai:gpt-4o", "openai:gpt-4o-mini"])
    ['openai:gpt-4o']
    >>> models_called("gpt", ["openai:gpt-4o", "openai:gpt-4o-mini"])
    ['openai:gpt-4o', 'openai:gpt-4o-mini']
    """
    if name in models:
        return [name]
    printed = [one for one in models if name.upper() in MODELS and is_model(one, name.upper())]
    return printed or [one for one in models if name.casefold() in one.casefold()]


def _of(sitting: Sitting, figure: str) -> tuple[tuple[Share, ...], str | None]:
    result = sitting.result
    if result is None or result.outcome.jury is None:
        return (), sitting.share().reason
    if figure == "win":
        return (sitting.share(),), None
    if figure == "split":
        return tuple(sitting.share(name) for name in RESULTS), None
    if figure == "alone":
        share = result.judges[-1].right_alone
        return () if share is None else (share,), None
    came_to = figure.rpartition("-")[2]
    return (wilson(result.outcome.left_to_last.get(came_to, 0), result.n),), None


def paper_tables(cells: Sequence[ShapedCell]) -> dict[str, ResultTable]:
    """Return the tables in the paper's shape, by `table_2` and so on."""
    return {
        f"table_{number}": _shaped(TABLES[number], list(own))
        for number, own in groupby(cells, key=lambda cell: cell.table)
    }


def _shaped(table: Published, own: Sequence[ShapedCell]) -> ResultTable:
    """One table: `59.8` or `59.8 / 15.9 / 24.3` as printed, a dash where there is nothing."""
    width, labels = len(table.columns), [column.label for column in table.columns]
    split = any(len(cell.printed) > 1 for cell in own)
    head = columns("words", *labels) if split else columns("percent", *labels, **_AS_PRINTED)
    show = _text if split else _share
    starts = range(0, len(own), width)
    rows = [(own[start].row, *map(show, own[start : start + width])) for start in starts]
    notes = [*table.notes, *_sat(own), *_reasons(own)]
    title = f"Table {table.number}: {table.title}, %"
    return ResultTable(title, [Column(table.head), *head], rows, notes)


def _share(cell: ShapedCell) -> Share:
    return cell.ours[0] if cell.ours else Share(NAN, reason=cell.reason)


def _text(cell: ShapedCell) -> str:
    return " / ".join(f"{value:.1f}" for value in rounded(cell.ours)) if cell.ours else NONE


def _sat(own: Sequence[ShapedCell]) -> list[str]:
    """Whose votes a table's figures are, and what their names leave open."""
    each = sorted({name for cell in own for name in cell.judges})
    if not each:
        return []
    heads = [head_of(one) for one in each]
    plain = [(one[-1], one[0]) for one in FORMS.values() if one[-1] in heads]
    notes = [f"Votes by {', '.join(each)}."]
    if plain:
        names, theirs = (", ".join(one) for one in zip(*plain, strict=True))
        notes.append(
            f"{names}: AMULET's own answers where these were imported, else by prompts of assize;"
            f" the paper's prompts are those of {theirs}."
        )
    return notes


def _reasons(own: Sequence[ShapedCell]) -> list[str]:
    """Why cells are missing, each kind of reason once with all that it names."""
    found: dict[str, list[str]] = {}
    for one in own:
        if one.reason is not None:
            kind, _, name = one.reason.partition(_NO)[2].partition(" ")
            found.setdefault(kind if name else one.reason, []).append(name)
    return [
        f"{NONE} ({counted(len(names), 'cell')}): "
        + (f"{_NO}{kind} {', '.join(dict.fromkeys(names))}." if names[0] else f"{kind}.")
        for kind, names in found.items()
    ]


def printed_tables(cells: Sequence[ShapedCell]) -> list[PrintedTable]:
    """Return by table how many figures the data determine, and how many are as printed."""
    rows = []
    for number, table in TABLES.items():
        own = [cell for cell in cells if cell.table == number]
        known = [cell.same is True for cell in own if cell.ours]
        rows.append(PrintedTable(f"{number}: {table.title}", len(own), len(known), sum(known)))
    return rows if cells else []


def printed_notes(cells: Sequence[ShapedCell], models: Sequence[str]) -> list[str]:
    """Return which cells differ from the paper, and which models are not in it."""
    others = [_differs(cell) for cell in cells if cell.same is False]
    notes = [f"Not as printed: {text}." for text in others[:_NAMED]]
    if len(others) > _NAMED:
        notes.append(f"{len(others) - _NAMED:,} further cells differ; --json has all.")
    other = [name for name in models if not any(is_model(name, known) for known in MODELS)]
    if other:
        notes.append(f"In no cell, for the paper has other models: {', '.join(other)}.")
    return notes


def _differs(cell: ShapedCell) -> str:
    printed = " / ".join(map(str, cell.printed))
    return f"table {cell.table}, {cell.row}, {cell.column}: {_text(cell)}, printed {printed}"


def is_paper_s(name: str) -> bool:
    """Whether a data set has the name of one of the paper's."""
    return name.upper() in SETS
