"""A table in a terminal: neither numbers nor words are broken; what is too wide comes in pieces."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from io import StringIO
from textwrap import wrap
from typing import TYPE_CHECKING

from assize.base.secrets import redacted
from assize.results.columns import Column, Marked, TableRecord
from assize.results.escape import LONGEST, printable, printable_line

if TYPE_CHECKING:
    from rich.console import Console


_FEW = 12  # characters that words get at least
_WORD = re.compile(r"\s*\S+\s*")
_PART = (
    r"[^\s@:/_,+=-]{{0,{}}}[\s@:/_,+=-]*"  # a long name is broken behind such a sign, if it can be
)
_REASON = 18  # characters of a line of a reason that stands where a number should
_GAP = 3  # columns of the terminal between two columns of a table
Lines = Sequence[Sequence[str]]


def print_table(table: TableRecord) -> None:
    """Prints the table on stdout, in colour where that is a terminal and NO_COLOR is not set."""
    from rich.console import Console

    _print(table, Console(color_system=None if os.environ.get("NO_COLOR") else "auto"))


def text(table: TableRecord, width: int = 80) -> str:
    """The table as plain text of so many columns."""
    from rich.console import Console

    stream = StringIO()
    _print(table, Console(file=stream, width=width, color_system=None, force_jupyter=False))
    return stream.getvalue()


def _print(table: TableRecord, console: Console) -> None:
    from rich.text import Text

    columns, rows = table.texts()
    least, pieces = _layout(columns, rows, console.width)
    needed = [index for index, column in enumerate(columns) if not column.spare]
    narrow = [columns[i] for i in needed], [[row[i] for i in needed] for row in rows]
    least_narrow, fewer = _layout(*narrow, console.width)
    if len(fewer) < len(pieces):
        spare = ", ".join(column.name for column in columns if column.spare)
        left = f"Not shown (too wide): {spare}; --report and --json have them."
        table = replace(table, notes=[*table.notes, left])
        (columns, rows), least, pieces = narrow, least_narrow, fewer
    lines = [_texts_of(columns, row) for row in rows]
    best = [[first.best if isinstance(first, Marked) else None for first, _ in row] for row in rows]
    each = list(zip(*lines, strict=True)) if lines else [()] * len(columns)
    for number, piece in enumerate(pieces, start=1):
        part = f" ({number} of {len(pieces)})" if len(pieces) > 1 else ""
        # As the table's own it would be as narrow as the table.
        console.print(Text(printable_line(redacted(table.title)) + part, style="bold"))
        widths = _widths(
            [columns[at] for at in piece],
            [each[at] for at in piece],
            [least[at] for at in piece],
            console.width - 1 - _GAP * len(piece),
        )
        _print_piece(
            [columns[at] for at in piece],
            widths,
            [[line[at] for at in piece] for line in lines],
            [[line[at] for at in piece] for line in best],
            console,
        )
    for note in table.sentences:
        console.print(Text(f" {printable_line(redacted(note))}\n", style="dim"))


def _layout(
    columns: Sequence[Column], rows: Sequence[Sequence[tuple[str, str]]], width: int
) -> tuple[list[int], list[list[int]]]:
    """How narrow each column may be, and the columns of each piece.

    Names up to `LONGEST` stay whole, unless breaking them saves a piece.
    """
    lines = [_texts_of(columns, row) for row in rows]
    cells_down = list(zip(*lines, strict=True)) if lines else [()] * len(columns)
    layouts = []
    for whole in (LONGEST, _FEW):
        least = [
            _least(column, cells, whole) for column, cells in zip(columns, cells_down, strict=True)
        ]
        # The first column stands beside every other, and must leave it room.
        least[0] = min(least[0], max(width - 1 - 2 * _GAP - max(least[1:], default=0), _FEW))
        heads = _heads(columns, least, width, cells_down)
        layouts.append((least, list(_pieces(least, width, heads))))
    return min(layouts, key=lambda layout: len(layout[1]))


def _texts_of(columns: Sequence[Column], row: Sequence[tuple[str, str]]) -> list[str]:
    cells = zip(columns, row, strict=True)
    return [printable(redacted(_joined(column, *cell))) for column, cell in cells]


def _joined(column: Column, first: str, second: str) -> str:
    """A cell's text; a reason that stands where a number should is broken into lines."""
    if column.kind != "words" and first[:1].isalpha():
        first = "\n".join(wrap(first, _REASON))
    if isinstance(first, Marked):
        first = f"{first}{first.sign}"
    return f"{first}\n{second}" if second and column.ends == "below" else first


def _wide(text: str) -> int:
    from rich.cells import cell_len

    return cell_len(text)


def _widest(*texts: str) -> int:
    return max((_wide(line) for text in texts for line in text.split("\n")), default=0)


def _least(column: Column, cells: Sequence[str], whole: int) -> int:
    """How narrow a column may be: numbers as they are, words as the longest part of them.

    Args:
        whole: words up to this width have no parts.
    """
    head, widest = _widest(*column.name.split()), _widest(*cells)
    if column.kind == "words" and not column.cut:
        parts = (part.rstrip() for cell in cells for part in _parts(cell, whole))
        widest = min(widest, max(_FEW, _widest(*parts)))
    return max(head, min(widest, LONGEST) if column.cut else widest, 1)


def _widths(
    columns: Sequence[Column], each: Sequence[Sequence[str]], least: Sequence[int], room: int
) -> list[int]:
    """How wide each column is: as it needs where all fit, else words give way."""
    wanted = [
        max(_widest(column.name, *cells), one)
        for column, cells, one in zip(columns, each, least, strict=True)
    ]
    if sum(wanted) > room:  # names of numbers stand on several lines before words give way
        wanted = [
            wanted[at] if column.kind == "words" else least[at] for at, column in enumerate(columns)
        ]
    left = room - sum(least)
    widths = list(least)
    for at in sorted(range(len(columns)), key=lambda one: wanted[one] - least[one]):
        more = min(wanted[at] - least[at], max(left, 0))
        widths[at] += more
        left -= more
    return widths


def _parts(text: str, width: int) -> Iterator[str]:
    """Yield words with the blanks about them; one that is wider in the parts of its name."""
    for word in _WORD.findall(text):
        longest = width - 1 if word.isascii() else width // 2  # where a letter may be wide
        fits = _wide(word.rstrip()) <= width
        yield from [word] if fits else re.findall(_PART.format(longest), word)


def _broken(text: str, width: int) -> str:
    """The text with lines of at most so many columns, broken behind blanks, or else signs."""
    lines = []
    for whole in text.split("\n"):
        line = ""
        for part in _parts(whole, width):
            if line and _wide((line + part).rstrip()) > width:
                lines.append(line.rstrip())
                line = ""
            line += part
        lines.append(line.rstrip())
    return "\n".join(lines)


def _pieces(least: Sequence[int], room: int, heads: int = 1) -> Iterator[list[int]]:
    """Places of the columns of each piece; the first ones, which name the row, stand in all."""
    piece = list(range(heads))
    for place in range(heads, len(least)):
        if len(piece) > heads and 1 + sum(_GAP + least[other] for other in (*piece, place)) > room:
            yield piece
            piece = list(range(heads))
        piece.append(place)
    yield piece


def _heads(columns: Sequence[Column], least: Sequence[int], room: int, cells_down: Lines) -> int:
    """How many columns name a row: the first, and the words beside it, up to half the width.

    Where these do not tell the rows apart, one more may follow that leaves the others room.
    """
    heads = 1
    while heads < len(columns) - 1 and columns[heads].kind == "words":
        names = list(zip(*cells_down[:heads], strict=True))
        apart = len(set(names)) == len(names)
        widest = max(least[heads + 1 :])
        most = room / 2 if apart else room - 1 - _GAP - widest
        if sum(_GAP + width for width in least[: heads + 1]) > most:
            break
        heads += 1
    return heads


def _print_piece(
    columns: Sequence[Column],
    widths: Sequence[int],
    lines: Lines,
    best: Sequence[Sequence[bool | None]],
    console: Console,
) -> None:
    from rich import box
    from rich.table import Table
    from rich.text import Text

    cut = any(column.cut for column in columns)
    shown = Table(box=box.SIMPLE_HEAD, expand=cut)
    for column, width in zip(columns, widths, strict=True):
        words = column.kind == "words"
        shown.add_column(
            Text(_broken(printable(column.name), width)),
            justify="left" if words else "right",
            overflow="ellipsis" if column.cut else "fold",
            no_wrap=True,
            ratio=1 if column.cut else None,
        )
    for line, marks in zip(lines, best, strict=True):
        cells = []
        for column, width, cell, mark in zip(columns, widths, line, marks, strict=True):
            broken = column.kind == "words" and not column.cut
            text = Text(_broken(cell, width) if broken else cell)
            if column.kind != "words":
                text.highlight_regex(r"\[[^\]]*\]|(?<=\n)\S+\.\.\S+", "dim")
            if mark is not None:
                text.stylize("bold green" if mark else "green")
            cells.append(text)
        shown.add_row(*cells)
    console.print(shown)
