"""assize's judgments as a CSV table; what is nested stands in its cell as JSON."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import fields
from typing import Any

from assize.base.cells import unguarded
from assize.base.errors import DataError
from assize.base.judgment import Judgment
from assize.formats.format import Format, Options
from assize.formats.messages import object_at, only
from assize.formats.records import Record, parse, to_json
from assize.formats.rows import Row, Sample, decoded

COLUMNS = tuple(field.name for field in fields(Judgment))
_JSON = ("distribution", "details", "unscored", "usage", "extra")


def recognise(sample: Sample) -> bool:
    """Whether the table has the columns that every judgment has."""
    return sample.container == "csv" and sample.has("item", "judge", "question")


def read(row: Row, options: Options) -> Iterable[Record]:
    """One judgment a row; an empty cell is an absent field, other columns are kept."""
    cells = {name: unguarded(cell) for name, cell in object_at(row.value, "").items() if cell != ""}
    value: dict[str, Any] = {
        name: _json(cell, name) if name in _JSON else cell for name, cell in cells.items()
    }
    extra = value.pop("extra", {})
    for needed in ("item", "judge"):
        if needed not in value:
            raise DataError("is empty", field=needed)
    yield parse(extra | value)


def _json(cell: Any, field: str) -> Any:
    try:
        value = decoded(cell) if isinstance(cell, str) else cell
    except ValueError as error:
        raise DataError(f"not JSON ({error})", field=field) from error
    return object_at(value, field)


def write(record: Record) -> Iterable[Any]:
    """One judgment a row."""
    held = (
        "a CSV table of assize holds judgments:"
        " write .jsonl or .parquet, or conversations as turns-csv"
    )
    record = only(record, Judgment, held)
    if record.answer == "":
        raise DataError(
            "received an empty answer, which reads like none in a CSV cell; write .jsonl",
            field="answer",
        )
    row = to_json(record)
    extra = {name: row.pop(name) for name in list(row) if name == "extra" or name not in COLUMNS}
    cells = {name: _cell(value) for name, value in row.items()}
    if extra:
        cells["extra"] = json.dumps(extra, ensure_ascii=False)
    yield cells


def _cell(value: Any) -> Any:
    if isinstance(value, bool):
        return "true" if value else "false"
    return json.dumps(value, ensure_ascii=False) if isinstance(value, Mapping) else value


ASSIZE_CSV = Format(
    name="assize-csv",
    summary="assize's judgments as a CSV table",
    recognise=recognise,
    parse=read,
    unparse=write,
    container="csv",
    columns=COLUMNS,
)
