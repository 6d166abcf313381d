"""Logs with a message a row, or a question and its answer: the rows of one id are a conversation.

Rows of several conversations may follow each other in any order, as a service writes them; so all
of a file's rows are in memory.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from typing import Any

from assize.base.errors import DataError, shown
from assize.formats.any_log.mapping import FieldMapping
from assize.formats.any_log.paths import ABSENT, find, lacking
from assize.formats.rows import Row

EXCHANGES = "exchanges"
_RAW = 10_000


def gathered(rows: Iterator[Row], mapping: FieldMapping, kind: str) -> Iterator[Row]:
    """One row a conversation, in the order in which they begin.

    Messages are in the order of their `turn` or `time` where the mapping names one, else of
    the file. Questions and answers without an id are a conversation each.
    """
    path = mapping.fields.get("id")
    if path is None:
        if kind != EXCHANGES:
            first = next(rows, None)
            if first is not None:
                raise DataError(
                    "every row is one message, and the mapping does not say which belong together;"
                    " name the field with the conversation's id, as id=FIELD in --map",
                    source=first.source,
                )
        yield from (_joined([row]) for row in rows)
        return
    groups: dict[str, list[Row]] = {}
    for row in rows:
        name = find(row.value, path)
        if name is ABSENT or name is None or name == "" or isinstance(name, dict | list):
            why = lacking(row.value, path) if name is ABSENT else f"received {shown(name)}"
            raw = json.dumps(row.value, default=str)[:_RAW]
            problem = f"{path}: {why}; it names the conversation of each row"
            yield Row(None, row.source, row.line, problem, raw)
            continue
        groups.setdefault(str(name), []).append(row)
    for name in list(groups):
        yield _joined(_ordered(groups.pop(name), mapping))


def _joined(rows: list[Row]) -> Row:
    if rows[0].problem is not None:
        return rows[0]
    value = {"rows": [row.value for row in rows], "lines": [row.line for row in rows]}
    return Row(value, rows[0].source, rows[0].line)


def _ordered(rows: list[Row], mapping: FieldMapping) -> list[Row]:
    target = next((one for one in ("turn", "time") if one in mapping.fields), None)
    if target is None or len(rows) == 1:
        return rows
    path = mapping.fields[target]
    places = [find(row.value, path) for row in rows]
    for row, place in zip(rows, places, strict=True):
        if place is ABSENT or place is None or place == "":
            why = lacking(row.value, path) if place is ABSENT else "is empty"
            problem = f"{path} {why}; without it nothing says where the message belongs"
            return [Row(None, row.source, row.line, problem, str(row.value)[:_RAW])]
    order = sorted(range(len(rows)), key=_keys(places).__getitem__)
    return [rows[place] for place in order]


def _keys(places: list[Any]) -> list[Any]:
    """Numbers where all are, else text: ISO times are in order as text."""
    try:
        numbers = [float(place) for place in places]
    except (TypeError, ValueError):
        return [str(place) for place in places]
    return numbers if all(map(math.isfinite, numbers)) else [str(place) for place in places]
