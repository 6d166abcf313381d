"""What the command line prints: notes and errors on stderr, results on stdout.

Text from files is untrusted: control characters are shown as `\\x1b` and the like, so
that a conversation can neither move the cursor nor change the colours.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Protocol


def printable(text: str) -> str:
    r"""The text without control characters, bidirectional overrides or lone surrogates.

    >>> printable("a\x1b[31mb")
    'a\\x1b[31mb'
    """
    return "".join(
        char if char.isprintable() or char in "\n\t" else ascii(char)[1:-1] for char in text
    )


LONGEST = 24  # characters of an id or a group's name in a table


def shortened(name: str, longest: int = LONGEST) -> str:
    """An id or a group's name for a table: where it is long its middle is left out.

    >>> shortened("the-conversation-with-a-long-id-17")
    'the-conversatio...-id-17'
    """
    return name if len(name) <= longest else f"{name[: longest - 9]}...{name[-6:]}"


def note(text: str) -> None:
    """One line on stderr that is no error."""
    print(printable(text), file=sys.stderr)  # noqa: T201


def problem(text: str) -> None:
    """An error on stderr."""
    note(f"assize: error: {text}")


def print_json(value: Any) -> None:
    """The one object that `--json` puts on stdout; NaN is written null."""
    print(json.dumps(value, allow_nan=False))  # noqa: T201


def print_table(
    title: str,
    header: Sequence[str],
    rows: Iterable[Iterable[str]],
    *,
    text: Collection[str] | None = None,
    cut: str | None = None,
) -> None:
    """A table on stdout.

    Args:
        text: columns that are text, on the left; the others are numbers, on the right.
            The first one when None.
        cut: the column that gives way where the terminal is narrow: one line, cut at its end.
    """
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(
        box=box.SIMPLE_HEAD,
        expand=cut is not None,
    )
    left = header[:1] if text is None else text
    for name in header:
        table.add_column(
            name,
            justify="left" if name in left else "right",
            overflow="ellipsis" if name == cut else "fold",
            no_wrap=name == cut,
            ratio=1 if name == cut else None,
        )
    for row in rows:
        table.add_row(*(Text(printable(cell)) for cell in row))
    console = Console()
    console.print(Text(printable(title), style="bold"))  # as a table's own it would be as narrow
    console.print(table)


def print_pieces(title: str, header: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """A table on stdout; in pieces where the terminal is too narrow, each with the first column."""
    from rich.cells import cell_len
    from rich.console import Console

    room = Console().width
    widths = [3 + max(map(cell_len, column)) for column in zip(header, *rows, strict=True)]
    pieces: list[list[int]] = [[]]
    for place in range(1, len(header)):
        used = 1 + widths[0] + sum(widths[other] for other in pieces[-1])
        if pieces[-1] and used + widths[place] > room:
            pieces.append([])
        pieces[-1].append(place)
    for number, piece in enumerate(pieces, start=1):
        part = f" ({number} of {len(pieces)})" if len(pieces) > 1 else ""
        shown = ([row[place] for place in (0, *piece)] for row in rows)
        print_table(title + part, [header[place] for place in (0, *piece)], shown)


class Advance(Protocol):
    """Called with the number of items done since the last call."""

    def __call__(self, done: int = 1) -> None:
        """Reports `done` more items."""


@contextmanager
def progress(label: str, total: int | None, *, quiet: bool) -> Iterator[Advance]:
    """A bar on stderr with rate and time left; nothing when quiet or not a terminal.

    Reporting an item costs no more than a call: the bar is drawn by a thread of its own.
    """
    from rich.console import Console

    console = Console(stderr=True)
    if quiet or not console.is_terminal:
        yield lambda done=1: None
        return
    from assize.cli.progress import Bar

    with Bar(label, total, console) as bar:
        yield bar.count
