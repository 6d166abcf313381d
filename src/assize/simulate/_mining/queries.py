"""What people asked, out of a log: queries a line, rows, conversations, or clicks.

A log of clicks has a row a click: `query`, the `address` that was clicked, and `dwell`, the seconds
that were spent there. A log of queries has `query` alone, or is a text with one a line. Of a
conversation the user's first turn is what was asked.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

from assize.base.conversation import Conversation
from assize.base.errors import DataError
from assize.formats import Items
from assize.formats.read_options import ReadOptions
from assize.formats.rows import open_rows, readable
from assize.simulate._lengths import plain
from assize.simulate._text_lines import is_plain_text, text_lines

Kind = Literal["queries", "conversations", "clicks"]


@dataclass(frozen=True, slots=True)
class Asked:
    """One row of a log.

    Args:
        text: what was asked.
        source: the conversation it opened; None for a query.
        address: what was clicked; None where nothing was.
        dwell: seconds spent there; None where nobody counted.
    """

    text: str
    source: str | None = None
    address: str | None = None
    dwell: float | None = None


@dataclass(frozen=True, slots=True)
class Query:
    """What was asked, however often, with the pages that were clicked for it.

    Args:
        count: rows that asked it.
        clicks: by address.
        source: the first conversation that it opened.
    """

    text: str
    count: int = 1
    clicks: Mapping[str, int] = field(default_factory=dict)
    source: str | None = None


def read_log(given: Any) -> list[Asked]:
    """The rows of files, or of objects and conversations in memory, in order.

    Raises:
        DataError: a row is none of a log, or there is no row.
    """
    items = given if isinstance(given, Items) else Items(given, ReadOptions(), "log")
    source = items.source
    several = source if isinstance(source, Sequence) and not isinstance(source, str) else [source]
    found: list[Asked] = []
    rest: list[Any] = []
    for number, one in enumerate(several, start=1):
        if isinstance(one, str | Path):
            found += _in_file(one, items)
        elif _asks(one):
            found.append(_row(one, "log", number))
        else:
            rest.append(one)
    if rest:
        found += _openings(items.part(rest))
    if not found:
        raise DataError("the log is empty; give queries, conversations or clicks", source="log")
    return found


def _in_file(location: str | Path, items: Items) -> Iterator[Asked]:
    if is_plain_text(location):
        yield from map(Asked, text_lines(location))
        return
    with open_rows(location, items.options.max_bytes) as (sample, rows):
        if _asks(sample.first):
            for row in readable(rows):
                yield _row(row.value, row.source, row.line)
            return
    yield from _openings(items.part(str(location)))


def _openings(items: Items) -> Iterator[Asked]:
    """The first turn of the user of each conversation."""
    for one in items:
        if isinstance(one, Conversation):
            said = [turn.text for turn in one.turns if turn.role == "user" and turn.text.strip()]
            if said:
                yield Asked(said[0], one.id)


def _asks(row: Any) -> bool:
    return isinstance(row, Mapping) and "query" in row


def _row(row: Any, source: str, line: int) -> Asked:
    if not _asks(row):
        fields = ", ".join(map(str, row)) if isinstance(row, Mapping) else f"{row!r:.60}"
        problem = f"no query here, but {fields}; a row needs a field `query`"
        raise DataError(problem, source=source, line=line)
    text, address = (str(value or "").strip() for value in (row["query"], address_in(row)))
    spent = row.get("dwell")
    try:
        seconds = None if spent in (None, "") else float(spent)
    except (TypeError, ValueError):
        problem = f"received {spent!r:.60} for dwell; expected a number of seconds"
        raise DataError(problem, source=source, line=line) from None
    return Asked(text, None, address or None, seconds)


def address_in(row: Mapping[str, Any]) -> Any:
    """What a row has as its `address`, or as its `url`."""
    return row.get("address") or row.get("url")


def counted_up(asked: Iterable[Asked]) -> list[Query]:
    """Each query once, whatever its case and blanks, in order of first appearance."""
    found: dict[str, Query] = {}
    clicks: dict[str, Counter[str]] = {}
    for one in asked:
        key = plain(one.text)
        if not key:
            continue
        known = found.get(key)
        if known is None:
            found[key], clicks[key] = Query(one.text, 0, {}, one.source), Counter()
        found[key] = replace(found[key], count=found[key].count + 1)
        if one.address is not None:
            clicks[key][one.address] += 1
    return [replace(one, clicks=dict(clicks[key])) for key, one in found.items()]


def together(first: Query, other: Query) -> Query:
    """The first, which also stands for the other."""
    clicks = Counter(first.clicks) + Counter(other.clicks)
    return replace(first, count=first.count + other.count, clicks=dict(clicks))
