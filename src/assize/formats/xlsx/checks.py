"""What is counted of a workbook's parts before a library builds anything of them.

A cell far from the others, a text that many cells share and a sheet that stands there twice take
a few bytes of a file, and gigabytes of what is made of it.
"""

from __future__ import annotations

import zipfile
import zlib
from typing import Any
from xml.parsers import expat

from assize.base.errors import DataError
from assize.formats.limits import SizeLimit

DAMAGE = (  # what readers of archives, XML and numbers raise
    zipfile.BadZipFile,
    zlib.error,
    LookupError,
    ValueError,
    EOFError,
    NotImplementedError,
    RuntimeError,
    OverflowError,
)
MOST_COLUMNS = 1_000
MOST_CELLS = 5_000_000  # of all sheets, the empty ones between others among them
MOST_ELEMENTS = 20_000_000  # of all parts; of a small file a million, or
_ELEMENTS_A_BYTE = 20  # so many a byte: workbooks have one or two, in a cell of a number
_FREE_ELEMENTS = 1_000_000
_MOST_ROWS = 1_048_576
_LEAST = -1e10  # of numbers in cells
_MOST_STYLES = 200_000
_LONGEST_FORMAT = 1_000  # characters of a number's format, which is read for every style
_LONGEST_NUMBER = 1_000  # characters that are looked at


class WorkbookChecks:
    """Bounds on all parts of one workbook: bytes, elements, columns, cells, and shared texts.

    Args:
        source: the file's name, for errors.
        packed: its size in bytes.
        max_bytes: to how many bytes it may unfold, whatever the ratio; see `SizeLimit`.
    """

    def __init__(self, source: str, packed: int, max_bytes: int | None) -> None:
        self._source, self._packed = source, packed
        self._unfolding = SizeLimit(source, max_bytes)
        few = max(_FREE_ELEMENTS, _ELEMENTS_A_BYTE * packed)
        self._most_elements = MOST_ELEMENTS if max_bytes else min(MOST_ELEMENTS, few)
        self._elements = self._cells = self._styles = 0
        self._texts: list[int] = []  # characters of each shared text
        self._names: set[tuple[str, str]] = set()  # of sheets and of their parts

    def check(self, part: str, data: bytes) -> None:
        """Raise DataError where a part is not well-formed, declares entities or is too large.

        The shared texts must be checked before the sheets.
        """
        self._part = part
        self._unfolding.add(len(data), self._packed)
        self._row = self._column = self._here = self._tallest = self._widest = 0
        self._text = -1  # number of a shared text
        self._shared = 0  # characters of the shared texts that cells hold
        self._is_shared = False
        if b"\0" in data:  # UTF-16: calamine would take the same bytes for other elements
            raise self._problem(f"{part} is not well-formed: it is no UTF-8")
        parser = expat.ParserCreate("utf-8")  # as calamine reads it, whatever it says of itself
        parser.StartDoctypeDeclHandler = self._refuse_doctype
        parser.StartElementHandler = self._count
        parser.buffer_text = True
        self._parser, self._value = parser, ""
        try:
            parser.Parse(data, True)
        except (expat.ExpatError, *DAMAGE) as error:
            raise DataError(f"{part} is not well-formed: {error}", source=self._source) from error
        self._end_value()
        self._cells += max(self._here, self._tallest * self._widest)
        self._unfolding.add(self._shared, self._packed)

    def _refuse_doctype(self, *_: Any) -> None:
        raise self._problem(f"{self._part} declares entities, which no workbook does")

    def _count(self, tag: str, attributes: dict[str, str]) -> None:
        self._elements += 1
        if self._elements > self._most_elements:
            raise self._problem(
                f"holds more than {self._most_elements:,} XML elements"
                f" in {self._packed:,} bytes; save it as CSV"
            )
        name = tag.rpartition(":")[2]
        if name == "v":
            self._parser.CharacterDataHandler = self._add_value
            return
        self._end_value()
        self._parser.CharacterDataHandler = None
        if name == "c":
            self._count_cell(attributes)
        elif name == "row":
            self._row = self._row_number(attributes.get("r"))
            self._column = 0
        elif name == "t":
            self._parser.CharacterDataHandler = self._add_text
        else:
            self._count_other(name, attributes)

    def _count_cell(self, attributes: dict[str, str]) -> None:
        self._here += 1
        self._is_shared = attributes.get("t") == "s"
        reference = attributes.get("r", "")
        letters = reference.rstrip("0123456789")
        if reference:
            self._row = self._row_number(reference[len(letters) :])
        self._column = column_number(letters) if letters else self._column + 1
        if self._column > MOST_COLUMNS:
            problem = f"has a cell in column {letters or self._column}"
            raise self._problem(f"{problem}; {MOST_COLUMNS} are the most")
        self._tallest = max(self._tallest, self._row)
        self._widest = max(self._widest, self._column)
        if self._cells + max(self._here, self._tallest * self._widest) > MOST_CELLS:
            problem = f"{self._part} brings it to more than {MOST_CELLS:,} cells"
            raise self._problem(f"{problem}, empty ones included; save it as CSV")

    def _count_other(self, name: str, attributes: dict[str, str]) -> None:
        for key in ("count", "uniqueCount"):  # room is made for as many before any is read
            count = attributes.get(key, "0")
            if not count.strip().isdecimal() or int(count[:20]) > MOST_CELLS:
                problem = f"{self._part} says that it holds {count!r:.20} parts"
                raise self._problem(f"{problem}; {MOST_CELLS:,} are the most")
        if name == "si":
            self._text += 1
            if self._text == len(self._texts):
                self._texts.append(0)
        elif name == "xf":
            self._styles += 1
            if self._styles > _MOST_STYLES:
                raise self._problem(f"{self._part} has more than {_MOST_STYLES:,} styles")
        elif name == "numFmt" and len(attributes.get("formatCode", "")) > _LONGEST_FORMAT:
            problem = f"{self._part} has a format of numbers of more than {_LONGEST_FORMAT:,}"
            raise self._problem(f"{problem} characters")
        elif name == "sheet":
            for key, value in attributes.items():
                if key.rpartition(":")[2] == "id":
                    self._add_name("sheet", value)
        elif name == "Relationship" and "/_rels/" in self._part.casefold():
            target = attributes.get("Target", "").replace("\\", "/").casefold()
            self._add_name(self._part, target.removeprefix("/").removeprefix("xl/"))

    def _add_name(self, kind: str, name: str) -> None:
        """Note a sheet or its part, which would be read once more if it stood there twice."""
        if (kind, name) in self._names:
            raise self._problem(f"{self._part} names {name!r:.40} twice")
        self._names.add((kind, name))

    def _add_text(self, text: str) -> None:
        if self._text >= 0:
            self._texts[self._text] += len(text)

    def _add_value(self, text: str) -> None:
        self._value = self._value + text[:_LONGEST_NUMBER]

    def _end_value(self) -> None:
        """Take the text of a cell that ended.

        A number that no date can be is refused: calamine aborts where such a cell is a date.
        """
        value, self._value = self._value, ""
        if not value:
            return
        if self._is_shared:
            self._shared += self._texts[self._text_number(value)]
            return
        try:
            low = float(value) < _LEAST
        except ValueError:
            return
        if low:
            raise self._problem(f"received the number {value!r:.20}; {_LEAST:.0e} is the least")

    def _text_number(self, value: str) -> int:
        """Return the number of a shared text. Of what is none calamine takes the first text."""
        number = value.strip()
        if number.isascii() and number.isdecimal() and int(number) < len(self._texts):
            return int(number)
        problem = f"received shared text {value!r:.20} in a cell"
        raise self._problem(f"{problem}; there are {len(self._texts):,}")

    def _row_number(self, text: str | None) -> int:
        """Return the number of a row: the one that stands there, else the next."""
        if not text:
            return self._row + 1
        if not text.isdecimal() or len(text) > len(str(_MOST_ROWS)) or int(text) > _MOST_ROWS:
            raise self._problem(
                f"received row {text!r:.20}; expected a number from 1 to {_MOST_ROWS:,}"
            )
        return int(text)

    def _problem(self, problem: str) -> DataError:
        return DataError(problem, source=self._source)


def column_number(letters: str) -> int:
    """Return the number of a column, from 1; of what is none, one beyond the last.

    >>> column_number("A"), column_number("AB"), column_number("1") > MOST_COLUMNS
    (1, 28, True)
    """
    number = 0
    for letter in letters.upper():
        if not "A" <= letter <= "Z" or number > MOST_COLUMNS:
            return MOST_COLUMNS + 1
        number = 26 * number + ord(letter) - ord("A") + 1
    return number
