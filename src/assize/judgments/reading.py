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
    USAGE,
    VERSION,
    VERSION_KEY,
    absent,
    from_object,
    from_rows,
    shares_array,
)

_ROUNDING = 1e-6
_NEEDED = ("item", "judge", "question")
_ALLOWED = {"order": ("AB", "BA"), "kind": ("person", "model", "metric", "evaluator")}


def conform(table: pa.Table, *, ours: bool = False) -> pa.Table:
    """A table in `SCHEMA` from one with columns of the same names.

    Args:
        ours: it was written in this schema, so no name stands twice in a dictionary.

    Raises:
        DataError: a column that every judgment has is missing, or one cannot be read.
    """
    for name in _NEEDED:
        if name not in table.schema.names:
            problem = f"no column {name!r}; a judgment has {', '.join(_NEEDED)} and a result"
            raise DataError(f"{problem}; these are {', '.join(table.schema.names)}", field=name)
    columns = {name: table[name] for name in table.schema.names}
    unknown = [name for name in columns if name not in SCHEMA.names]
    if unknown:
        columns["extra"] = _folded({name: columns[name] for name in unknown}, columns.get("extra"))
    arrays = [
        _column(columns[one.name], one, ours) if one.name in columns else absent(one, len(table))
        for one in SCHEMA
    ]
    return _answered(pa.Table.from_arrays(arrays, schema=SCHEMA))


def _answered(table: pa.Table) -> pa.Table:
    """Requests that were filled in are unscored no more."""
    unscored = table["unscored"]
    if unscored.null_count == len(table):
        return table
    given = [pc.is_valid(table[name]) for name in ("answer", "score", "distribution")]
    asked = pc.equal(pc.struct_field(unscored, "reason"), REQUESTED).fill_null(False)
    filled = pc.and_(asked, reduce(pc.or_, given))
    if not pc.any(filled).as_py():
        return table
    kept = [
        None if done else one
        for done, one in zip(filled.to_pylist(), unscored.to_pylist(), strict=True)
    ]
    place = table.schema.get_field_index("unscored")
    return table.set_column(place, table.schema.field(place), pa.array(kept, UNSCORED))


def _column(column: Any, wanted: pa.Field, ours: bool) -> Any:
    if wanted.name in ALWAYS and column.null_count:
        column = column.fill_null(ALWAYS[wanted.name])
    if column.type == wanted.type and (ours or _plain(column)):
        return column
    if column.type == SHARES:
        return pa.chunked_array([_recoded(chunk) for chunk in column.chunks], SHARES)
    try:
        if wanted.type == NAME:
            return column.cast(pa.string()).dictionary_encode().cast(NAME)
        if wanted.type in (SHARES, UNSCORED, USAGE) or wanted.name in ("details", "extra"):
            return _objects(column, wanted.name)
        return column.cast(wanted.type)
    except (pa.ArrowException, ValueError, TypeError, KeyError) as error:
        raise DataError(
            f"column {wanted.name!r} holds {column.type}, not {wanted.type} ({error})",
            field=wanted.name,
        ) from error


def _plain(column: Any) -> bool:
    """Whether a column of names has each name once, as codes into its dictionaries are read."""
    if column.type == SHARES:
        chunks = [chunk.flatten().field("answer") for chunk in column.chunks]
    elif column.type == NAME:
        chunks = column.chunks
    else:
        return True
    for chunk in chunks:
        known = chunk.dictionary
        if known.null_count or len(known.unique()) < len(known):
            return False
    return True


def _recoded(column: pa.ListArray) -> pa.ListArray:
    """Distributions whose answers are each named once."""
    shares = column.flatten()
    sizes = column.value_lengths()
    return shares_array(
        shares.field("answer").cast(pa.string()).dictionary_encode(),
        shares.field("p"),
        np.concatenate([[0], np.cumsum(sizes.fill_null(0).to_numpy())]),
        missing=sizes.is_null().to_numpy(zero_copy_only=False),
    )


def _objects(column: Any, name: str) -> Any:
    """A column of objects, whether they came as structs, as dicts or as JSON text."""
    values = [
        json.loads(one) if isinstance(one, str) else _given(one) for one in column.to_pylist()
    ]
    if name == "distribution":
        values = [_shares(one) for one in values]
    elif name in RECORDS:
        values = [None if one is None else _record(one, RECORDS[name]) for one in values]
    nothing: Any = {} if name == "extra" else None
    rows = [Judgment("", "", "", **{name: nothing if one is None else one}) for one in values]
    return from_rows(rows)[name]


def _record(value: Mapping[str, Any], made: Any) -> Any:
    """`Usage` or `Unscored` from its fields; what is not known of a usage is kept beside them."""
    extra = value.get("extra")
    beside = json.loads(extra) if isinstance(extra, str) else extra or {}
    known = {name: part for name, part in value.items() if name != "extra"}
    return from_object(known | beside, made)


def _shares(value: Any) -> Mapping[str, float] | None:
    if isinstance(value, Mapping):  # a struct has every answer of the column: None is absent
        return {answer: p for answer, p in value.items() if p is not None}
    return None if value is None else {one["answer"]: one["p"] for one in value}


def _given(value: Any) -> Any:
    """An object without what is absent: a struct has every field of its column."""
    if not isinstance(value, Mapping):
        return value
    return {name: part for name, part in value.items() if part is not None}


def _folded(unknown: Mapping[str, Any], extra: Any) -> pa.Array:
    """Columns that no judgment has, as the text of `extra`."""
    size = len(next(iter(unknown.values())))
    before = [None] * size if extra is None else extra.to_pylist()
    rows = zip(*(column.to_pylist() for column in unknown.values()), strict=True)
    texts = []
    for kept, row in zip(before, rows, strict=True):
        given = {name: part for name, part in zip(unknown, row, strict=True) if part is not None}
        merged = (json.loads(kept) if isinstance(kept, str) else kept or {}) | given
        texts.append(json.dumps(merged, ensure_ascii=False, default=str) if merged else None)
    return pa.array(texts, pa.string())


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
        if _least(table[name]) < 0:
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


def _least(column: Any) -> float:
    least = pc.min(column).as_py()
    return 0 if least is None else least


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
