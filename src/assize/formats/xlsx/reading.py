"""Reading the texts of a workbook, whichever program saved it."""

from __future__ import annotations

import re
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import IO
from xml.etree import ElementTree

from assize.errors import DataError

_DAMAGE = (  # what the zip and XML readers raise
    zipfile.BadZipFile, zlib.error, KeyError, LookupError, ValueError, EOFError,
    NotImplementedError, RuntimeError, OverflowError,
)  # fmt: skip
MOST = 200_000_000  # bytes that a part may unfold to
_MOST_COLUMNS = 1_000
_ESCAPE = re.compile(r"_x([0-9A-Fa-f]{4})_")
_PLACE = re.compile(r"([A-Z]{1,3})([0-9]{1,7})")
_DOCTYPE = re.compile(rb"<!\s*(?:DOCTYPE|ENTITY)", re.IGNORECASE)


def read_workbook(
    path: str | Path | IO[bytes], *, source: str | None = None
) -> dict[str, list[list[str]]]:
    """The texts of every sheet by its name: rows of cells, "" where a cell is empty.

    Whole numbers are written without a point, as people typed them; of a formula there is the
    result that was stored. Rows end with their last cell that holds something.

    Args:
        path: a file, or a stream that can be searched.
        source: what errors call it, by default the path.

    Raises:
        DataError: the file is no workbook, or a part of it is too large or not well-formed.
    """
    source = str(path) if source is None else source
    try:
        with zipfile.ZipFile(path) as archive:
            names = _parts(archive, source)
            shared = _shared(archive, source)
            return {
                name: _rows(_parsed(archive, part, source), shared, source)
                for name, part in names.items()
            }
    except DataError:
        raise
    except _DAMAGE as error:
        raise DataError(f"is no workbook (.xlsx): {error}", source=source) from error
    except OSError as error:
        problem = f"cannot be read: {error.strerror or error}"
        raise DataError(problem, source=source) from error


def _parsed(archive: zipfile.ZipFile, part: str, source: str) -> ElementTree.Element:
    size = archive.getinfo(part).file_size
    if size > MOST:
        raise DataError(f"{part} unfolds to {size:,} bytes; {MOST:,} are the most", source=source)
    with archive.open(part) as stream:
        data = stream.read(MOST + 1)
    if len(data) > MOST:
        raise DataError(f"{part} unfolds to more than {MOST:,} bytes", source=source)
    if _DOCTYPE.search(data):
        raise DataError(f"{part} declares entities, which no workbook does", source=source)
    try:
        # No entity is declared, so none can be unfolded, nor anything else be fetched.
        return ElementTree.fromstring(data)  # noqa: S314
    except ElementTree.ParseError as error:
        raise DataError(f"{part} is not well-formed: {error}", source=source) from error


def _local(element: ElementTree.Element) -> str:
    """A tag without its namespace: transitional and strict files differ in nothing else here."""
    return str(element.tag).rpartition("}")[2]


def _each(element: ElementTree.Element, name: str) -> Iterator[ElementTree.Element]:
    return (one for one in element.iter() if _local(one) == name)


def _parts(archive: zipfile.ZipFile, source: str) -> dict[str, str]:
    """The part of each sheet, by the sheet's name."""
    relations = {
        one.get("Id"): one.get("Target", "")
        for one in _each(_parsed(archive, "xl/_rels/workbook.xml.rels", source), "Relationship")
    }
    found = {}
    for one in _each(_parsed(archive, "xl/workbook.xml", source), "sheet"):
        key = next((v for k, v in one.attrib.items() if k.endswith("}id")), None)
        target = relations.get(key, "")
        name = PurePosixPath(target.lstrip("/") if target.startswith("/") else f"xl/{target}")
        found[one.get("name", "")] = str(name)
    return found


def _shared(archive: zipfile.ZipFile, source: str) -> list[str]:
    if "xl/sharedStrings.xml" not in archive.namelist():
        return []
    return [_text_of(one) for one in _each(_parsed(archive, "xl/sharedStrings.xml", source), "si")]


def _text_of(element: ElementTree.Element) -> str:
    """The text of a cell or a shared string, its runs put together; without readings."""
    pieces = []
    for child in element:
        kind = _local(child)
        if kind == "t":
            pieces.append(child.text or "")
        elif kind == "r":
            pieces += [one.text or "" for one in child if _local(one) == "t"]
    return _ESCAPE.sub(lambda found: chr(int(found[1], 16)), "".join(pieces))


def _rows(sheet: ElementTree.Element, shared: list[str], source: str) -> list[list[str]]:
    found: list[list[str]] = []
    for row in _each(sheet, "row"):
        cells: dict[int, str] = {}
        for cell in row:
            if _local(cell) == "c":
                place = _column(cell.get("r"), len(cells), source)
                cells[place] = _cell(cell, shared, source)
        filled = [at for at, text in cells.items() if text]
        found.append([cells.get(at, "") for at in range(max(filled, default=-1) + 1)])
    return found


def _column(reference: str | None, usual: int, source: str) -> int:
    """The place of a column, counted from 0."""
    if reference is None:
        return usual
    match = _PLACE.fullmatch(reference)
    if match is None:
        raise DataError(f"received cell {reference!r:.20}; expected such as B3", source=source)
    place = 0
    for letter in match[1]:
        place = 26 * place + ord(letter) - ord("A") + 1
    if place > _MOST_COLUMNS:
        raise DataError(f"has a cell in column {match[1]}; {_MOST_COLUMNS} are the most",
                        source=source)  # fmt: skip
    return place - 1


def _cell(cell: ElementTree.Element, shared: list[str], source: str) -> str:
    kind = cell.get("t", "n")
    if kind == "inlineStr":
        return "".join(_text_of(one) for one in cell if _local(one) == "is")
    value = next((one.text or "" for one in cell if _local(one) == "v"), "")
    if kind == "s":
        try:
            return shared[int(value)]
        except (ValueError, IndexError) as error:
            raise DataError(f"has no shared text {value!r:.20}", source=source) from error
    if kind == "n":
        return value.removesuffix(".0")
    return _ESCAPE.sub(lambda found: chr(int(found[1], 16)), value)
