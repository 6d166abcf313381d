"""Cells of a CSV table: no spreadsheet may run text from a conversation as a formula."""

from __future__ import annotations

import re
from typing import Any

# Spreadsheets pass over white space before a formula, and some read signs of full width; what
# cannot be seen may be lost on the way to them.
_UNSEEN = (
    r"\s\0-\x1f\x7f\u00ad\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\U000e0000-\U000e007f"
)
_FORMULA = re.compile(rf"'*(?:[\t\r]|[{_UNSEEN}]*[=+\-@\uff1d\uff0b\uff0d\uff20])")


def guarded(cell: Any) -> Any:
    """A cell that no spreadsheet runs as a formula: text that starts like one gets a `'`.

    White space before the sign changes nothing: some spreadsheets drop it.

    >>> guarded("=1+1"), guarded(-2.0)
    ("'=1+1", -2.0)
    """
    return f"'{cell}" if isinstance(cell, str) and _FORMULA.match(cell) else cell


def unguarded(cell: Any) -> Any:
    """The inverse of `guarded`.

    >>> unguarded("'=1+1"), unguarded("'tis")
    ('=1+1', "'tis")
    """
    text = isinstance(cell, str) and cell.startswith("'")
    return cell[1:] if text and _FORMULA.match(cell) else cell
