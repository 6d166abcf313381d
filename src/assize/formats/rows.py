"""From bytes to rows: JSON lines, one JSON array or object, CSV/TSV, Parquet.

A row knows where it stands. One that cannot be read is a row too, with its problem,
so that the caller decides whether to stop or to go on.
"""

from __future__ import annotations

import codecs
import csv
import io
import json
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import chain, islice
from typing import Any, Literal

from assize.errors import DataError
from assize.formats.files import Location, open_input

Container = Literal["json", "csv", "parquet"]

SAMPLE_ROWS = 20
_HEAD = 1 << 16
_CHUNK = 1 << 16
_KEPT = 10_000
_NOT_UTF8 = "not UTF-8; save the file as UTF-8"


@dataclass(frozen=True, slots=True)
class Row:
    """One raw record and its place, or the reason why it could not be read.

    Args:
        value: the decoded JSON value, or a dict of columns.
        source: the file it came from.
        line: line (JSON lines, CSV), item (JSON array) or row (Parquet), from 1.
        problem: why there is no value.
        raw: the first characters of a row with a problem.
    """

    value: Any
    source: str
    line: int
    problem: str | None = None
    raw: str = ""


@dataclass(frozen=True, slots=True)
class Sample:
    """The beginning of a file, from which its format is recognised.

    Args:
        container: how the rows are stored.
        rows: the first readable rows' values, at most 20.
        source: the file name, for formats that only differ in it.
    """

    container: Container
    rows: tuple[Any, ...]
    source: str

    @property
    def first(self) -> dict[str, Any]:
        """The first row when it is an object, else {}."""
        return self.rows[0] if self.rows and isinstance(self.rows[0], dict) else {}

    def has(self, *fields: str) -> bool:
        """Whether the first row is an object with all these fields."""
        return all(field in self.first for field in fields)


@contextmanager
def open_rows(location: Location) -> Iterator[tuple[Sample, Iterator[Row]]]:
    """A sample of the file, and all of its rows in one pass.

    Raises:
        DataError: the file is empty, binary, or not readable at all.
    """
    source = str(location)
    with open_input(location) as stream:
        container, rows = _rows(stream, source)
        first = list(islice(rows, SAMPLE_ROWS))
        if not first:
            raise DataError("the file holds no records", source=source)
        values = tuple(row.value for row in first if row.problem is None)
        yield Sample(container, values, source), chain(first, rows)


def _rows(stream: io.BufferedReader, source: str) -> tuple[Container, Iterator[Row]]:
    head = stream.peek(_HEAD)[:_HEAD]
    if not head:
        raise DataError("the file is empty", source=source)
    if head.startswith(b"PAR1"):
        return "parquet", parquet_rows(stream, source)
    text = _text_head(head, source)
    if text.startswith("["):
        return "json", json_array_rows(stream, source)
    if text.startswith("{"):
        return "json", json_object_rows(stream, source)
    if not text:
        raise DataError("the file holds only blanks", source=source)
    if "\0" in text:
        raise DataError("this is a binary file; give text, CSV or Parquet", source=source)
    return "csv", csv_rows(stream, source)


def _text_head(head: bytes, source: str) -> str:
    """The first bytes as text without byte-order mark; refuses what is no UTF-8 text."""
    if head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        raise DataError("the file is UTF-16; save it as UTF-8", source=source)
    text = codecs.getincrementaldecoder("utf-8")("replace").decode(head)
    if text.count("\ufffd") > len(text) // 20:
        problem = "this is a binary file or not UTF-8 text; give UTF-8 text, CSV or Parquet"
        raise DataError(problem, source=source)
    return text.lstrip("\ufeff \t\r\n")


def json_object_rows(stream: io.BufferedReader, source: str) -> Iterator[Row]:
    """JSON lines; or, when the first line is no whole value, one object over many lines."""
    first, second = stream.readline(), stream.readline()
    lines = chain([first, second], stream)
    if not (_is_object(first) or _is_object(second)):
        whole = b"".join(lines)
        row = _loads(whole, source, 1)
        if row.problem is None:
            yield row
            return
        lines = chain(whole.splitlines(keepends=True))
    yield from _json_lines(lines, source)


def _is_object(line: bytes) -> bool:
    try:
        return isinstance(json.loads(line.decode("utf-8-sig")), dict)
    except (UnicodeDecodeError, ValueError, RecursionError):
        return False


def _json_lines(lines: Iterable[bytes], source: str) -> Iterator[Row]:
    for number, line in enumerate(lines, start=1):
        if line.strip():
            yield _loads(line, source, number)


def _loads(data: bytes, source: str, line: int) -> Row:
    try:
        text = data.decode("utf-8-sig" if line == 1 else "utf-8")
    except UnicodeDecodeError as error:
        raw = data[:_KEPT].decode("utf-8", "replace")
        return Row(None, source, line, f"byte {error.start} of the line is {_NOT_UTF8}", raw)
    try:
        return Row(json.loads(text), source, line)
    except RecursionError:
        return Row(None, source, line, "JSON is nested too deeply", text[:_KEPT])
    except ValueError as error:
        problem = f"not a whole JSON value ({error}); mend or remove the line"
        return Row(None, source, line, problem, text[:_KEPT])


def json_array_rows(stream: io.BufferedReader, source: str) -> Iterator[Row]:
    """The items of one JSON array, read a piece at a time.

    A buffer is only parsed again once it has doubled, so an item of n characters
    costs O(n). Whatever follows an item that cannot be read is lost to us, for
    nothing says where the next one starts: it comes back as one row with a problem.
    """
    decoder, text = json.JSONDecoder(), codecs.getreader("utf-8-sig")(stream, "surrogateescape")
    buffer, number, ended = text.read(_CHUNK).lstrip()[1:], 0, False
    while True:
        buffer = buffer.lstrip(" \t\r\n,")
        if buffer.startswith("]"):
            return
        try:
            if not buffer:
                raise ValueError("the array is not closed")
            value, end = decoder.raw_decode(buffer)
            if end == len(buffer) and not ended:
                raise ValueError("a number may go on")
        except (ValueError, RecursionError) as error:
            if ended:
                problem = f"not a whole JSON value ({error}); the rest of the file is not read"
                yield Row(None, source, number + 1, problem, buffer[:_KEPT])
                return
            more = text.read(max(_CHUNK, len(buffer)))
            buffer, ended = buffer + more, not more
            continue
        number += 1
        if _well_formed(buffer[:end]):
            yield Row(value, source, number)
        else:
            raw = buffer[: min(end, _KEPT)].encode("utf-8", "replace").decode()
            yield Row(None, source, number, _NOT_UTF8, raw)
        buffer = buffer[end:]


def csv_rows(stream: io.BufferedReader, source: str) -> Iterator[Row]:
    """Rows of a table with a header; commas, semicolons or tabs, whichever it holds most."""
    first_line = stream.peek(_HEAD)[:_HEAD].split(b"\n", 1)[0]
    delimiter = max(",\t;", key=lambda mark: first_line.count(mark.encode()))
    text = io.TextIOWrapper(stream, "utf-8-sig", errors="surrogateescape", newline="")
    csv.field_size_limit(1 << 30)
    try:
        reader = csv.reader(text, delimiter=delimiter)
        header = next(reader)
        for cells in reader:
            if cells:
                yield _csv_row(header, cells, source, reader.line_num)
    except csv.Error as error:
        raise DataError(f"not a readable table ({error})", source=source) from error
    finally:
        text.detach()


def _csv_row(header: list[str], cells: list[str], source: str, line: int) -> Row:
    joined = ",".join(cells)
    if not _well_formed(joined):
        raw = joined[:_KEPT].encode("utf-8", "replace").decode()
        return Row(None, source, line, _NOT_UTF8, raw)
    if len(cells) != len(header):
        problem = f"{len(cells)} cells where the header has {len(header)}; check the quotes"
        return Row(None, source, line, problem, joined[:_KEPT])
    return Row(dict(zip(header, cells, strict=True)), source, line)


def _well_formed(text: str) -> bool:
    """Whether the text was valid UTF-8 (invalid bytes were read as lone surrogates)."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def parquet_rows(stream: io.BufferedReader, source: str) -> Iterator[Row]:
    """Rows of a Parquet file, a batch of at most 1,024 in memory at a time."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    data: Any = stream if stream.seekable() else io.BytesIO(stream.read())
    number = 0
    try:
        for batch in pq.ParquetFile(data).iter_batches(batch_size=1024):
            for value in batch.to_pylist():
                number += 1
                yield Row(value, source, number)
    except (pa.ArrowException, OSError) as error:
        raise DataError(f"the Parquet file cannot be read ({error})", source=source) from error
