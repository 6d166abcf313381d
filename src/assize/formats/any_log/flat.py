"""Logs with a message a row, or a question and its answer: the rows of one id are a conversation.

Rows of several conversations may follow each other in any order, as a service writes them; so all
of a file's rows are in memory.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from assize.base.errors import DataError, shorten
from assize.formats.any_log.mapping import FieldMapping
from assize.formats.any_log.paths import ABSENT, describe_missing, find
from assize.formats.rows import Row, join_rows

EXCHANGES = "exchanges"


def group_rows(rows: Iterator[Row], mapping: FieldMapping, kind: str) -> Iterator[Row]:
    """Make one row of each conversation, in the order in which they begin.

    Messages are in the order of their `turn` or `time` where the mapping names one, else of
    the file. Questions and answers without an id are a conversation each.
    """
    path = mapping.fields.get("id")
    if path is None:
        yield from _without_ids(rows, kind)
        return
    groups: dict[str, list[Row]] = {}
    for row in rows:
        name = find(row.value, path)
        if name is ABSENT or name is None or name == "" or isinstance(name, dict | list):
            why = (
                describe_missing(row.value, path) if name is ABSENT else f"received {shorten(name)}"
            )
            yield row.refuse(f"{path}: {why}; it names the conversation of each row")
        else:
            groups.setdefault(str(name), []).append(row)
    for name in list(groups):
        yield _in_order(groups.pop(name), mapping)


def _without_ids(rows: Iterator[Row], kind: str) -> Iterator[Row]:
    for row in rows:
        if kind != EXCHANGES:
            raise DataError(
                "every row is one message, and the mapping does not say which belong together;"
                " name the field with the conversation's id, as id=FIELD in --map",
                source=row.source,
            )
        yield join_rows([row])


def _in_order(rows: list[Row], mapping: FieldMapping) -> Row:
    """The rows of a conversation as one, in the order of their turns or times."""
    path = mapping.fields.get("turn", mapping.fields.get("time"))
    if path is None or len(rows) == 1:
        return join_rows(rows)
    places = [find(row.value, path) for row in rows]
    for row, place in zip(rows, places, strict=True):
        if place is ABSENT or place is None or place == "":
            why = describe_missing(row.value, path) if place is ABSENT else "is empty"
            return row.refuse(f"{path} {why}; without it nothing says where the message belongs")
    keys = _keys(places)
    return join_rows([rows[index] for index in sorted(range(len(rows)), key=keys.__getitem__)])


def _keys(places: list[Any]) -> list[Any]:
    """Numbers where all are, else text: ISO times are in order as text."""
    try:
        numbers = [float(place) for place in places]
    except (TypeError, ValueError):
        return [str(place) for place in places]
    return numbers if all(map(math.isfinite, numbers)) else [str(place) for place in places]
