"""Text files with an entry a line: words to look for, kinds of user, queries, topics."""

from __future__ import annotations

from codecs import BOM_UTF8
from collections.abc import Iterator
from pathlib import Path

from assize.base.errors import DataError
from assize.formats.files import Location, open_input, plain_suffix

_TABLES = (".csv", ".tsv", ".parquet", ".xlsx", ".json", ".jsonl", ".ndjson")


def is_plain_text(location: Location) -> bool:
    """Whether each line is an entry by itself, and not a table or JSON."""
    if plain_suffix(location) in _TABLES:
        return False
    with open_input(location) as stream:
        return stream.peek(4).removeprefix(BOM_UTF8).lstrip()[:1] not in (b"{", b"[")


def text_lines(location: Location) -> Iterator[str]:
    """Yield the lines of a text that hold anything, without blanks at their ends.

    Raises:
        DataError: a line is not UTF-8.
    """
    with open_input(location) as stream:
        for number, line in enumerate(stream, start=1):
            try:
                text = line.decode("utf-8-sig" if number == 1 else "utf-8").strip()
            except UnicodeDecodeError:
                problem = "not UTF-8; save the file as UTF-8"
                raise DataError(problem, source=str(location), line=number) from None
            if text:
                yield text


def read_entries(location: str | Path | None) -> tuple[str, ...]:
    """Return the lines of a file without those that begin with #; () for no file.

    Raises:
        DataError: the file cannot be read as text.
    """
    if location is None:
        return ()
    return tuple(line for line in text_lines(str(location)) if not line.startswith("#"))
