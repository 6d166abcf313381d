"""Juries by data set and by model, in the shape of AMULET's tables 2 and 3."""

from __future__ import annotations

from collections import Counter
from typing import Any

from assize.juries.study.grid import Grid
from assize.juries.study.sitting import Place
from assize.results import Column, ResultTable
from assize.results.columns import columns
from assize.results.fields import group_rows
from assize.results.numbers import NONE, counted

_PLAIN: dict[str, Any] = {"digits": 1, "ends": "none"}


def cross_tables(grid: Grid) -> dict[str, ResultTable]:
    """Return `accuracy`, of several data sets, and `models`, of several models."""
    tables = {}
    if len(grid_columns(grid)) > 1:
        tables["accuracy"] = _accuracy(grid)
    if len(grid.models) > 1:
        tables["models"] = _models(grid)
    return tables


def grid_columns(grid: Grid) -> list[tuple[str, int, str]]:
    """Return data set, user turns, and what the column is called."""
    return [
        (data.name, least, data.name if not least else f"{data.name} ≥ {least} turns")
        for least in grid.settings.least
        for data in grid.sets
    ]


def reason_notes(grid: Grid) -> list[str]:
    """Return why figures are missing, and how many for each reason."""
    reasons = Counter(sitting.share().reason for sitting in grid.sittings.values())
    return [
        f"{NONE} ({counted(n, 'cell')}): {reason}."
        for reason, n in reasons.items()
        if reason is not None
    ]


def _accuracy(grid: Grid) -> ResultTable:
    """Rows are juries, columns data sets, as AMULET's tables 2, 18, 19 and 20."""
    places = grid_columns(grid)
    rows = [
        (
            grid.label(Place("", method.written, model)),
            *(
                grid.at(Place(data, method.written, model, least)).share()
                for data, least, _ in places
            ),
        )
        for method in grid.methods
        for model in grid.models_at(method.written)
    ]
    head = [Column("jury"), *columns("percent", *(name for *_, name in places), **_PLAIN)]
    return ResultTable("Pairs decided rightly, %", head, rows, reason_notes(grid))


def _models(grid: Grid) -> ResultTable:
    """Rows are juries, columns models, as AMULET's table 3, by data set."""
    places = grid_columns(grid)
    rows = [
        (
            name,
            method.written,
            *(grid.at(Place(data, method.written, model, least)).share() for model in grid.models),
        )
        for data, least, name in places
        for method in grid.methods
        if grid.models_at(method.written) != [None]
    ]
    head = [Column("set"), Column("jury"), *columns("percent", *grid.models, **_PLAIN)]
    table = ResultTable("Pairs decided rightly, by model, %", head, rows)
    return group_rows(table, "set")
