"""From bytes to rows: JSON lines, one JSON array or object, CSV/TSV, Parquet, workbooks.

A row knows where it stands. One that cannot be read is a row too, with its problem,
so that the caller decides whether to stop or to go on.
"""

from __future__ import annotations

import codecs
import csv
import io
import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from itertools import chain, islice
from typing import Any, Literal

from assize.base.errors import DataError
from assize.base.line_checksum import unseal
from assize.base.whole_text import replace_halves
from assize.formats.files import Location, damaged, is_read_once, open_input
from assize.formats.plain_json import to_plain

Container = Literal["json", "csv", "parquet"]

SAMPLE_ROWS = 20
BATCH_ROWS = 256  # of a table that are in memory as objects at once
_HEAD = 1 << 16
_CHUNK = 1 << 16
_KEPT = 10_000
_LONGEST_CELL = 1 << 24  # characters; where a quote is not closed, the rest of a file is one cell
_LONGEST_WORD = 10  # characters: a word or an escape that is cut off begins so near the end
_OPEN = ("Unterminated string starting at", "the array is not closed", "a number may go on")
_BETWEEN = re.compile(r"[ \t\r\n,]*")
_HALVES = re.compile(r"\\u[dD][89a-fA-F]")  # escapes of which a half character may be left
_ZIP = b"PK\x03\x04"  # a workbook is an archive; of others its reader says that they are none
_NOT_UTF8 = "not UTF-8; save the file as UTF-8"


@dataclass(frozen=True, slots=True)
class Row:
    """One raw record and its place, or the reason why it could not be read."""

    value: Any  # the decoded JSON value, or a dict of columns
    source: str  # the file it came from, or the argument
    line: int  # line (JSON lines, CSV), item (JSON array, list) or row (Parquet), from 1
    problem: str | None = None  # why there is no value
    raw: str = ""  # the first characters of a row with a problem
    sheet: str = ""  # the sheet of a workbook of which several are read

    def refuse(self, problem: str) -> Row:
        """Return the row as one that could not be read, and why."""
        raw = json.dumps(self.value, ensure_ascii=False, default=str)[:_KEPT]
        return Row(None, self.source, self.line, problem, raw)


def join_rows(rows: Sequence[Row]) -> Row:
    """Return one row of those that make a record together, with the line of each."""
    value = {"rows": [row.value for row in rows], "lines": [row.line for row in rows]}
    return Row(value, rows[0].source, rows[0].line)


@dataclass(frozen=True, slots=True)
class Sample:
    """The beginning of a file, or of rows in memory, from which the format is recognised."""

    container: Container  # how the rows are stored
    rows: tuple[Any, ...]  # the first readable rows' values, at most 20
    source: str  # the file name, or the argument that the rows were given as

    @property
    def first(self) -> dict[str, Any]:
        """The first row when it is an object, else {}."""
        return self.rows[0] if self.rows and isinstance(self.rows[0], dict) else {}

    def has(self, *fields: str) -> bool:
        """Whether the first row is an object with all these fields."""
        return all(field in self.first for field in fields)


@contextmanager
def open_rows(
    location: Location, max_bytes: int | None = None
) -> Iterator[tuple[Sample, Iterator[Row]]]:
    """A sample of the file, and all of its rows in one pass."""
    source = str(location)
    with open_input(location, max_bytes) as stream:
        container, rows = _rows(stream, source, max_bytes)
        yield sampled(container, _to_the_break(rows, source), source, what="the file")


def readable(rows: Iterable[Row]) -> Iterator[Row]:
    """Yield rows; raise DataError for the first that cannot be read."""
    for row in rows:
        if row.problem is not None:
            raise DataError(row.problem, source=row.source, line=row.line)
        yield row


def sampled(
    container: Container, rows: Iterator[Row], source: str, *, what: str
) -> tuple[Sample, Iterator[Row]]:
    """A sample of the rows, for which at most `SAMPLE_ROWS` are drawn, and all of them.

    Raises:
        DataError: there is no row; `what` is what holds none.
    """
    first = list(islice(rows, SAMPLE_ROWS))
    if not first:
        raise DataError(f"{what} holds no records", source=source)
    values = tuple(row.value for row in first if row.problem is None)
    return Sample(container, values, source), chain(first, rows)


def _to_the_break(rows: Iterator[Row], source: str) -> Iterator[Row]:
    """The rows, and one with a problem where compressed data breaks off."""
    number = 0
    try:
        for row in rows:
            number = row.line
            yield row
    except EOFError as error:
        yield Row(None, source, number + 1, damaged(error))


def _rows(
    stream: io.BufferedReader, source: str, max_bytes: int | None
) -> tuple[Container, Iterator[Row]]:
    head = stream.peek(_HEAD)[:_HEAD]
    if not head:
        once = "; a pipe can be read only once: save it as a file" if is_read_once(source) else ""
        raise DataError(f"the file is empty{once}", source=source)
    if head.startswith(b"PAR1"):
        return "parquet", parquet_rows(stream, source, max_bytes)
    if head.startswith(_ZIP):
        return "csv", _workbook_rows(stream, source, max_bytes)
    text = _text_head(head, source)
    if text.startswith("["):
        by_line = _is_array_a_line(text)
        return "json", (_json_lines if by_line else json_array_rows)(stream, source)
    if text.startswith("{"):
        return "json", json_object_rows(stream, source)
    if not text:
        raise DataError("the file holds only blanks", source=source)
    if "\0" in text:
        raise DataError("this is a binary file; give text, CSV or Parquet", source=source)
    return "csv", csv_rows(stream, source)


def _workbook_rows(stream: io.BufferedReader, source: str, max_bytes: int | None) -> Iterator[Row]:
    """The rows of a workbook's ratings, whatever sheets they stand in; else of its one table."""
    from assize.formats.ratings.sheets import choose_tables
    from assize.formats.xlsx.reading import read_tables

    tables = choose_tables(read_tables(stream, source, max_bytes), source)
    for table in tables:
        sheet = table.name if len(tables) > 1 else ""
        check_header(table.header, source, sheet=sheet)
        for number, value in table.rows:
            yield Row(value, source, number, sheet=sheet)


def _is_array_a_line(head: str) -> bool:
    """Whether the file holds one array a line, and not one array."""
    first, _, rest = head.partition("\n")
    return first.rstrip().endswith("]") and rest.lstrip().startswith("[")


def _text_head(head: bytes, source: str) -> str:
    """The first bytes as text without byte-order mark; refuses what is no UTF-8 text."""
    if head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        raise DataError("the file is UTF-16; save it as UTF-8", source=source)
    text = codecs.getincrementaldecoder("utf-8")("replace").decode(head)
    if text.count("\ufffd") > len(text) // 20:
        raise DataError(
            "this is a binary file or not UTF-8 text; give UTF-8 text, CSV or Parquet",
            source=source,
        )
    return text.lstrip("\ufeff \t\r\n")


def json_object_rows(stream: io.BufferedReader, source: str) -> Iterator[Row]:
    """JSON lines; or, when the first line is no whole value, one object over many lines."""
    lines = [stream.readline(), stream.readline()]
    if not any(map(_is_object, lines)):
        whole = _one_object(lines, stream, source)
        if whole is not None:
            yield whole
            return
    yield from _json_lines(chain(lines, stream), source)


def _is_object(line: bytes) -> bool:
    try:
        return isinstance(json.loads(line.decode("utf-8-sig")), dict)
    except (UnicodeDecodeError, ValueError, RecursionError):
        return False


def _one_object(lines: list[bytes], stream: io.BufferedReader, source: str) -> Row | None:
    """The object that the whole file is; None where it is none, with what was read in `lines`.

    As `json_array_rows` does, it looks again once there is twice as much.
    """
    looked = size = sum(map(len, lines))
    while more := stream.readline():
        lines.append(more)
        size += len(more)
        if size >= 2 * looked and size >= _CHUNK:
            looked = size
            if not _may_become_whole(b"".join(lines)):
                return None
    row = _loads(b"".join(lines), source, 1)
    return row if row.problem is None else None


def _may_become_whole(beginning: bytes) -> bool:
    text = codecs.getincrementaldecoder("utf-8-sig")("surrogateescape").decode(beginning)
    try:
        json.loads(text)
    except (ValueError, RecursionError) as error:
        return _is_cut_off(error, text)
    return True


def _is_cut_off(error: Exception, text: str) -> bool:
    """Whether a JSON text may only be no value because more of it is to come."""
    if not isinstance(error, json.JSONDecodeError):  # nested too deeply, or too many digits
        return False
    return error.msg in _OPEN or error.pos >= len(text) - _LONGEST_WORD


def _json_lines(lines: Iterable[bytes], source: str) -> Iterator[Row]:
    for number, line in enumerate(lines, start=1):
        if line.strip():
            yield _loads(line, source, number)


def _loads(data: bytes, source: str, line: int) -> Row:
    try:
        data = unseal(data)
    except ValueError as error:
        return Row(None, source, line, str(error), data[:_KEPT].decode("utf-8", "replace"))
    try:
        text = data.decode("utf-8-sig" if line == 1 else "utf-8")
    except UnicodeDecodeError as error:
        raw = data[:_KEPT].decode("utf-8", "replace")
        return Row(None, source, line, f"byte {error.start} of the line is {_NOT_UTF8}", raw)
    try:
        return Row(decoded(text), source, line)
    except ValueError as error:
        whole = isinstance(error, _Refused)
        problem = str(error) if whole else f"not a whole JSON value ({error})"
        return Row(None, source, line, problem, text.strip()[:_KEPT])


def json_array_rows(stream: io.BufferedReader, source: str) -> Iterator[Row]:
    """The items of one JSON array, read a piece at a time.

    A buffer is only parsed again once it has doubled, so an item of n characters
    costs O(n). Whatever follows an item that cannot be read is lost to us, for
    nothing says where the next one starts: it comes back as one row with a problem.
    """
    twice: list[str] = []
    decoder = json.JSONDecoder(object_pairs_hook=partial(_object, twice))
    text = codecs.getreader("utf-8-sig")(stream, "surrogateescape")
    buffer, at, number, ended = text.read(_CHUNK).lstrip(), 1, 0, False
    while True:
        at = _BETWEEN.match(buffer, at).end()  # type: ignore[union-attr]
        if buffer.startswith("]", at):
            left = (buffer[at + 1 :] + text.read(_KEPT)).strip()
            if left:
                problem = "text after the end of the array; the rest of the file is not read"
                yield Row(None, source, number + 1, problem, left[:_KEPT])
            return
        try:
            if at == len(buffer):
                raise json.JSONDecodeError("the array is not closed", buffer, at)
            twice.clear()
            value, end = decoder.raw_decode(buffer, at)
            if end == len(buffer) and not ended:
                raise json.JSONDecodeError("a number may go on", buffer, at)
        except (ValueError, RecursionError) as error:
            if ended or not _is_cut_off(error, buffer):
                problem = f"not a whole JSON value ({error}); the rest of the file is not read"
                yield Row(None, source, number + 1, problem, buffer[at : at + _KEPT])
                return
            more = text.read(max(_CHUNK, len(buffer) - at))
            buffer, at, ended = buffer[at:] + more, 0, not more
            continue
        number += 1
        yield _array_item(value, twice, buffer[at:end], source, number)
        at = end


def _array_item(value: Any, twice: list[str], text: str, source: str, number: int) -> Row:
    if not _well_formed(text):
        raw = text[:_KEPT].encode("utf-8", "replace").decode()
        return Row(None, source, number, _NOT_UTF8, raw)
    if twice:
        return Row(None, source, number, _stands_twice(twice[0]), text[:_KEPT])
    return Row(_whole(value, text), source, number)


def decoded(text: str) -> Any:
    """A JSON value in a cell or a column; raises ValueError as `json.loads` does.

    >>> decoded('{"a": 1}')
    {'a': 1}
    """
    twice: list[str] = []
    try:
        value = json.loads(text, object_pairs_hook=partial(_object, twice))
    except RecursionError:
        raise ValueError("JSON is nested too deeply") from None
    if twice:
        raise _Refused(_stands_twice(twice[0]))
    return _whole(value, text)


def parse_json_text(value: Any) -> Any:
    """Text that is a JSON object or list as that; anything else as it is.

    >>> parse_json_text('[1]'), parse_json_text("[see below]")
    ([1], '[see below]')
    """
    if not isinstance(value, str) or value.lstrip()[:1] not in ("{", "["):
        return value
    try:
        return decoded(value)
    except ValueError:
        return value


class _Refused(ValueError):
    """A whole JSON value that is not read as it stands."""


def _object(twice: list[str], pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object of JSON; a key that it has more than once goes into `twice`."""
    found = dict(pairs)
    if len(found) != len(pairs):
        twice += (key for key, count in Counter(key for key, _ in pairs).items() if count > 1)
    return found


def _stands_twice(key: str) -> str:
    return f"the key {ascii(key)[:60]} stands twice in an object; keep one of them"


def _whole(value: Any, text: str) -> Any:
    """The value that a JSON text spells out, without half characters."""
    return replace_halves(value) if _HALVES.search(text) else value


def csv_rows(stream: io.BufferedReader, source: str) -> Iterator[Row]:
    """Rows of a table with a header; commas, semicolons or tabs, whichever it holds most."""
    first_line = stream.peek(_HEAD)[:_HEAD].split(b"\n", 1)[0]
    delimiter = max(",\t;", key=lambda mark: first_line.count(mark.encode()))
    text = io.TextIOWrapper(stream, "utf-8-sig", errors="surrogateescape", newline="")
    csv.field_size_limit(_LONGEST_CELL)
    try:
        yield from _table_rows(_Lines(text), delimiter, source)
    finally:
        if not stream.closed:  # a reader that was left half-way may be cleared away late
            text.detach()


class _Lines:
    """Lines of text, remembering those that the record being read was made of."""

    def __init__(self, text: Iterable[str]) -> None:
        self._text = iter(text)
        self.taken: list[str] = []

    def __iter__(self) -> _Lines:
        return self

    def __next__(self) -> str:
        line = next(self._text)
        self.taken.append(line)
        return line


def _table_rows(lines: _Lines, delimiter: str, source: str) -> Iterator[Row]:
    from assize.formats.ratings.headers import join_headers

    reader, number = csv.reader(lines, delimiter=delimiter), 1
    try:
        header, records = next(reader), _records(reader, lines)
        if "" in header or len(set(header)) < len(header):
            first = next(records, None)
            joined = None if first is None else join_headers(header, first[1])
            if joined is not None:
                header = joined
            elif first is not None:
                records = chain([first], records)
        check_header(header, source, line=1)
        for number, cells in records:
            if cells:
                yield _csv_row(header, cells, source, number, lines.taken, delimiter)
    except csv.Error as error:
        problem = f"not a readable table ({error}); the rest of the file is not read"
        number = max(number, reader.line_num - len(lines.taken) + 1)
        yield Row(None, source, number, problem, "".join(lines.taken)[:_KEPT])


def _records(reader: Any, lines: _Lines) -> Iterator[tuple[int, list[str]]]:
    """The number of each record's first line, and its cells; `lines` has taken this record's."""
    while True:
        number = reader.line_num + 1
        lines.taken.clear()
        cells = next(reader, None)
        if cells is None:
            return
        yield number, cells


def check_header(
    header: Sequence[str], source: str, line: int | None = None, sheet: str = ""
) -> None:
    """Raises DataError where two columns have one name."""
    twice = sorted(name for name, count in Counter(header).items() if count > 1)
    if twice:
        where = f"the header of sheet {sheet}" if sheet else "the header"
        raise DataError(
            f"{where} names {', '.join(map(ascii, twice))} more than once; rename one",
            source=source,
            line=line,
        )


def _breaks_off(taken: list[str], delimiter: str) -> bool:
    """Whether a quoted cell is still open at the end of a record, that is, of the file."""
    if taken[0].count('"') == 0 or "".join(taken).count('"') % 2 == 0:
        return False
    try:
        list(csv.reader(taken, delimiter=delimiter, strict=True))
    except csv.Error as error:
        return "end of data" in str(error)
    return False


def _csv_row(
    header: list[str], cells: list[str], source: str, line: int, taken: list[str], delimiter: str
) -> Row:
    joined = ",".join(cells)
    if _breaks_off(taken, delimiter):
        problem = "a quoted cell is not closed before the file ends; close or remove the quote"
        return Row(None, source, line, problem, joined[:_KEPT])
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


def parquet_rows(
    stream: io.BufferedReader, source: str, max_bytes: int | None = None
) -> Iterator[Row]:
    """Rows of a Parquet file, `BATCH_ROWS` in memory; times become ISO 8601, bytes base64."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    from assize.formats.parquet_size import ParquetSize
    from assize.judgments.reading import check_version

    data: Any = stream if stream.seekable() else io.BytesIO(stream.read())
    number = 0
    try:
        file = pq.ParquetFile(data)
        check_version(file.schema_arrow.metadata, source)
        check_header(file.schema_arrow.names, source)
        for row in batch_rows(ParquetSize(file, data, source, max_bytes).batches(), source):
            number = row.line
            yield row
    except (pa.ArrowException, OSError, ValueError) as error:
        problem = f"the Parquet file is damaged or cut off ({error})"
        if number == 0:
            raise DataError(problem, source=source) from error
        yield Row(None, source, number + 1, f"{problem}; the rest of the file is not read")


def batch_rows(batches: Iterable[Any], source: str) -> Iterator[Row]:
    """The rows of Arrow record batches, as those of a Parquet file."""
    number = 0
    for batch in batches:
        for start in range(0, batch.num_rows, BATCH_ROWS):
            for row in _batch_rows(batch.slice(start, BATCH_ROWS), source, number + 1):
                yield row
                number = row.line


def _batch_rows(batch: Any, source: str, first: int) -> list[Row]:
    """The rows of a batch, row by row where a value of one is none of Python's, such as a date
    after the year 9999."""
    try:
        return [
            Row(to_plain(value), source, number)
            for number, value in enumerate(batch.to_pylist(), start=first)
        ]
    except (ArithmeticError, LookupError, ValueError, TypeError, RecursionError) as error:
        if batch.num_rows == 1:
            problem = f"a value cannot be read ({type(error).__name__}: {error})"
            return [Row(None, source, first, problem)]
    return [
        row
        for start in range(batch.num_rows)
        for row in _batch_rows(batch.slice(start, 1), source, first + start)
    ]
