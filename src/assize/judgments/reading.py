"""Columns from elsewhere made into the columns of judgments, and whether they are sound."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import reduce
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from assize.base.errors import DataError
from assize.base.judgment import REQUESTED, Judgment
from assize.judgments.schema import (
    ALWAYS,
    NAME,
    RECORDS,
    SCHEMA,
    SHARES,
    UNSCORED,
    VERSION,
    VERSION_KEY,
    absent,
    from_object,
    from_rows,
    shares_array,
)

_ROUNDING = 1e-6
_OBJECTS = ("distribution", "details", "unscored", "usage", "extra")
_NEEDED = ("item", "judge", "question")
_ALLOWED = {"order": ("AB", "BA"), "kind": ("person", "model", "metric", "evaluator")}


def conform(table: pa.Table, *, ours: bool = False) -> pa.Table:
    """A table in `SCHEMA` from one with columns of the same names.

    Args:
        ours: it was written in this schema, so no name stands twice in a dictionary.

    Raises:
        DataError: a column that every judgment has is missing, or one cannot be read.
    """
    names = table.schema.names
    for name in _NEEDED:
        if name not in names:
            raise DataError(
                f"no column {name!r}; a judgment has {', '.join(_NEEDED)} and a result; these are"
                f" {', '.join(names)}",
                field=name,
            )
    if not set(names) <= set(SCHEMA.names) or any(_holds_objects(one) for one in table.schema):
        objects = from_rows(_rows_with_objects(table))
    else:
        objects = None
    arrays = []
    for wanted in SCHEMA:
        if objects is not None and wanted.name in _OBJECTS:
            arrays.append(objects[wanted.name])
        elif wanted.name in names:
            arrays.append(_cast(table[wanted.name], wanted, ours))
        else:
            arrays.append(absent(wanted, len(table)))
    return _mark_answered(pa.Table.from_arrays(arrays, schema=SCHEMA))


def _holds_objects(column: pa.Field) -> bool:
    """Whether a column holds structs, dicts or JSON text that are read row by row."""
    return column.name in _OBJECTS and column.type != SCHEMA.field(column.name).type


def _rows_with_objects(table: pa.Table) -> list[Judgment]:
    """The distributions, details and other objects of each row, and its unknown columns."""
    names = [name for name in table.schema.names if name in _OBJECTS or name not in SCHEMA.names]
    rows = []
    for row in table.select(names).to_pylist():
        values = {name: _read_object(name, part) for name, part in row.items() if part is not None}
        extra = values.pop("extra", None) or {}
        rows.append(from_object({"item": "", "judge": "", "question": "", **extra, **values}))
    return rows


def _read_object(name: str, value: Any) -> Any:
    """An object that came as a struct, which has every field of its column, or as JSON text."""
    if name not in _OBJECTS:
        return value
    if isinstance(value, str):
        value = json.loads(value)
    if isinstance(value, list):
        return {share["answer"]: share["p"] for share in value}
    kept = {key: part for key, part in value.items() if part is not None}
    beside = kept.pop("extra", None) if name in RECORDS else None
    return kept | (json.loads(beside) if isinstance(beside, str) else beside or {})


def _mark_answered(table: pa.Table) -> pa.Table:
    """Requests that were filled in are unscored no more."""
    unscored = table["unscored"]
    if unscored.null_count == len(table):
        return table
    scored = [pc.is_valid(table[name]) for name in ("answer", "score", "distribution")]
    asked = pc.equal(pc.struct_field(unscored, "reason"), REQUESTED).fill_null(False)
    filled = pc.and_(asked, reduce(pc.or_, scored)).to_pylist()
    reasons = zip(filled, unscored.to_pylist(), strict=True)
    open_reasons = pa.array([None if done else reason for done, reason in reasons], UNSCORED)
    place = table.schema.get_field_index("unscored")
    return table.set_column(place, table.schema.field(place), open_reasons)


def _cast(column: Any, wanted: pa.Field, ours: bool) -> Any:
    """A column in the type of the schema; each name stands once in its dictionary."""
    if wanted.name in ALWAYS and column.null_count:
        column = column.fill_null(ALWAYS[wanted.name])
    if ours and column.type == wanted.type:
        return column
    try:
        if wanted.type == NAME and not ours:
            return column.cast(pa.string()).dictionary_encode().cast(NAME)
        if wanted.type == SHARES and not ours:
            return pa.chunked_array([_recode(chunk) for chunk in column.chunks], SHARES)
        return column.cast(wanted.type)
    except (pa.ArrowException, ValueError, TypeError) as error:
        raise DataError(
            f"column {wanted.name!r} holds {column.type}, not {wanted.type} ({error})",
            field=wanted.name,
        ) from error


def _recode(column: pa.ListArray) -> pa.ListArray:
    """Distributions whose answers are each named once in their dictionary."""
    shares = column.flatten()
    sizes = column.value_lengths()
    return shares_array(
        shares.field("answer").cast(pa.string()).dictionary_encode(),
        shares.field("p"),
        np.concatenate([[0], np.cumsum(sizes.fill_null(0).to_numpy())]),
        missing=sizes.is_null().to_numpy(zero_copy_only=False),
    )


def check_version(metadata: Mapping[bytes, bytes] | None, source: str) -> None:
    """Refuses a file whose columns another version of assize wrote.

    Raises:
        DataError: says which version it is, and which is read.
    """
    stated = (metadata or {}).get(VERSION_KEY)
    if stated is not None and stated != str(VERSION).encode():
        raise DataError(
            f"judgments of schema version {stated.decode(errors='replace')[:20]}; this assize"
            f" reads {VERSION}: another version wrote it",
            source=source,
        )


def problem_of(table: pa.Table) -> DataError | None:
    """What makes a row no judgment that a reader of records would take as it stands; None where
    every row is one."""
    for name in _NEEDED:
        if table[name].null_count or "" in _names_in(table[name]):
            return DataError("a row has none", field=name)
    for name, allowed in _ALLOWED.items():
        if not _names_in(table[name]) <= {*allowed, None}:
            return DataError(f"allowed are {', '.join(allowed)}", field=name)
    for name in ("turn", "repeat", "attempts"):
        if (pc.min(table[name]).as_py() or 0) < 0:
            return DataError("a count is below 0", field=name)
    said = [pc.is_valid(table[name]) for name in ("answer", "score", "distribution", "unscored")]
    if pc.all(reduce(pc.or_, said)).as_py() is False:
        return DataError("a row needs one of `answer`, `score`, `distribution` or `unscored`")
    if pc.all(pc.is_finite(table["score"])).as_py() is False:
        return DataError("a score is a finite number or null", field="score")
    if not _shares_sound(table):
        problem = "probabilities are in 0..1, and at most 1 together with `outside`"
        return DataError(problem, field="distribution")
    return None


def _names_in(column: Any) -> set[str | None]:
    """The different names of a column."""
    found: set[str | None] = set()
    for chunk in column.chunks:
        used = occurring(chunk.indices.drop_null().to_numpy(), len(chunk.dictionary))
        found.update(chunk.dictionary.filter(pa.array(used)).to_pylist())
    return found


def occurring(codes: NDArray[np.integer[Any]], size: int) -> NDArray[np.bool_]:
    """(size,) which of the codes below `size` there are.

    >>> occurring(np.array([2, 0, 2]), 4)
    array([ True, False,  True, False])
    """
    found = np.zeros(size, dtype=bool)
    found[codes] = True
    return found


def _shares_sound(table: pa.Table) -> bool:
    """Whether probabilities are in 0..1, and those of a row at most 1 together."""
    total = np.zeros(len(table))
    outside = table["outside"]
    if outside.null_count < len(table):
        total = outside.fill_null(0.0).to_numpy()
        if not ((total >= 0) & (total <= 1)).all():
            return False
        total = total.copy()
    start = 0
    for chunk in table["distribution"].chunks:
        p = chunk.flatten().field("p")
        if len(p):
            if p.null_count or chunk.flatten().field("answer").null_count:
                return False
            values = p.to_numpy()
            if not (values.min() >= 0 and values.max() <= 1):  # NaN fails too
                return False
            sizes = chunk.value_lengths().fill_null(0).to_numpy(zero_copy_only=False)
            some = sizes > 0
            begins = np.cumsum(sizes)[some] - sizes[some]
            total[start : start + len(chunk)][some] += np.add.reduceat(values, begins)
        start += len(chunk)
    return bool((total <= 1 + _ROUNDING).all())
