"""Whether a file is a spreadsheet that is read as no judgments, which an error should explain."""

from __future__ import annotations

from pathlib import Path

from assize.base.errors import DataError
from assize.formats.files import is_read_once


def is_no_table_of_ratings(file: str) -> bool:
    """Whether a file is a table of cells in no format that has judgments."""
    from assize.formats.reading import recognise
    from assize.formats.rows import open_rows

    if is_read_once(file) or Path(file).is_dir():
        return False
    try:
        with open_rows(file) as (sample, _):
            if sample.container != "csv":
                return False
            try:
                found = recognise(sample)
            except DataError:
                return True
    except DataError:
        return False
    return found.name in ITEMS


ITEMS = ("prompt-completion", "turns-csv", "openai")
"""Formats of tables that hold what is rated, and no ratings."""
