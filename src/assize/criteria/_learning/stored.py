"""What a run of learning left in its folder, read again: the pool, and the patterns behind it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from assize.base.errors import DataError
from assize.criteria._criterion import POLARITIES, Pattern
from assize.criteria._learning.learn import PATTERNS, POOL
from assize.criteria._learning.learnt import Learnt
from assize.criteria._reading import load_criteria
from assize.formats.rows import open_rows


def is_pool(folder: str | Path) -> bool:
    """Whether `assize criteria learn` has written a pool there."""
    place = Path(folder)
    return (place / POOL).is_file() and (place / PATTERNS).is_file()


def stored_pool(folder: str | Path) -> Learnt:
    """The pool of a folder, edited or not, with its patterns; nothing is known of how it went.

    Raises:
        DataError: a file cannot be read; says where.
    """
    place = Path(folder)
    return Learnt(load_criteria(str(place / POOL)), tuple(_patterns(place / PATTERNS)), {})


def _patterns(path: Path) -> Iterator[Pattern]:
    """The lines of `patterns.jsonl`, none where no pattern was found."""
    if not path.stat().st_size:
        return
    with open_rows(str(path)) as (_, rows):
        for row in rows:
            try:
                if row.problem is not None:
                    raise ValueError(row.problem)
                yield _pattern(row.value)
            except (KeyError, TypeError, ValueError) as error:
                problem = f"no pattern ({error}); take the file as the run wrote it"
                raise DataError(problem, source=str(path), line=row.line) from None


def _pattern(line: Mapping[str, Any]) -> Pattern:
    """The pattern of a line, as `pattern_line` made it."""
    if line["polarity"] not in POLARITIES:
        raise ValueError(f"polarity {line['polarity']!r}; allowed are sat and dsat")
    return Pattern(
        str(line["id"]),
        str(line["conversation"]),
        line["polarity"],
        str(line["pattern"]),
        str(line.get("reason") or ""),
        tuple(int(one) for one in line.get("turns") or ()),
    )
