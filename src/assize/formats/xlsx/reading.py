"""Reading the texts of a workbook, whichever program saved it.

`python-calamine` holds every cell between the first and the last one in memory, so a file of
200 kB can take gigabytes: the parts are checked before it gets them, and it gets only those.
"""

from __future__ import annotations

import io
import zipfile
import zlib
from collections.abc import Sequence
from datetime import date, time, timedelta
from pathlib import Path
from typing import IO, Any
from xml.parsers import expat

from assize.errors import DataError
from assize.formats.limits import Unfolding

_DAMAGE = (  # what the zip reader raises
    zipfile.BadZipFile,
    zlib.error,
    LookupError,
    ValueError,
    EOFError,
    NotImplementedError,
    RuntimeError,
    OverflowError,
)
MOST = 200_000_000  # bytes that all parts may unfold to
_MOST_COLUMNS = 1_000
MOST_CELLS = 5_000_000  # of a sheet, empty ones among them
_MOST_ELEMENTS = 20_000_000  # of all parts
_LEAST = -1e10  # of numbers in cells
_LONGEST_NUMBER = 1_000  # characters that are looked at
_PARTS = ("xl/", "_rels/", "[Content_Types].xml")
_WHOLE = 1e15  # below it a whole number is written without a point or an exponent


def read_workbook(
    path: str | Path | IO[bytes], *, source: str | None = None, max_bytes: int | None = None
) -> dict[str, list[list[str]]]:
    """The texts of every sheet by its name: rows of cells, "" where a cell is empty.

    Whole numbers are written without a point, as people typed them; dates and times as ISO 8601;
    truth values as TRUE and FALSE. Of a formula there is the result that was stored, of an error
    nothing. Rows end with their last cell that holds something.

    Args:
        path: a file, or a stream that can be searched.
        source: what errors call it, by default the path.
        max_bytes: to how many bytes it may unfold; see `Unfolding`.

    Raises:
        DataError: the file is no workbook, or a part of it is too large or not well-formed.
    """
    source = str(path) if source is None else source
    try:
        with zipfile.ZipFile(path) as archive:
            checked = _checked(archive, source, max_bytes)
    except DataError:
        raise
    except _DAMAGE as error:
        raise DataError(f"is no workbook (.xlsx): {error}", source=source) from error
    except OSError as error:
        problem = f"cannot be read: {error.strerror or error}"
        raise DataError(problem, source=source) from error
    import python_calamine

    try:
        workbook = python_calamine.load_workbook(checked)
        return {
            name: _rows(workbook.get_sheet_by_name(name).to_python(skip_empty_area=False))
            for name in workbook.sheet_names
        }
    except (python_calamine.CalamineError, *_DAMAGE) as error:
        raise DataError(f"is no workbook (.xlsx): {error}", source=source) from error


def _checked(archive: zipfile.ZipFile, source: str, max_bytes: int | None) -> io.BytesIO:
    """The XML parts, which are small and well-formed, as an archive without compression."""
    checks = _Checks(source)
    unfolding, total = Unfolding(source, max_bytes), 0
    parts: dict[str, bytes] = {}
    for info in archive.infolist():
        if not info.filename.startswith(_PARTS) or not info.filename.endswith((".xml", ".rels")):
            continue
        with archive.open(info) as stream:
            data = stream.read(MOST - total + 1)
        total += len(data)
        if total > MOST:
            raise DataError(f"unfolds to more than {MOST:,} bytes of XML", source=source)
        unfolding.add(len(data), sum(one.compress_size for one in archive.infolist()))
        checks.check(info.filename, data)
        parts[info.filename] = data
    if "xl/workbook.xml" not in parts:
        raise DataError("is no workbook (.xlsx): it has no xl/workbook.xml", source=source)
    plain = io.BytesIO()
    with zipfile.ZipFile(plain, "w", zipfile.ZIP_STORED) as written:
        for name, data in parts.items():
            written.writestr(name, data)
    plain.seek(0)
    return plain


class _Checks:
    """What is counted of a workbook's parts before anything is built of them."""

    def __init__(self, source: str) -> None:
        self._source = source
        self._elements = 0
        self._row = self._column = self._cells = self._widest = 0

    def check(self, part: str, data: bytes) -> None:
        """Raises DataError where a part is not well-formed, declares entities or is too large."""
        self._part = part
        self._row = self._column = self._cells = self._widest = 0
        parser = expat.ParserCreate()
        parser.StartDoctypeDeclHandler = self._refuse_doctype
        parser.StartElementHandler = self._count
        parser.buffer_text = True
        self._parser, self._value = parser, ""
        try:
            parser.Parse(data, True)
        except (expat.ExpatError, *_DAMAGE) as error:
            raise DataError(f"{part} is not well-formed: {error}", source=self._source) from error

    def _refuse_doctype(self, *_: Any) -> None:
        problem = f"{self._part} declares entities, which no workbook does"
        raise DataError(problem, source=self._source)

    def _count(self, tag: str, attributes: dict[str, str]) -> None:
        self._elements += 1
        if self._elements > _MOST_ELEMENTS:
            problem = f"holds more than {_MOST_ELEMENTS:,} XML elements"
            raise DataError(problem, source=self._source)
        name = tag.rpartition(":")[2]
        if name == "v":
            self._parser.CharacterDataHandler = self._add_value
            return
        self._parser.CharacterDataHandler, self._value = None, ""
        if name == "row":
            self._row = self._place(attributes.get("r"), self._row)
            self._column = 0
        elif name == "c":
            self._cells += 1
            reference = attributes.get("r", "")
            letters = reference.rstrip("0123456789")
            if reference:
                self._row = self._place(reference[len(letters) :], self._row)
            self._column = _column(letters) if letters else self._column + 1
            if self._column > _MOST_COLUMNS:
                problem = f"has a cell in column {letters or self._column}"
                raise DataError(f"{problem}; {_MOST_COLUMNS} are the most", source=self._source)
            self._widest = max(self._widest, self._column)
            if max(self._cells, self._row * self._widest) > MOST_CELLS:
                problem = f"{self._part} has more than {MOST_CELLS:,} cells, empty ones included"
                raise DataError(f"{problem}; save it as CSV", source=self._source)
        else:
            for key in ("count", "uniqueCount"):  # room is made for as many before any is read
                self._check_count(attributes.get(key, "0"))

    def _check_count(self, given: str) -> None:
        if not given.strip().isdecimal() or int(given[:20]) > MOST_CELLS:
            problem = f"{self._part} says that it holds {given!r:.20} parts"
            raise DataError(f"{problem}; {MOST_CELLS:,} are the most", source=self._source)

    def _add_value(self, text: str) -> None:
        """Refuses a number that no date can be: calamine aborts where such a cell is a date."""
        self._value = self._value + text[:_LONGEST_NUMBER]
        try:
            number = float(self._value)
        except ValueError:
            return
        if number < _LEAST:
            problem = f"received the number {self._value!r:.20}; {_LEAST:.0e} is the least"
            raise DataError(problem, source=self._source)

    def _place(self, given: str | None, before: int) -> int:
        """The number of a row: the one that it gives, else the next."""
        if given is None or not given:
            return before + 1
        if not given.isdecimal() or len(given) > len("1048576"):
            problem = f"received row {given!r:.20}; expected a number such as 3"
            raise DataError(problem, source=self._source)
        return int(given)


def _column(letters: str) -> int:
    """The number of a column, counted from 1; one that is none is beyond the last."""
    place = 0
    for letter in letters.upper():
        if not "A" <= letter <= "Z" or place > _MOST_COLUMNS:
            return _MOST_COLUMNS + 1
        place = 26 * place + ord(letter) - ord("A") + 1
    return place


def _rows(sheet: Sequence[Sequence[Any]]) -> list[list[str]]:
    found: list[list[str]] = []
    for values in sheet:
        cells = [_text(value) for value in values]
        while cells and not cells[-1]:
            cells.pop()
        found.append(cells)
    return found


def _text(value: Any) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, float):
        whole = value.is_integer() and abs(value) < _WHOLE
        return str(int(value)) if whole else repr(value)
    if isinstance(value, date | time):  # a datetime is a date
        return value.isoformat()
    if isinstance(value, timedelta):  # a length of time, as 36:00:00
        minutes, seconds = divmod(round(value.total_seconds()), 60)
        return f"{minutes // 60}:{minutes % 60:02}:{seconds:02}"
    return "" if value is None else str(value)
