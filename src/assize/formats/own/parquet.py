"""assize's records as Parquet: one kind of record a file, turns nested, free-form fields
(metadata, details, what assize does not know) as JSON text. Judgments have the columns of
`assize.judgments.schema`."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from assize.base.errors import DataError
from assize.base.judgment import Judgment
from assize.base.whole_text import replace_halves
from assize.formats import rows as raw
from assize.formats.format import Format, Options
from assize.formats.messages import object_at
from assize.formats.own import assize_jsonl
from assize.formats.records import Record, is_table, parse, to_json
from assize.formats.rows import Sample, decoded

if TYPE_CHECKING:
    from assize.formats.parquet_footer import Footer
    from assize.judgments import JudgmentTable

Row = Mapping[str, Any] | Judgment
"""What a record is written as."""

_TURNS = ("turns", "context", "a", "b")
_JSON = ("metadata", "distribution", "details", "unscored", "usage")
# Columns of each kind of record, with the short name of their type.
_TEXT, _COUNT, _TRUTH = "text", "count", "truth"
_ITEM = {"metadata": _TEXT, "extra": _TEXT}
_COLUMNS: Mapping[str, Mapping[str, str]] = {
    "conversation": {"id": _TEXT, "turns": "turns", "system": _TEXT, **_ITEM},
    "pair": {
        "id": _TEXT,
        "context": "turns",
        "a": "turns",
        "b": "turns",
        "shared_user": _TRUTH,
        "gold": _TEXT,
        **_ITEM,
    },
    "continuation": {
        "id": _TEXT,
        "conversation": _TEXT,
        "turn": _COUNT,
        "context": "turns",
        "references": "texts",
        "candidate": _TEXT,
        "source": _TEXT,
        **_ITEM,
    },
}
_NEEDED = {"item", "judge", "question"}  # by which judgments are told
_MARKS = (("pair", "a"), ("continuation", "candidate"))

_GROUP_ROWS = {"judgment": 16_384}
_FEW_ROWS = 1024  # a group of items, which are longer
_GROUP_SIZE = {"judgment": 1_000_000}  # characters, each of which takes more memory
_MOST = 8_000_000  # of a group of items


def recognise(sample: Sample) -> bool:
    """Whether the columns spell out one of assize's records."""
    return sample.container == "parquet" and assize_jsonl.recognise(sample)


def read(row: raw.Row, options: Options) -> Iterable[Record]:
    """One record a row; a null is an absent field."""
    fields = object_at(row.value, "")
    value = _present(fields)
    for name in _JSON:
        if isinstance(value.get(name), str):
            value[name] = _json(value[name], name)
    if isinstance(value.get("distribution"), list):
        value["distribution"] = {one["answer"]: one["p"] for one in value["distribution"]}
    elif isinstance(value.get("distribution"), dict):  # a struct has every answer of its column
        value["distribution"] = _present(value["distribution"])
    if isinstance(value.get("usage"), dict):
        value["usage"] = _spread(value["usage"])
    gold = value.get("gold")
    if isinstance(gold, str) and gold.startswith("{"):
        value["gold"] = _json(gold, "gold")
    for name in _TURNS:
        if isinstance(value.get(name), list):
            value[name] = [_spread(turn) for turn in value[name]]
    yield parse(assize_jsonl.with_id(_unfolded(value), row))


def _present(fields: Mapping[str, Any]) -> dict[str, Any]:
    return {name: part for name, part in fields.items() if part is not None}


def _spread(turn: Any) -> Any:
    """A turn or a reference with its `extra` beside its own fields again."""
    if not isinstance(turn, dict):
        return turn
    value = _unfolded(_present(turn))
    if isinstance(value.get("references"), list):
        value["references"] = [_spread(source) for source in value["references"]]
    if isinstance(value.get("tool_calls"), list):
        value["tool_calls"] = [_spread_call(call) for call in value["tool_calls"]]
    return value


def _spread_call(call: Any) -> Any:
    value = _spread(call)
    if isinstance(value, dict) and isinstance(value.get("arguments"), str):
        with suppress(ValueError):
            value["arguments"] = decoded(value["arguments"])
    return value


def _unfolded(value: dict[str, Any]) -> dict[str, Any]:
    """The fields with those that are folded into `extra` beside them."""
    extra = value.get("extra")
    if isinstance(extra, str):
        extra = _json(extra, "extra")
    if not isinstance(extra, dict):
        return value
    return extra | {name: part for name, part in value.items() if name != "extra"}


def _json(text: str, field: str) -> dict[str, Any]:
    try:
        return object_at(decoded(text), field)
    except ValueError as error:
        raise DataError(f"not JSON ({error})", field=field) from error


def write(record: Record) -> Iterable[Any]:
    """One row a record; a judgment as it is, for its columns are made of many at once."""
    if isinstance(record, Judgment):
        yield record
        return
    value = to_json(record)
    kind = _kind(value)
    own = {name: value.pop(name) for name in _COLUMNS[kind] if name in value}
    value |= {"extra": own.pop("extra")} if "extra" in own else {}
    for name in _TURNS:
        if name in own:
            own[name] = [_packed(turn) for turn in own[name]]
    for name in (*_JSON, "gold"):
        if isinstance(own.get(name), dict):
            own[name] = _text(own[name])
    if value:
        own["extra"] = _text(value)
    yield own


def _kind(row: Row) -> str:
    if isinstance(row, Judgment):
        return "judgment"
    for kind, mark in _MARKS:
        if mark in row:
            return kind
    return "conversation"


def _packed(turn: dict[str, Any]) -> dict[str, Any]:
    texts = ("role", "text", "tool_call_id", "name")
    own: dict[str, Any] = {name: turn[name] for name in texts if isinstance(turn.get(name), str)}
    own["references"] = [
        _folded(source, ("id", "title", "text")) for source in turn.get("references", ())
    ]
    calls = turn.get("tool_calls")
    if isinstance(calls, list) and calls:
        own["tool_calls"] = [_packed_call(call) for call in calls]
    return own | _rest(turn, (*own,))


def _packed_call(call: dict[str, Any]) -> dict[str, Any]:
    return _folded(call | {"arguments": _text(call["arguments"])}, ("id", "name", "arguments"))


def _folded(value: Mapping[str, Any], names: tuple[str, ...]) -> dict[str, Any]:
    return {name: value[name] for name in names if name in value} | _rest(value, names)


def _rest(value: Mapping[str, Any], names: tuple[str, ...]) -> dict[str, Any]:
    rest = {name: part for name, part in value.items() if name not in names}
    return {"extra": _text(rest)} if rest else {}


_text = json.JSONEncoder(ensure_ascii=False).encode


def judgment_columns(
    stream: IO[bytes], source: str, max_bytes: int | None = None
) -> JudgmentTable | None:
    """The judgments of a Parquet file as columns; None where it holds other records, or a row
    that is no sound judgment.

    Raises:
        DataError: another version of assize wrote the file, or it unfolds to more than is allowed.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    from assize.formats.parquet_size import ParquetSize
    from assize.judgments.reading import check_version
    from assize.judgments.schema import SCHEMA, VERSION_KEY

    try:
        file = pq.ParquetFile(stream)
        schema = file.schema_arrow
        check_version(schema.metadata, source)
        if not _NEEDED.issubset(schema.names):
            return None
        ours = VERSION_KEY in (schema.metadata or {}) and schema.equals(SCHEMA)
        size = ParquetSize(file, stream, source, max_bytes)
        names = _held(size.footer, schema) if ours else None
        size.check(names)
        # Not ParquetFile.read, which cannot give nested columns in several chunks.
        whole = pq.read_table(source if _bare(source) else stream, columns=names, partitioning=None)
    except (pa.ArrowException, OSError, ValueError):
        return None
    return arrow_judgments(whole, ours=ours)


def arrow_judgments(table: Any, *, ours: bool = False) -> JudgmentTable | None:
    """An Arrow table as judgments; None where it holds other records, or a row that is no sound
    judgment. `ours` is as in `assize.judgments.reading.conform`."""
    import pyarrow as pa

    from assize.judgments import JudgmentTable
    from assize.judgments.reading import conform, problem_of

    if not _NEEDED.issubset(table.schema.names):
        return None
    try:
        columns = conform(table, ours=ours)
    except (pa.ArrowException, ValueError, DataError):
        return None
    return JudgmentTable(columns) if problem_of(columns) is None else None


def _held(footer: Footer, schema: Any) -> list[str]:
    """The columns of which the file's statistics do not say that every value is null."""
    held = {"distribution"}  # an empty one counts as null
    for _, chunks in footer.groups:
        for leaf, chunk in zip(footer.leaves, chunks, strict=True):
            if chunk.nulls is None or chunk.nulls < chunk.values:
                held.add(leaf.path.partition(".")[0])
    return [name for name in schema.names if name in held]


def _bare(source: str) -> bool:
    """Whether a source is a local file that pyarrow can open itself, which is faster."""
    return source.endswith(".parquet") and Path(source).is_file()


@contextmanager
def open_table(stream: IO[bytes]) -> Iterator[Callable[[Row], None]]:
    """A function that appends a row; rows leave memory by the group: 1,024 items and 8 MB,
    or 16,384 judgments and 1 MB.

    Raises:
        DataError: from the function, for a second kind of record.
    """
    table = _Table(stream)
    try:
        yield table.put
    except BaseException:
        # The rows so far may still be worth having; the first error is the one to tell.
        with suppress(Exception):
            table.close()
        raise
    table.close()


class _Table:
    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = stream
        self._writer: Any = None
        self._kind = ""
        self._rows: list[Any] = []
        self._size = 0

    def put(self, row: Row | JudgmentTable) -> None:
        kind = "judgment" if is_table(row) else _kind(row)  # type: ignore[arg-type]
        if self._writer is None:
            self._begin(kind)
        if kind != self._kind:
            raise DataError(
                f"a Parquet file holds one kind of record, this one {self._kind}s, and received"
                f" a {kind}; write .jsonl, or into a folder with `assize convert`"
            )
        if is_table(row):
            self._flush()
            self._writer.write_table(row.arrow)
            return
        self._rows.append(row)
        self._size += _length(row)
        many = len(self._rows) >= _GROUP_ROWS.get(kind, _FEW_ROWS)
        if many or self._size >= _GROUP_SIZE.get(kind, _MOST):
            self._flush()

    def close(self) -> None:
        if self._writer is None:
            self._begin("conversation")
        self._flush()
        self._writer.close()

    def _begin(self, kind: str) -> None:
        import pyarrow.parquet as pq

        self._kind, self._schema = kind, _schema(kind)
        self._writer = pq.ParquetWriter(self._stream, self._schema, compression="zstd")

    def _flush(self) -> None:
        import pyarrow as pa

        from assize.judgments.schema import from_rows

        rows, self._rows, self._size = self._rows, [], 0
        if not rows:
            return
        self._writer.write_table(
            from_rows(rows)
            if self._kind == "judgment"
            else pa.Table.from_batches([_batch(rows, self._schema)])
        )


def _batch(rows: list[Mapping[str, Any]], schema: Any) -> Any:
    """The rows as a batch, without half characters."""
    import pyarrow as pa

    try:
        return pa.RecordBatch.from_pylist(rows, schema=schema)
    except UnicodeError:
        return pa.RecordBatch.from_pylist(replace_halves(rows), schema=schema)


def _length(value: Any) -> int:
    if isinstance(value, Judgment):
        return (
            64
            + len(value.explanation or "")
            + (0 if value.details is None else _length(value.details))
        )
    if isinstance(value, str):
        return len(value)
    if isinstance(value, dict | list):
        parts = value.values() if isinstance(value, dict) else value
        return sum([len(part) if isinstance(part, str) else _length(part) for part in parts])
    return 8


def _schema(kind: str) -> Any:
    import pyarrow as pa

    if kind == "judgment":
        from assize.judgments.schema import SCHEMA

        return SCHEMA
    text = pa.string()
    source = [("id", text), ("title", text), ("text", text), ("extra", text)]
    call = [("id", text), ("name", text), ("arguments", text), ("extra", text)]
    turn = [
        ("role", text),
        ("text", text),
        ("references", pa.list_(pa.struct(source))),
        ("tool_calls", pa.list_(pa.struct(call))),
        ("tool_call_id", text),
        ("name", text),
        ("extra", text),
    ]
    types = {
        _TEXT: text,
        _COUNT: pa.int64(),
        _TRUTH: pa.bool_(),
        "texts": pa.list_(text),
        "turns": pa.list_(pa.struct(turn)),
    }
    return pa.schema([(name, types[type]) for name, type in _COLUMNS[kind].items()])


ASSIZE_PARQUET = Format(
    name="assize-parquet",
    summary="assize's own records as Parquet, one kind a file",
    recognise=recognise,
    parse=read,
    unparse=write,
    container="parquet",
)
