"""Texts in which marks say where a part begins: transcripts, and lists of sources."""

from __future__ import annotations

import re


def split_at_marks(text: str, mark: re.Pattern[str]) -> list[tuple[re.Match[str], str]]:
    """Return each mark with the text up to the next; none where anything stands before the first.

    >>> [(mark[1], text) for mark, text in split_at_marks("A: x B: y", re.compile("([AB]): "))]
    [('A', 'x '), ('B', 'y')]
    """
    marks = list(mark.finditer(text))
    if not marks or text[: marks[0].start()].strip():
        return []
    ends = [*(found.start() for found in marks[1:]), len(text)]
    return [(found, text[found.end() : end]) for found, end in zip(marks, ends, strict=True)]
