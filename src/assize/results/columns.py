"""A table: a title, columns that say how they are read, and rows of values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, Self

from assize.results import numbers
from assize.results.numbers import Measured

Kind = Literal["words", "count", "number", "percent", "share", "p"]
Ends = Literal["beside", "below", "page", "none"]


@dataclass(frozen=True, slots=True)
class Scaled:
    """A value whose row has a scale of its own, and so decimals of its own."""

    value: float | Measured
    digits: int


@dataclass(frozen=True, slots=True)
class Mean:
    """A mean that is no statistic of `stats`, with its interval, its deviation and how many."""

    estimate: float
    interval: tuple[float, float] = (float("nan"), float("nan"))
    spread: float = float("nan")
    n: int | None = None


@dataclass(frozen=True, slots=True)
class Ranked:
    """A value that is the best of its column (place 1), or the second best (2)."""

    value: float | Measured
    place: Literal[1, 2]


class Marked(str):
    """A cell's text that is set off: bold for the best of its column, underlined for the second;
    plain text shows `sign` behind it."""

    __slots__ = ("best",)
    best: bool

    @classmethod
    def of(cls, text: str, best: bool) -> Marked:
        """The text with its mark."""
        found = cls(text)
        found.best = best
        return found

    @property
    def sign(self) -> str:
        """What stands for the mark where nothing can be bold."""
        return "*" if self.best else "+"


Cell = str | int | float | None | Measured | Scaled | Ranked
"""None is a place where nothing belongs; NaN a figure that there is none of."""


def bare(cell: Cell) -> str | int | float | Measured | None:
    """Return what a cell holds, without its place or its decimals."""
    return bare(cell.value) if isinstance(cell, Ranked | Scaled) else cell


@dataclass(frozen=True, slots=True)
class Column:
    """How the cells of a column are read.

    Args:
        kind: `words`; `count` (a figure with its count: `3 of 12`); `number`; `percent` (a share
            in [0, 1] as 62.6); `share` (a figure with its count: `288 (62.6%)`); `p`. All but
            words stand on the right.
        digits: decimals of a number or percent; None as many as its size asks for.
        ends: where an interval stands: beside the figure; on a line below it; there, on a page
            alone; nowhere.
        coarse: decimals of the interval, where they are others.
        unit: written after each number.
        counted: how many a figure is of stands behind it, and how many are unscored.
        signed: a plus before what is above 0.
        cut: words that give way where a terminal is narrow: one line, cut at its end.
        extra: stands in JSON and data frames only.
        spare: left out of a terminal where that saves a piece of the table; a note names it.
        blanks: of figures by name: the program chose the names, whose underscores are blanks.
    """

    name: str = ""
    kind: Kind = "words"
    digits: int | None = 3
    ends: Ends = "beside"
    coarse: int | None = None
    unit: str = ""
    counted: bool = False
    signed: bool = False
    cut: bool = False
    extra: bool = False
    spare: bool = False
    blanks: bool = False

    def shown(self, cell: Cell) -> tuple[str, str]:
        """A cell as text, and what stands small below it ("" for nothing)."""
        if cell is None:
            return "", ""
        if isinstance(cell, str):
            return cell, ""
        if isinstance(cell, Ranked):
            first, second = self.shown(cell.value)
            return Marked.of(first, cell.place == 1), second
        if isinstance(cell, Scaled):
            return replace(self, digits=cell.digits).shown(cell.value)
        if isinstance(cell, Measured):
            return self._measured(cell)
        if self.kind == "count":
            return f"{cell:,}", ""
        return (numbers.p_value(cell) if self.kind == "p" else self._number(cell)), ""

    def _number(self, value: float) -> str:
        times = 100 if self.kind in ("percent", "share") else 1
        text = numbers.number(times * value, self.digits, signed=self.signed)
        return text if text == numbers.NONE else text + self.unit

    def _measured(self, figure: Measured) -> tuple[str, str]:
        count = getattr(figure, "count", 0)
        if self.kind == "count":
            return f"{count:,.0f} of {getattr(figure, 'n', 0):,}", ""
        digits = self.digits if self.coarse is None else self.coarse
        times = 100 if self.kind in ("percent", "share") else 1
        unit = "" if self.ends == "below" else self.unit  # which is narrow
        ends = numbers.interval(figure, digits, times=times, signed=self.signed, unit=unit)
        first = self._number(figure.estimate)
        if self.kind == "share":
            first = f"{count:,.0f} ({first})"
        spread, n = getattr(figure, "spread", float("nan")), getattr(figure, "n", None)
        if self.ends == "below":
            ends = ends.strip("[]").replace(", ", "..")  # alone on its line, and narrow
        if spread == spread:
            around = f"± {numbers.number(times * spread, self.digits)}"
            if self.ends == "below":
                first = f"{first} {around}"
            else:
                ends = f"{around} {ends}".rstrip()
        if self.ends == "beside" and ends:
            first, ends = f"{first} {ends}", ""
        if self.counted and n is not None:
            unscored = getattr(figure, "unscored", 0)
            first = f"{first} ({n:,}{f'; {unscored:,} unscored' if unscored else ''})"
        return first, "" if self.ends == "none" else ends


def columns(kind: Kind, *names: str, **read: Any) -> list[Column]:
    """Columns that are read alike: `columns("number", "mean", "median", digits=2)`."""
    return [Column(name, kind, **read) for name in names]


@dataclass(frozen=True)
class TableRecord:
    """What stands in a table.

    Raises:
        ValueError: a row is not as long as the header.
    """

    title: str
    columns: Sequence[Column]
    rows: Sequence[Sequence[Any]]  # values (`Cell`), not texts, each as long as `columns`
    notes: Sequence[str] = ()  # sentences below the table
    # the first column names groups of consecutive rows; a text shows each name once, above its rows
    grouped: bool = False
    most: int | None = None  # rows that a text shows
    about: str = ""  # what the table answers, in a sentence

    def __post_init__(self) -> None:
        for row in self.rows:
            if len(row) != len(self.columns):
                raise ValueError(f"a row of {len(row)} cells under {len(self.columns)} columns")

    def head(self, most: int) -> Self:
        """The first rows; a note says how many are left out."""
        left = len(self.rows) - most
        if left <= 0:
            return self
        notes = (*self.notes, f"{left:,} further rows are not shown.")
        return replace(self, rows=self.rows[:most], notes=notes)

    @property
    def sentences(self) -> Sequence[str]:
        """What a text says below the table: the notes, and how many rows it leaves out."""
        return self.notes if self.most is None else self.head(self.most).notes

    def texts(self) -> tuple[Sequence[Column], list[list[tuple[str, str]]]]:
        """Columns and rows as a text shows them: groups are rows, and what is in them indented;
        a column in which nothing belongs is left out."""
        kept = [
            at
            for at in range(len(self.columns))
            if not self.columns[at].extra
            and (not self.rows or any(row[at] not in (None, "") for row in self.rows))
        ]
        if self.grouped:
            kept = [place for place in kept if place != 0]
        lines, group = [], None
        for row in self.rows[: self.most]:
            if self.grouped and row[0] != group:
                group = row[0]
                lines.append([(str(group), "")] + [("", "")] * (len(kept) - 1))
            lines.append([self.columns[at].shown(row[at]) for at in kept])
            if self.grouped:
                lines[-1][0] = (f"  {lines[-1][0][0]}", lines[-1][0][1])
        kept_columns = [self.columns[at] for at in kept]
        if self.grouped:  # the names of groups stand in it too
            kept_columns[0] = replace(kept_columns[0], kind="words")
        return kept_columns, lines
