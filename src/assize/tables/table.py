"""The record: a title, columns that say how they are read, and rows of values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from importlib import import_module
from typing import Any, ClassVar

from assize.tables.column import Cell, Column, Scaled
from assize.tables.numbers import Measured


@dataclass(frozen=True)
class ResultTable:
    """Figures as a page, a terminal, a notebook, a card and a data frame show them.

    Args:
        rows: values (`Cell`), not texts, each as long as `columns`.
        notes: sentences below the table.
        grouped: the first column names groups of consecutive rows; a text shows each name once,
            above its rows.

    Raises:
        ValueError: a row is not as long as the header.
    """

    title: str
    columns: Sequence[Column]
    rows: Sequence[Sequence[Any]]
    notes: Sequence[str] = ()
    grouped: bool = False

    def __post_init__(self) -> None:
        for row in self.rows:
            if len(row) != len(self.columns):
                raise ValueError(f"a row of {len(row)} cells under {len(self.columns)} columns")

    def head(self, most: int) -> ResultTable:
        """The first rows; a note says how many are left out."""
        left = len(self.rows) - most
        if left <= 0:
            return self
        notes = (*self.notes, f"{left:,} further rows are not shown.")
        return replace(self, rows=self.rows[:most], notes=notes)

    def texts(self) -> tuple[Sequence[Column], list[list[tuple[str, str]]]]:
        """Columns and rows as a text shows them: groups are rows, and what is in them indented;
        a column in which nothing belongs is left out."""
        kept = [at for at in range(len(self.columns))
                if not self.rows or any(row[at] is not None for row in self.rows)]  # fmt: skip
        if self.grouped:
            del kept[0]
        lines, group = [], None
        for row in self.rows:
            if self.grouped and row[0] != group:
                group = row[0]
                lines.append([(str(group), "")] + [("", "")] * (len(kept) - 1))
            lines.append([self.columns[at].shown(row[at]) for at in kept])
            if self.grouped:
                lines[-1][0] = (f"  {lines[-1][0][0]}", lines[-1][0][1])
        return [self.columns[at] for at in kept], lines

    def to_html(self) -> str:
        """A `<div>` for a page; every text is escaped."""
        from assize.tables.markup import html

        return html(self)

    def to_markdown(self) -> str:
        """A table for a card or a document, without its title."""
        from assize.tables.markup import markdown

        return markdown(self)

    def to_latex(self) -> str:
        """A `tabular` with the rules of booktabs."""
        from assize.tables.markup import latex

        return latex(self)

    def to_pandas(self) -> Any:
        """A data frame of the values: of a figure with an interval three columns."""
        import pandas as pd

        found: dict[str, list[Any]] = {}
        for place, column in enumerate(self.columns):
            cells = [row[place] for row in self.rows]
            plain = [one.value if isinstance(one, Scaled) else one for one in cells]
            times = 100 if column.kind == "percent" else 1
            if column.ends != "alone":
                found[column.name] = [_value(one, times) for one in plain]
            if column.ends != "none" and any(isinstance(one, Measured) for one in plain):
                for end, name in enumerate(("low", "high")):
                    found[f"{column.name} {name}"] = [
                        times * one.interval[end] if isinstance(one, Measured) else None
                        for one in plain
                    ]
        return pd.DataFrame(found)

    def _repr_html_(self) -> str:
        return self.to_html()

    def __str__(self) -> str:
        from assize.tables.terminal import text

        return text(self)


def _value(cell: Cell, times: float) -> Any:
    if isinstance(cell, Measured):
        return times * cell.estimate
    return times * cell if isinstance(cell, float) else cell


class HasTables:
    """A result whose tables a function makes: `TABLES` names it, as `module:function`.

    By name, because that module needs the result's own.
    """

    __slots__ = ()
    TABLES: ClassVar[str]

    @property
    def tables(self) -> Mapping[str, ResultTable]:
        """What is shown of the result, by name, in the order in which it is read best."""
        module, _, name = self.TABLES.partition(":")
        found: Mapping[str, ResultTable] = getattr(import_module(module), name)(self)
        return found


def with_rows(tables: Mapping[str, ResultTable]) -> dict[str, ResultTable]:
    """Those that hold anything beside names."""
    return {name: one for name, one in tables.items()
            if any(cell is not None for row in one.rows for cell in row[1:])}  # fmt: skip
