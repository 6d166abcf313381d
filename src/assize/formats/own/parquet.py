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

# Columns of each kind of record, and of what is nested in them, with the short name of their type.
_TEXT, _JSON, _TRUTH = "text", "json", "truth"
_SOURCE = {"id": _TEXT, "title": _TEXT, "text": _TEXT}
_CALL = {"id": _TEXT, "name": _TEXT, "arguments": _JSON}
_TURN = {
    "role": _TEXT,
    "text": _TEXT,
    "references": "sources",
    "tool_calls": "calls",
    "tool_call_id": _TEXT,
    "name": _TEXT,
}
_NESTED = {"turns": _TURN, "sources": _SOURCE, "calls": _CALL}
_COLUMNS: Mapping[str, Mapping[str, str]] = {
    "conversation": {"id": _TEXT, "turns": "turns", "system": _TEXT, "metadata": _JSON},
    "pair": {
        "id": _TEXT,
        "context": "turns",
        "a": "turns",
        "b": "turns",
        "shared_user": _TRUTH,
        "gold": _TEXT,
        "metadata": _JSON,
    },
    "continuation": {
        "id": _TEXT,
        "conversation": _TEXT,
        "turn": "count",
        "context": "turns",
        "references": "texts",
        "candidate": _TEXT,
        "source": _TEXT,
        "metadata": _JSON,
    },
}
_NEEDED = {"item", "judge", "question"}  # by which judgments are told
_TEXTS_OF_JSON = ("metadata", "distribution", "details", "unscored", "usage", "extra")
_EXPANDED = ("turns", "context", "a", "b", "references", "tool_calls", "usage")

_GROUP_ROWS = {"judgment": 16_384}
_FEW_ROWS = 1024  # a group of items, which are longer
_GROUP_SIZE = {"judgment": 1_000_000}  # characters, each of which takes more memory
_MOST = 8_000_000  # of a group of items


def recognise(sample: Sample) -> bool:
    """Whether the columns spell out one of assize's records."""
    return sample.container == "parquet" and assize_jsonl.recognise(sample)


def read(row: raw.Row, options: Options) -> Iterable[Record]:
    """One record a row; a null is an absent field."""
    value = _expand(object_at(row.value, ""))
    answers = value.get("distribution")
    if isinstance(answers, list):
        value["distribution"] = {one["answer"]: one["p"] for one in answers}
    elif isinstance(answers, dict):  # a struct has every answer of its column
        value["distribution"] = {name: p for name, p in answers.items() if p is not None}
    yield parse(assize_jsonl.with_id(value, row))


def _expand(value: Any) -> Any:
    """A value without nulls, with what is JSON text parsed and what `extra` holds beside it."""
    if isinstance(value, list):
        return [_expand(part) for part in value]
    if not isinstance(value, dict):
        return value
    fields = {}
    for name, part in value.items():
        if isinstance(part, str) and name in _TEXTS_OF_JSON:
            try:
                part = object_at(decoded(part), name)
            except ValueError as error:
                raise DataError(f"not JSON ({error})", field=name) from error
        elif isinstance(part, str) and (
            name == "arguments" or (name == "gold" and part[:1] == "{")
        ):
            with suppress(ValueError):
                part = decoded(part)
        if part is not None:
            fields[name] = _expand(part) if name in _EXPANDED else part
    extra = fields.get("extra")
    if not isinstance(extra, dict):
        return fields
    return extra | {name: part for name, part in fields.items() if name != "extra"}


def write(record: Record) -> Iterable[Any]:
    """One row a record; a judgment as it is, for its columns are made of many at once."""
    if isinstance(record, Judgment):
        yield record
        return
    value = to_json(record)
    yield _pack(value, _COLUMNS[_kind(value)])


def _pack(value: Mapping[str, Any], columns: Mapping[str, str]) -> dict[str, Any]:
    """The fields that have columns; the others are JSON text in `extra`."""
    own: dict[str, Any] = {}
    for name, kind in columns.items():
        part = value.get(name)
        if kind in _NESTED and isinstance(part, list):
            own[name] = [_pack(inner, _NESTED[kind]) for inner in part]
        elif kind == _JSON or isinstance(part, dict):
            own |= {name: _text(part)} if name in value else {}
        elif isinstance(part, str) or kind not in (_TEXT, *_NESTED):
            own |= {name: part} if name in value else {}
    rest = {name: part for name, part in value.items() if name not in own}
    return own | ({"extra": _text(rest)} if rest else {})


def _kind(row: Row) -> str:
    if isinstance(row, Judgment):
        return "judgment"
    return "pair" if "a" in row else "continuation" if "candidate" in row else "conversation"


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
        # pyarrow opens a local file itself faster.
        local = source.endswith(".parquet") and Path(source).is_file()
        whole = pq.read_table(source if local else stream, columns=names, partitioning=None)
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
    """About how many characters a row holds."""
    if isinstance(value, Judgment):
        return 64 + len(value.explanation or "") + _length(value.details)
    if isinstance(value, str):
        return len(value)
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return 8 + sum(_length(part) for part in parts)


def _schema(kind: str) -> Any:
    import pyarrow as pa

    if kind == "judgment":
        from assize.judgments.schema import SCHEMA

        return SCHEMA
    types = {"count": pa.int64(), _TRUTH: pa.bool_(), "texts": pa.list_(pa.string())}

    def column(kind: str) -> Any:
        if kind in _NESTED:
            return pa.list_(pa.struct(fields(_NESTED[kind])))
        return types.get(kind, pa.string())

    def fields(columns: Mapping[str, str]) -> list[Any]:
        return [*((name, column(kind)) for name, kind in columns.items()), ("extra", pa.string())]

    return pa.schema(fields(_COLUMNS[kind]))


ASSIZE_PARQUET = Format(
    name="assize-parquet",
    summary="assize's own records as Parquet, one kind a file",
    recognise=recognise,
    parse=read,
    unparse=write,
    container="parquet",
)
