"""Judgments as columns: the schema of every table, and the way there and back.

Names that repeat (item, judge, question, answer, ...) are dictionaries of codes; what is
free-form (details, unknown fields) is JSON text. Half a character becomes U+FFFD.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import fields
from functools import partial
from itertools import chain
from typing import Any

import numpy as np
import pyarrow as pa

from assize.base.errors import DataError
from assize.base.judgment import Judgment, Unscored, Usage
from assize.base.whole_text import replace_halves

VERSION = 2
"""Of the schema."""

VERSION_KEY = b"assize.judgments"
"""Under which the version stands in a file's metadata."""

NAME = pa.dictionary(pa.int32(), pa.string())
SHARES = pa.list_(pa.struct([("answer", NAME), ("p", pa.float64())]))
UNSCORED = pa.struct([("reason", pa.string()), ("message", pa.string())])
USAGE = pa.struct(
    [
        ("input_tokens", pa.int64()),
        ("output_tokens", pa.int64()),
        ("cost_usd", pa.float64()),
        ("cached", pa.bool_()),
        ("extra", pa.string()),
    ]
)
SCHEMA = pa.schema(
    [
        ("item", NAME),
        ("judge", NAME),
        ("question", NAME),
        ("answer", NAME),
        ("score", pa.float64()),
        ("distribution", SHARES),
        ("outside", pa.float64()),
        ("order", NAME),
        ("turn", pa.int64()),
        ("repeat", pa.int64()),
        ("anonymous", pa.bool_()),
        ("call", pa.string()),
        ("kind", NAME),
        ("explanation", pa.string()),
        ("details", pa.string()),
        ("unscored", UNSCORED),
        ("attempts", pa.int64()),
        ("usage", USAGE),
        ("signature", NAME),
        ("at", NAME),
        ("extra", pa.string()),
    ],
    metadata={VERSION_KEY: str(VERSION).encode()},
)
ALWAYS = {"repeat": 0, "anonymous": False}  # what an absent value stands for
_BATCH = 8192


def from_rows(rows: Sequence[Judgment]) -> pa.Table:
    """Judgments as columns, in their order.

    Raises:
        TypeError: `details` or unknown fields hold what JSON does not know.
        DataError: a count needs more than 64 bits.
    """
    try:
        return _columns(rows)
    except UnicodeError:
        return _columns([replace_halves(row) for row in rows])
    except OverflowError as error:
        raise DataError(f"a count is too large for a column of whole numbers ({error})") from None


def table_of(columns: Mapping[str, pa.Array], size: int) -> pa.Table:
    """A table of these columns and `size` rows, all other fields absent."""
    arrays = [columns.get(one.name, absent(one, size)) for one in SCHEMA]
    return pa.Table.from_arrays(arrays, schema=SCHEMA)


def absent(field: pa.Field, size: int) -> pa.Array:
    """A column that nobody gave."""
    if field.name in ALWAYS:
        return pa.repeat(pa.scalar(ALWAYS[field.name], field.type), size)
    return pa.nulls(size, field.type)


def _columns(rows: Sequence[Judgment]) -> pa.Table:
    arrays = {
        field.name: _BUILD.get(field.name, _plain)(
            [getattr(row, field.name) for row in rows], field
        )
        for field in SCHEMA
    }
    return pa.Table.from_arrays([arrays[name] for name in SCHEMA.names], schema=SCHEMA)


def _plain(values: list[Any], field: pa.Field) -> pa.Array:
    if field.type == NAME:
        return _names(values)
    return pa.array(values, field.type, from_pandas=True)


def _names(values: Sequence[str | None]) -> pa.Array:
    found = pa.array(values, pa.string()).dictionary_encode()
    return found.cast(NAME)


def _shares(values: list[Mapping[str, float] | None], field: pa.Field) -> pa.Array:
    sizes = [0 if one is None else len(one) for one in values]
    return shares_array(
        _names(list(chain.from_iterable(one for one in values if one))),
        pa.array(list(chain.from_iterable(one.values() for one in values if one)), pa.float64()),
        np.concatenate([[0], np.cumsum(sizes)]),
        missing=np.array([one is None for one in values], dtype=bool),
    )


def shares_array(
    answers: pa.Array, p: pa.Array, offsets: np.ndarray, *, missing: np.ndarray | None = None
) -> pa.Array:
    """Distributions from their parts.

    Args:
        answers, p: one entry a share, those of a row together.
        offsets: (N + 1,) where each row's begin; the last is where all end.
        missing: (N,) rows without a distribution; none when None.
    """
    shares = pa.StructArray.from_arrays([answers, p], fields=list(SHARES.value_type))
    mask = None if missing is None or not missing.any() else pa.array(missing)
    return pa.ListArray.from_arrays(
        pa.array(offsets.astype(np.int32)), shares, type=SHARES, mask=mask
    )


def _structs(values: list[Any], field: pa.Field) -> pa.Array:
    """Records such as `Usage`; what a record holds beyond the columns as JSON text."""
    missing = pa.array([one is None for one in values], pa.bool_())
    parts = [
        pa.array([None if one is None else _part(one, part.name) for one in values], part.type)
        for part in field.type
    ]
    return pa.StructArray.from_arrays(parts, fields=list(field.type), mask=missing)


def _part(value: Any, name: str) -> Any:
    part = getattr(value, name)
    return (json.dumps(part) if part else None) if name == "extra" else part


def _json_texts(values: list[Any], field: pa.Field) -> pa.Array:
    empty = field.name == "extra"  # for which {} is none
    dump = partial(json.dumps, ensure_ascii=False, default=_as_object)
    texts = [None if one is None or (empty and not one) else dump(one) for one in values]
    return pa.array(texts, pa.string())


def _as_object(value: Any) -> Any:
    if isinstance(value, Mapping):
        return dict(value)
    if hasattr(value, "tolist"):
        return value.tolist()
    raise TypeError(f"details hold a {type(value).__name__}; give what JSON knows")


_BUILD: Mapping[str, Callable[[list[Any], pa.Field], pa.Array]] = {
    "distribution": _shares,
    "unscored": _structs,
    "usage": _structs,
    "details": _json_texts,
    "extra": _json_texts,
}


def to_rows(table: pa.Table) -> Iterator[Judgment]:
    """The judgments of a table in `SCHEMA`, in order; a batch at a time is in memory."""
    for batch in table.to_batches(_BATCH):
        names = [
            name for name in SCHEMA.names if name == "item" or batch[name].null_count < len(batch)
        ]
        columns = [_READ.get(name, _values)(batch[name]) for name in names]
        for parts in zip(*columns, strict=True):
            yield Judgment(**dict(zip(names, parts, strict=True)))


def _values(column: pa.Array) -> list[Any]:
    if isinstance(column, pa.DictionaryArray):
        known = column.dictionary.to_pylist()
        return [None if code is None else known[code] for code in column.indices.to_pylist()]
    found: list[Any] = column.to_pylist()
    return found


def _distributions(column: pa.Array) -> list[Any]:
    flat = column.flatten()
    shares = list(zip(_values(flat.field("answer")), flat.field("p").to_pylist(), strict=True))
    found: list[Any] = []
    end = 0
    for size in column.value_lengths().to_pylist():
        found.append(None if size is None else dict(shares[end : end + size]))
        end += size or 0
    return found


def _reasons(column: pa.Array) -> list[Any]:
    return [
        None if one is None else Unscored(one["reason"], one["message"] or "")
        for one in column.to_pylist()
    ]


def _usages(column: pa.Array) -> list[Any]:
    return [None if one is None else _usage(one) for one in column.to_pylist()]


def _usage(given: dict[str, Any]) -> Usage:
    known = {name: value for name, value in given.items() if value is not None}
    if "extra" in known:
        known["extra"] = json.loads(known["extra"])
    return Usage(**known)


_READ: Mapping[str, Callable[[pa.Array], list[Any]]] = {
    "distribution": _distributions,
    "unscored": _reasons,
    "usage": _usages,
    "details": lambda column: [one and _object(one, "details") for one in column.to_pylist()],
    "extra": lambda column: [_object(one, "extra") if one else {} for one in column.to_pylist()],
    "repeat": lambda column: [one or 0 for one in column.to_pylist()],
    "anonymous": lambda column: [bool(one) for one in column.to_pylist()],
}


def _object(text: str, field: str) -> dict[str, Any]:
    """What stands in a column of JSON text; raises DataError where that is no object."""
    try:
        found = json.loads(text)
    except ValueError as error:
        raise DataError(f"not JSON ({error})", field=field) from error
    if not isinstance(found, dict):
        raise DataError(f"received {ascii(found)[:60]}; expected an object", field=field)
    return found


RECORDS: Mapping[str, Any] = {"unscored": Unscored, "usage": Usage}


def from_object(record: Mapping[str, Any], made: Any = Judgment) -> Any:
    """A judgment, or what stands in one, from an object; what is not known of it in `extra`."""
    known = {one.name for one in fields(made)} - {"extra"}
    given = {name: value for name, value in record.items() if name in known and value is not None}
    extra = {name: value for name, value in record.items() if name not in known}
    for name, part in RECORDS.items():
        if name in given:
            given[name] = from_object(given[name], part)
    return made(**given, extra=extra) if extra else made(**given)
