"""Writing records as a stream, in the format that the file's name asks for."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from assize.base.arguments import shown
from assize.base.cells import guarded
from assize.base.errors import ConfigError, DataError
from assize.base.judgment import Question
from assize.base.whole_text import replace_halves
from assize.formats.files import Location, open_output, plain_suffix
from assize.formats.format import Format
from assize.formats.own.parquet import ASSIZE_PARQUET
from assize.formats.questions import questions_path
from assize.formats.records import KINDS, Record, is_table, to_json
from assize.formats.rows import Container
from assize.formats.table import FORMATS, named
from assize.results.log import log

if TYPE_CHECKING:
    from assize.judgments import JudgmentTable

Write = Callable[["Record | JudgmentTable"], None]

_RECORDS = "conversations, pairs, continuations or judgments, or a table of judgments"
_TABLES = {".jsonl", ".json", ".csv", ".tsv", ".xlsx", ".parquet"}
_BY_SUFFIX = {".parquet": "assize-parquet", ".csv": "assize-csv", ".tsv": "assize-csv"}


@contextmanager
def open_writer(location: Location, *, format: str | None = None) -> Iterator[Write]:
    """Open a new file for records: yields a function that appends one; complete at the block's end.

    The function also takes a table of judgments and appends its rows, in Parquet as columns.

    Args:
        location: `.parquet`, `.csv` or anything else (JSON lines); `.gz`, `.zst`, URLs.
        format: a name in `FORMATS` that can be written; chosen by the suffix when None.

    Raises:
        OutputError: the disk is full or the place cannot be written; an earlier file is kept.
        ConfigError: the format can only be read.
        DataError: from the function, for a record that the format cannot hold.
    """
    chosen = named(format or _BY_SUFFIX.get(plain_suffix(location), "assize"))
    unparse = unparser(chosen)
    opened = _OPENERS[chosen.container]
    with open_output(location) as stream, opened(stream, chosen, location) as put:

        def write(record: Record | JudgmentTable) -> None:
            if is_table(record) and chosen is ASSIZE_PARQUET:
                put([record])
                return
            for one in record if is_table(record) else [record]:
                if type(one) not in KINDS:
                    raise DataError(f"received {shown(one)}; give {_RECORDS}", source="records")
                try:
                    put(list(unparse(one)))  # type: ignore[arg-type]  # a guard tells only one side
                except RecursionError:
                    raise DataError("the record is nested too deeply to be written") from None

        yield write


def unparser(chosen: Format) -> Callable[[Record], Iterable[Any]]:
    """The function that writes a record in a format; raises ConfigError where it has none."""
    if chosen.unparse is None:
        written = ", ".join(name for name, one in FORMATS.items() if one.unparse is not None)
        raise ConfigError(f"format {chosen.name} can be read but not written; these are: {written}")
    return chosen.unparse


def write(
    location: Location,
    records: Iterable[Record] | JudgmentTable,
    *,
    format: str | None = None,
    questions: Iterable[Question] = (),
) -> int:
    """Write records to a file and return how many; their questions go beside it.

    Args:
        location: `.jsonl`, `.parquet` or `.csv`, also with `.gz` or `.zst`; a path or a URL.
        records: records of any kind, or a table of judgments, which Parquet stores as columns.
        format: a name in `FORMATS` that can be written; chosen by the suffix when None.
        questions: what judgments answer. When empty, a table's own questions are written, except
            those whose scale was guessed.

    Raises:
        OutputError: the disk is full or the place cannot be written; an earlier file is kept.
        ConfigError: the format can only be read.
        DataError: the format cannot hold a record.
    """
    given, count = list(questions), 0
    with open_writer(location, format=format) as put:
        if is_table(records):
            put(records)
            count = len(records)
            given = given or list(records.stated_questions)
        else:
            if isinstance(records, str | bytes | Mapping) or not isinstance(records, Iterable):
                raise DataError(
                    f"received {shown(records)}; give a list of {_RECORDS}", source="records"
                )
            for record in records:
                put(record)
                count += 1
    if given:
        write_questions(location, given)
    return count


def write_questions(location: Location, questions: Iterable[Question]) -> None:
    """Write the questions of a table beside it, and name the other tables that they now reach."""
    path = questions_path(location)
    text = json.dumps([to_json(one) for one in questions], indent=1, ensure_ascii=False)
    data = encoded(text + "\n")
    if isinstance(path, Path) and not (path.is_file() and path.read_bytes() == data):
        for other in _tables_read_with(path, location):
            log.warning("%s is read with the scales of %s from now on", other, path.name)
    with open_output(path) as stream:
        stream.write(data)


def _tables_read_with(path: Path, location: Location) -> list[str]:
    """Return the names of the other tables whose questions stand at `path`."""
    own = Path(str(location)).name
    names = (file.name for file in path.parent.glob("*.*") if plain_suffix(file) in _TABLES)
    return sorted(
        name for name in names if name != own and questions_path(path.parent / name) == path
    )


def encoded(text: str) -> bytes:
    """UTF-8; half a character, which UTF-8 cannot hold, becomes U+FFFD."""
    try:
        return text.encode()
    except UnicodeEncodeError:
        return bytes(replace_halves(text).encode())


def json_line(value: Any) -> bytes:
    """One line of a JSONL file."""
    return encoded(json.dumps(value, ensure_ascii=False)) + b"\n"


Put = Callable[[list[Any]], None]


@contextmanager
def _json_lines(stream: IO[bytes], chosen: Format, location: Location) -> Iterator[Put]:
    def put(rows: list[Any]) -> None:
        for row in rows:
            stream.write(json_line(row))

    yield put


@contextmanager
def _csv_table(stream: IO[bytes], chosen: Format, location: Location) -> Iterator[Put]:
    delimiter = "\t" if plain_suffix(location) == ".tsv" else ","
    text = io.StringIO(newline="")
    writer = csv.DictWriter(text, chosen.columns, restval="", delimiter=delimiter)

    def put(rows: list[Mapping[str, Any]]) -> None:
        # All rows of a record or none: they are encoded before the first is written.
        text.seek(0)
        text.truncate()
        for row in rows:
            _refuse_nul(row)
            writer.writerow({name: guarded(value) for name, value in row.items()})
        stream.write(encoded(text.getvalue()))

    put([dict(zip(chosen.columns, chosen.columns, strict=True))])
    yield put


def _refuse_nul(row: Mapping[str, Any]) -> None:
    for name, value in row.items():
        if isinstance(value, str) and "\0" in value:
            raise DataError(
                "received a NUL character, which a CSV cell cannot hold; write .jsonl", field=name
            )


@contextmanager
def _parquet_table(stream: IO[bytes], chosen: Format, location: Location) -> Iterator[Put]:
    from assize.formats.own.parquet import open_table

    with open_table(stream) as put_row:

        def put(rows: list[Any]) -> None:
            for row in rows:
                put_row(row)

        yield put


_OPENERS: Mapping[Container, Callable[..., Any]] = {
    "json": _json_lines,
    "csv": _csv_table,
    "parquet": _parquet_table,
}
