"""A table in a terminal: numbers are never broken; a table too wide for it comes in pieces."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from io import StringIO
from textwrap import wrap
from typing import TYPE_CHECKING

from assize.secrets import redacted
from assize.tables.escape import LONGEST, printable
from assize.tables.record import Column, Marked, TableRecord

if TYPE_CHECKING:
    from rich.console import Console


_FEW = 12  # characters that words get at least
_MANY = 26  # beyond which a long name is broken rather than its table
_REASON = 18  # characters of a line of a reason that stands where a number should
_GAP = 3  # columns of the terminal between two columns of a table
Lines = Sequence[Sequence[str]]


def print_table(table: TableRecord) -> None:
    """Prints the table on stdout."""
    from rich.console import Console

    _print(table, Console())


def text(table: TableRecord, width: int = 80) -> str:
    """The table as plain text of so many columns."""
    from rich.console import Console

    stream = StringIO()
    _print(table, Console(file=stream, width=width, color_system=None, force_jupyter=False))
    return stream.getvalue()


def _print(table: TableRecord, console: Console) -> None:
    from rich.text import Text

    columns, rows = table.texts()
    lines = [
        [
            printable(redacted(_joined(column, *cell)))
            for column, cell in zip(columns, row, strict=True)
        ]
        for row in rows
    ]
    each = list(zip(*lines, strict=True)) if lines else [()] * len(columns)
    least = [_least(column, cells) for column, cells in zip(columns, each, strict=True)]
    pieces = list(_pieces(least, console.width))
    for number, piece in enumerate(pieces, start=1):
        part = f" ({number} of {len(pieces)})" if len(pieces) > 1 else ""
        # As the table's own it would be as narrow as the table.
        console.print(Text(printable(redacted(table.title)) + part, style="bold"))
        room = console.width - 1 - _GAP * len(piece)
        narrow = sum(max(_widest(columns[at].name, *each[at]), 1) for at in piece) > room
        names = [_head(columns[at], least[at] if narrow else room) for at in piece]
        _print_piece([columns[at] for at in piece], names,
                     [[line[at] for at in piece] for line in lines], console)  # fmt: skip
    for note in table.notes:
        console.print(Text(f" {printable(redacted(note))}\n"))


def _shown(column: Column, first: str, second: str) -> str:
    return printable(redacted(_joined(column, first, second)))


def _joined(column: Column, first: str, second: str) -> str:
    """A cell's text; a reason that stands where a number should is broken into lines."""
    if column.kind != "words" and first[:1].isalpha():
        first = "\n".join(wrap(first, _REASON))
    if isinstance(first, Marked):
        first = f"{first}{first.sign}"
    return f"{first}\n{second}" if second and column.ends == "below" else first


def _widest(*texts: str) -> int:
    from rich.cells import cell_len

    return max((cell_len(line) for text in texts for line in text.split("\n")), default=0)


def _least(column: Column, cells: Sequence[str]) -> int:
    """How narrow a column may be: numbers as they are, words as the longest one of them."""
    head, widest = _widest(*column.name.split()), _widest(*cells)
    if column.kind == "words" and not column.cut:
        widest = min(widest, max(_FEW, _widest(*(word for cell in cells for word in cell.split()))))
        return max(head, min(widest, _MANY))
    return max(head, min(widest, LONGEST) if column.cut else widest)


def _head(column: Column, width: int) -> str:
    """A name, over several lines where its numbers are narrower."""
    if column.kind == "words":
        return printable(column.name)
    return "\n".join(wrap(printable(column.name), width))


def _pieces(least: Sequence[int], room: int) -> Iterator[list[int]]:
    """Places of the columns of each piece; the first one stands in all."""
    piece = [0]
    for at in range(1, len(least)):
        if len(piece) > 1 and 1 + sum(_GAP + least[one] for one in (*piece, at)) > room:
            yield piece
            piece = [0]
        piece.append(at)
    yield piece


def _print_piece(
    columns: Sequence[Column], names: Sequence[str], lines: Lines, console: Console
) -> None:
    from rich import box
    from rich.table import Table
    from rich.text import Text

    cut = any(column.cut for column in columns)
    shown = Table(box=box.SIMPLE_HEAD, expand=cut)
    for column, name in zip(columns, names, strict=True):
        words = column.kind == "words"
        shown.add_column(
            Text(name),
            justify="left" if words else "right",
            overflow="ellipsis" if column.cut else "fold",
            no_wrap=column.cut or not words,
            ratio=1 if column.cut else None,
        )
    for line in lines:
        shown.add_row(*map(Text, line))
    console.print(shown)
