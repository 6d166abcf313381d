"""assize's own records, one JSON object a line: conversations, pairs, continuations, judgments."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from assize.formats.format import Format, Options
from assize.formats.records import Record, parse, to_json
from assize.formats.rows import Row, Sample


def recognise(sample: Sample) -> bool:
    """Whether the first row spells out one of the four records."""
    return any(
        sample.has(*marks)
        for marks in (("id", "turns"), ("a", "b"), ("candidate", "context"), ("item", "judge"))
    )


def read(row: Row, options: Options) -> Iterable[Record]:
    """One record a row."""
    yield parse(row.value)


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
