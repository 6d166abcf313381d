"""Columns from elsewhere made into the columns of judgments, and whether they are sound."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from assize.errors import DataError
from assize.judgment import Judgment, Unscored, Usage
from assize.judgments.schema import (
    NAME,
    SCHEMA,
    SHARES,
    UNSCORED,
    USAGE,
    VERSION,
    VERSION_KEY,
    from_rows,
)

_ROUNDING = 1e-6
_NEEDED = ("item", "judge", "question")
_ALLOWED = {"order": ("AB", "BA"), "kind": ("person", "model", "metric", "evaluator")}


def conform(table: pa.Table) -> pa.Table:
    """A table in `SCHEMA` from one with columns of the same names.

    Raises:
        DataError: a column that every judgment has is missing, or one cannot be read.
    """
    if table.schema.equals(SCHEMA):
        return table
    for name in _NEEDED:
        if name not in table.schema.names:
            problem = f"no column {name!r}; a judgment has {', '.join(_NEEDED)} and a result"
            raise DataError(f"{problem}; these are {', '.join(table.schema.names)}", field=name)
    columns = {name: table[name] for name in table.schema.names}
    unknown = [name for name in columns if name not in SCHEMA.names]
    if unknown:
        columns["extra"] = _folded({name: columns[name] for name in unknown}, columns.get("extra"))
    arrays = [
        _column(columns[one.name], one) if one.name in columns else pa.nulls(len(table), one.type)
        for one in SCHEMA
    ]
    return pa.Table.from_arrays(arrays, schema=SCHEMA)


def _column(column: Any, wanted: pa.Field) -> Any:
    if column.type == wanted.type:
        return column
    try:
        if wanted.type == NAME:
            return column.cast(pa.string()).dictionary_encode().cast(NAME)
        if wanted.type in (SHARES, UNSCORED, USAGE) or wanted.name in ("details", "extra"):
            return _objects(column, wanted.name)
        return column.cast(wanted.type)
    except (pa.ArrowException, ValueError, TypeError, KeyError) as error:
        problem = f"column {wanted.name!r} holds {column.type}, not {wanted.type} ({error})"
        raise DataError(problem, field=wanted.name) from error


def _objects(column: Any, name: str) -> Any:
    """A column of objects, whether they came as structs, as dicts or as JSON text."""
    values = [json.loads(one) if isinstance(one, str) else one for one in column.to_pylist()]
    made = {"unscored": Unscored, "usage": Usage}.get(name)
    if name == "distribution":
        values = [_shares(one) for one in values]
    elif made is not None:
        values = [None if one is None else made(**_given(one)) for one in values]
    absent: Any = {} if name == "extra" else None
    rows = [Judgment("", "", "", **{name: absent if one is None else one}) for one in values]
    return from_rows(rows)[name]


def _shares(value: Any) -> Mapping[str, float] | None:
    if isinstance(value, Mapping):  # a struct has every answer of the column: None is absent
        return {answer: p for answer, p in value.items() if p is not None}
    return None if value is None else {one["answer"]: one["p"] for one in value}


def _given(value: Mapping[str, Any]) -> dict[str, Any]:
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
    """Refuses a file whose columns a later version of assize wrote.

    Raises:
        DataError: says which version it is, and which are read.
    """
    stated = (metadata or {}).get(VERSION_KEY)
    if stated is not None and stated not in _VERSIONS:
        raise DataError(
            f"judgments of schema version {stated.decode(errors='replace')[:20]}; this assize"
            f" reads up to {VERSION}: install a newer one",
            source=source,
        )


_VERSIONS = frozenset(str(one).encode() for one in range(1, VERSION + 1))


def sound(table: pa.Table) -> bool:
    """Whether every row is a judgment that a reader of records would take as it stands."""
    for name in _NEEDED:
        if table[name].null_count or pc.any(pc.equal(table[name].cast(pa.string()), "")).as_py():
            return False
    if any(
        not pc.all(pc.is_in(table[name].cast(pa.string()), pa.array([*ok, None]))).as_py()
        for name, ok in _ALLOWED.items()
        if table[name].null_count < len(table)
    ):
        return False
    if any(_least(table[name]) < 0 for name in ("turn", "repeat", "attempts")):
        return False
    said = [pc.is_valid(table[name]) for name in ("answer", "score", "distribution", "unscored")]
    anything = said[0]
    for one in said[1:]:
        anything = pc.or_(anything, one)
    score = table["score"]
    return bool(
        pc.all(anything).as_py() is not False
        and pc.all(pc.is_finite(score)).as_py() is not False
        and _shares_sound(table)
    )


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
            if not ((values >= 0) & (values <= 1)).all():  # NaN fails too
                return False
            sizes = chunk.value_lengths().fill_null(0).to_numpy(zero_copy_only=False)
            rows = np.repeat(np.arange(len(chunk)), sizes)
            total[start : start + len(chunk)] += np.bincount(rows, values, len(chunk))
        start += len(chunk)
    return bool((total <= 1 + _ROUNDING).all())
