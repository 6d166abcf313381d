"""Workbooks as other programs save them, and files that are none."""

from __future__ import annotations

import io
import random
import subprocess
import sys
import zipfile
from datetime import date
from pathlib import Path

import pytest
import xlsxwriter

from assize.base.errors import DataError
from assize.formats.rows import open_rows
from assize.formats.xlsx import Sheet, SheetColumn, reading, write_workbook
from assize.formats.xlsx.reading import read_workbook

CELLS = (
    '<row r="1"><c r="A1" t="s"><v>0</v></c><c r="C1" t="s"><v>1</v></c></row>'
    '<row r="3"><c r="A3"><v>3</v></c><c r="B3"><v>4.0</v></c><c r="C3"><v>2.5</v></c>'
    '<c r="D3" t="str"><f>A1&amp;B1</f><v>sum</v></c><c r="E3" t="s"><v>2</v></c>'
    '<c r="F3" t="inlineStr"><is><t>own</t></is></c><c r="G3" s="1"/></row><row r="4"/>'
    '<row r="5"><c r="A5" t="b"><v>1</v></c><c r="B5" s="1"><v>46024</v></c>'
    '<c r="C5" s="2"><v>46024.5</v></c><c r="D5" t="e"><v>#DIV/0!</v></c></row>'
)


ROWS = [
    ["plain", "", "two runs"],
    [],
    ["3", "4", "2.5", "sum", "a\nb", "own"],
    [],
    ["TRUE", "2026-01-02", "2026-01-02T12:00:00"],
]

MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
WORKBOOK = (
    f'<workbook xmlns="{MAIN}" xmlns:r="{OFFICE}"><sheets>'
    '<sheet name="table" sheetId="7" r:id="rId3"/></sheets></workbook>'
)
RELATIONS = (
    '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
    f'<Relationship Id="rId3" Type="{OFFICE}/worksheet" Target="/xl/worksheets/other.xml"/>'
    "</Relationships>"
)
PACKAGE = (
    '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
    f'<Relationship Id="rId1" Type="{OFFICE}/officeDocument" Target="xl/workbook.xml"/>'
    "</Relationships>"
)
TYPES = '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>'
STYLES = (
    f'<styleSheet xmlns="{MAIN}"><cellXfs count="3"><xf numFmtId="0"/><xf numFmtId="14"/>'
    '<xf numFmtId="22"/></cellXfs></styleSheet>'
)
SHARED = (
    f'<sst xmlns="{MAIN}"><si><t>plain</t></si><si><r><t xml:space="preserve">two </t></r>'
    "<r><rPr/><t>runs</t></r>"
    "<rPh><t>reading</t></rPh></si><si><t>a_x000A_b</t></si></sst>"
)


def workbook(path: Path, cells: str, **parts: str | bytes) -> Path:
    """A workbook of one sheet, put together by hand as Excel writes it."""
    sheet = f'<worksheet xmlns="{MAIN}"><sheetData>{cells}</sheetData></worksheet>'
    given: dict[str, str | bytes] = {
        "[Content_Types].xml": TYPES,
        "_rels/.rels": PACKAGE,
        "xl/styles.xml": STYLES,
        "xl/workbook.xml": WORKBOOK,
        "xl/_rels/workbook.xml.rels": RELATIONS,
        "xl/sharedStrings.xml": SHARED,
        "xl/worksheets/other.xml": sheet,
        **parts,
    }
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in given.items():
            archive.writestr(name, text)
    return path


@pytest.mark.parametrize(
    ("cells", "rows"),
    [
        (CELLS, ROWS),
        # Cells without a place follow one another.
        ('<row><c t="s"><v>0</v></c><c><v>1</v></c></row>', [["plain", "1"]]),
        ("<row>" + "<c/>" * 900 + "</row>", []),
    ],
)
def test_texts_numbers_and_results_are_read_wherever_they_stand(
    tmp_path: Path, cells: str, rows: list[list[str]]
) -> None:
    assert read_workbook(workbook(tmp_path / "a.xlsx", cells)) == {"table": rows}


def zipped(**parts: str) -> bytes:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        for name, text in parts.items():
            archive.writestr(name, text)
    return data.getvalue()


BOMB = '<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]><worksheet><c>&b;</c></worksheet>'

BOMB_16 = ('<?xml version="1.0" encoding="UTF-16"?>' + BOMB).encode("utf-16")


FAR = b'<row><c r="ALL1048576"/></row>'
TWO_READINGS = (  # far cells in one encoding, Chinese characters in another
    "\ufeff<worksheet>".encode("utf-16-le") + FAR + "</worksheet>".encode("utf-16-le")
)
LONG_FORMAT = f'<numFmts><numFmt numFmtId="170" formatCode="{"0" * 1_001}"/></numFmts>'
TWICE = '<Relationship Id="x" Target="worksheets/Other.xml"/>'


@pytest.mark.parametrize(
    ("cells", "parts", "told"),
    [
        ('<row><c t="s"><v>9</v></c></row>', {}, "received shared text '9' in a cell; there are 3"),
        ('<row><c t="s"><v>+0</v></c></row>', {}, r"received shared text '\+0'"),
        ('<row><c t="s"><v>x</v></c></row>', {}, "received shared text 'x'"),
        ('<row><c r="ZZZ1"/></row>', {}, "has a cell in column ZZZ; 1000 are the most"),
        ('<row><c r="1A"/></row>', {}, "has a cell in column 1A"),
        ('<row r="9999999999"><c/></row>', {}, "received row '9999999999'"),
        ('<row r="1048576"><c r="ALL1048576"/></row>', {}, "5,000,000 cells, empty ones"),
        ('<row r="1048576"><c/></row><row r="1"><c r="ALL1"/></row>', {}, "5,000,000 cells"),
        (
            "",
            {"xl/workbook.xml": WORKBOOK.replace("</sheets>", '<sheet r:id="rId3"/></sheets>')},
            "names 'rId3' twice",
        ),
        (
            "",
            {"xl/_rels/workbook.xml.rels": RELATIONS.replace("</R", TWICE + "</R")},
            "names 'worksheets/other.xml' twice",
        ),
        ('<row><c s="1"><v>-1e300</v></c></row>', {}, "received the number '-1e300'"),
        (
            "",
            {"xl/sharedStrings.xml": SHARED.replace("<sst", "<sst uniqueCount='2147483648'")},
            "says that it holds '2147483648' parts",
        ),
        ("<row>", {}, "is not well-formed"),
        ("", {"xl/worksheets/other.xml": BOMB}, "declares entities"),
        ("", {"xl/worksheets/other.xml": BOMB_16}, "is not well-formed"),
        ("", {"xl/worksheets/other.xml": TWO_READINGS}, "is not well-formed"),
        (
            "",
            {"xl/styles.xml": STYLES.replace("<cellXfs", LONG_FORMAT + "<cellXfs")},
            "a format of numbers of more than 1,000 characters",
        ),
        (
            "",
            {"xl/styles.xml": STYLES.replace("</cellXfs", "<xf/>" * 200_000 + "</cellXfs")},
            "has more than 200,000 styles",
        ),
        (
            "",
            {"xl/_Rels/workbook.xml.rels": RELATIONS.replace("</R", TWICE + "</R")},
            "names 'worksheets/other.xml' twice",
        ),
        ("", {"xl/workbook.xml": WORKBOOK.replace("rId3", "rId9")}, "is no workbook"),
    ],
)
def test_what_is_damaged_is_told(
    tmp_path: Path, cells: str, parts: dict[str, str | bytes], told: str
) -> None:
    with pytest.raises(DataError, match=told):
        read_workbook(workbook(tmp_path / "a.xlsx", cells, **parts))


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (b"row,score\n", "is no workbook"),
        (zipped(notes="hi"), "is no workbook"),
        (None, "cannot be read"),
    ],
    ids=["a text", "another archive", "no file"],
)
def test_what_is_no_workbook_is_told(data: bytes | None, told: str, tmp_path: Path) -> None:
    if data is not None:
        (tmp_path / "a.xlsx").write_bytes(data)
    with pytest.raises(DataError, match=f"a.xlsx.* {told}"):
        read_workbook(tmp_path / "a.xlsx")


def test_a_part_that_unfolds_to_too_much_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = workbook(tmp_path / "a.xlsx", "<row/>" * 1000)
    monkeypatch.setattr(reading, "MOST", 2_000)
    with pytest.raises(DataError, match=r"unfolds to more than 2,000 bytes of XML"):
        read_workbook(place)


def test_a_small_file_of_many_empty_cells_is_refused(tmp_path: Path) -> None:
    place = workbook(tmp_path / "b.xlsx", ("<row>" + "<c/>" * 900 + "</row>") * 6_000)
    assert place.stat().st_size < 200_000
    with pytest.raises(DataError, match=r"more than 1,000,000 XML elements in \d"):
        read_workbook(place)


@pytest.mark.parametrize("number", ["0", " 0 ", "0000000000", "<![CDATA[0]]>"])
def test_a_text_that_many_cells_share_counts_as_often(tmp_path: Path, number: str) -> None:
    shared = f'<sst xmlns="{MAIN}"><si><t>{"x" * 32_000}</t></si></sst>'
    cells = ("<row>" + f'<c t="s"><v>{number}</v></c>' * 500 + "</row>") * 5
    place = workbook(tmp_path / "a.xlsx", cells, **{"xl/sharedStrings.xml": shared})
    with pytest.raises(DataError, match="of it unfold to more than 64 MB"):
        read_workbook(place)


def test_the_cells_of_all_sheets_are_counted_together(tmp_path: Path) -> None:
    sheets = "".join(f'<sheet name="{n}" r:id="r{n}"/>' for n in range(2))
    names = "".join(f'<Relationship Id="r{n}" Target="worksheets/{n}.xml"/>' for n in range(2))
    far = f'<worksheet xmlns="{MAIN}"><row r="5000"><c r="ALL5000"/></row></worksheet>'
    parts = {
        "xl/workbook.xml": f'<workbook xmlns:r="{OFFICE}"><sheets>{sheets}</sheets></workbook>',
        "xl/_rels/workbook.xml.rels": f"<Relationships>{names}</Relationships>",
        "xl/worksheets/0.xml": far,
        "xl/worksheets/1.xml": far,
    }
    with pytest.raises(DataError, match=r"1\.xml brings it to more than 5,000,000 cells"):
        read_workbook(workbook(tmp_path / "a.xlsx", "", **parts))


def test_damaged_bytes_are_an_error_that_names_the_file(tmp_path: Path) -> None:
    whole = workbook(tmp_path / "a.xlsx", '<row><c t="s"><v>0</v></c></row>' * 40).read_bytes()
    rng = random.Random(0)
    refused: list[str | None] = []
    for _ in range(300):
        damaged = bytearray(whole)
        for _ in range(3):
            damaged[rng.randrange(len(damaged))] = rng.randrange(256)
        (tmp_path / "b.xlsx").write_bytes(damaged)
        try:
            read_workbook(tmp_path / "b.xlsx")
        except DataError as error:
            refused.append(error.source)
    assert len(refused) > 150
    assert set(refused) == {str(tmp_path / "b.xlsx")}


def sheet(name: str, *rows: tuple[str, ...]) -> Sheet:
    columns = tuple(SheetColumn(one) for one in rows[0])
    return Sheet(name, columns, rows[1:])


def values(path: Path) -> list[tuple[int, object]]:
    with open_rows(path) as (sample, rows):
        assert sample.container == "csv"
        return [(row.line, row.value) for row in rows]


@pytest.mark.parametrize(
    ("sheets", "expected"),
    [
        (
            [sheet("x", ("item", "", "q"), ("c1", "", "4"), ("", "", ""), ("c2",))],
            [(2, {"item": "c1", "q": "4"}), (4, {"item": "c2", "q": ""})],
        ),
        # A title above the header is passed over.
        (
            [sheet("x", ("Ratings 2026", ""), ("item", "q"), ("c1", "4"))],
            [(3, {"item": "c1", "q": "4"})],
        ),
        # Of several sheets the one of ratings is read.
        (
            [sheet("notes", ("a", "b"), ("1", "2")), sheet("Ratings", ("c", "d"), ("3", "4"))],
            [(2, {"c": "3", "d": "4"})],
        ),
    ],
)
def test_rows_stand_below_the_header_with_their_number(
    sheets: list[Sheet], expected: list[tuple[int, object]], tmp_path: Path
) -> None:
    write_workbook(tmp_path / "a.xlsx", sheets)
    assert values(tmp_path / "a.xlsx") == expected


@pytest.mark.parametrize(
    ("rows", "told"),
    [
        ((("a", "a"), ("1", "2")), "more than once"),
        ((("alone",), ("1",)), "no sheet holds a table"),
    ],
)
def test_a_table_without_a_header_or_with_a_name_twice_is_an_error(
    rows: tuple[tuple[str, ...], ...], told: str, tmp_path: Path
) -> None:
    write_workbook(tmp_path / "a.xlsx", [sheet("x", *rows)])
    with pytest.raises(DataError, match=told):
        values(tmp_path / "a.xlsx")


def test_dates_truth_values_and_numbers_of_a_table_are_texts(tmp_path: Path) -> None:
    path = tmp_path / "a.xlsx"
    with xlsxwriter.Workbook(str(path), {"default_date_format": "yyyy-mm-dd"}) as workbook:
        table = workbook.add_worksheet()
        table.write_row(0, 0, ["item", "day", "solved", "whole", "half"])
        table.write_row(1, 0, ["c1", date(2026, 1, 2), True, 4.0, 4.5])
    expected = {"item": "c1", "day": "2026-01-02", "solved": "TRUE", "whole": "4", "half": "4.5"}
    assert values(path) == [(2, expected)]


def test_workbooks_can_be_imported_before_anything_else() -> None:
    done = subprocess.run(
        [sys.executable, "-c", "import assize.formats.xlsx"], capture_output=True, check=False
    )
    assert done.returncode == 0, done.stderr.decode()
