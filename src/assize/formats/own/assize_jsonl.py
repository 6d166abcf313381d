"""assize's own records, one JSON object a line: conversations, pairs, continuations, judgments."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from assize.formats.format import Format, Options
from assize.formats.messages import record_id
from assize.formats.records import Record, parse, to_json
from assize.formats.rows import Row, Sample

_ITEMS = {"turns", "a", "candidate"}  # one of which every item has, and no judgment


def recognise(sample: Sample) -> bool:
    """Whether the first row spells out one of the four records; turns in one text do not."""
    return not isinstance(sample.first.get("turns"), str) and any(
        sample.has(*marks)
        for marks in (("id", "turns"), ("a", "b"), ("candidate", "context"), ("item", "judge"))
    )


def read(row: Row, options: Options) -> Iterable[Record]:
    """One record a row; an item without an id is called after its file and line."""
    yield parse(with_id(row.value, row))


def with_id(value: Any, row: Row) -> Any:
    """The fields of an item with an id; anything else as it is."""
    if not isinstance(value, dict) or "id" in value or _ITEMS.isdisjoint(value):
        return value
    return value | {"id": record_id(row)}


def write(record: Record) -> Iterable[Any]:
    """One row a record."""
    yield to_json(record)


ASSIZE = Format(
    name="assize",
    summary="assize's own records, one JSON object a line",
    recognise=recognise,
    parse=read,
    unparse=write,
)
