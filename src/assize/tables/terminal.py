"""A table in a terminal: numbers are never broken; a table too wide for it comes in pieces."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from io import StringIO
from typing import TYPE_CHECKING

from assize.tables.escape import LONGEST, printable

if TYPE_CHECKING:
    from rich.console import Console

    from assize.tables.table import Column, ResultTable

_GAP = 3  # columns of the terminal between two columns of a table
Lines = Sequence[Sequence[str]]


def print_table(table: ResultTable) -> None:
    """Prints the table on stdout."""
    from rich.console import Console

    _print(table, Console())


def text(table: ResultTable, width: int = 80) -> str:
    """The table as plain text of so many columns."""
    from rich.console import Console

    stream = StringIO()
    _print(table, Console(file=stream, width=width, color_system=None))
    return stream.getvalue()


def _print(table: ResultTable, console: Console) -> None:
    from rich.text import Text

    columns, rows = table.texts()
    lines = [
        [printable(_joined(column, *cell)) for column, cell in zip(columns, row, strict=True)]
        for row in rows
    ]
    least = [_least(column, [line[at] for line in lines]) for at, column in enumerate(columns)]
    pieces = list(_pieces(least, console.width))
    for number, piece in enumerate(pieces, start=1):
        part = f" ({number} of {len(pieces)})" if len(pieces) > 1 else ""
        # As the table's own it would be as narrow as the table.
        console.print(Text(printable(table.title) + part, style="bold"))
        _print_piece([(columns[at], least[at]) for at in piece],
                     [[line[at] for at in piece] for line in lines], console)  # fmt: skip
    for note in table.notes:
        console.print(Text(f" {printable(note)}\n"))


def _joined(column: Column, first: str, second: str) -> str:
    return f"{first}\n{second}" if second and column.ends == "below" else first


def _least(column: Column, cells: Sequence[str]) -> int:
    """How narrow a column may be: as its longest line, words as their longest word."""
    from rich.cells import cell_len

    head = max(map(cell_len, column.name.split()), default=0)
    widest = max((cell_len(line) for cell in cells for line in cell.split("\n")), default=0)
    return max(head, min(widest, LONGEST) if column.kind == "words" else widest)


def _pieces(least: Sequence[int], room: int) -> Iterator[list[int]]:
    """Places of the columns of each piece; the first one stands in all."""
    piece = [0]
    for at in range(1, len(least)):
        if len(piece) > 1 and 1 + sum(_GAP + least[one] for one in (*piece, at)) > room:
            yield piece
            piece = [0]
        piece.append(at)
    yield piece


def _print_piece(columns: Sequence[tuple[Column, int]], lines: Lines, console: Console) -> None:
    from rich import box
    from rich.table import Table
    from rich.text import Text

    cut = any(column.cut for column, _ in columns)
    shown = Table(box=box.SIMPLE_HEAD, expand=cut)
    for column, least in columns:
        shown.add_column(
            Text(printable(column.name)),
            justify="left" if column.kind == "words" else "right",
            overflow="ellipsis" if column.cut else "fold",
            no_wrap=column.cut,
            ratio=1 if column.cut else None,
            min_width=None if column.kind == "words" else least,
        )
    for line in lines:
        shown.add_row(*map(Text, line))
    console.print(shown)
