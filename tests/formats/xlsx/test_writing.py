"""Workbooks of texts: what is written is what programs read, and nothing in it acts."""

from __future__ import annotations

import re
import zipfile
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from assize.base.errors import ConfigError, DataError, OutputError
from assize.formats.xlsx import Sheet, SheetColumn, read_workbook, write_workbook
from assize.formats.xlsx.writing import LONGEST
from assize.results.escape import visible

ANSWERS = ("1: no", "5: yes")


def one_sheet(*rows: tuple[str, ...], **more: object) -> Sheet:
    columns = (SheetColumn("text", 30), SheetColumn("score", 12, ANSWERS, open=True))
    return Sheet("table", columns, rows, **more)  # type: ignore[arg-type]


def part(path: Path, name: str = "xl/worksheets/sheet1.xml") -> str:
    with zipfile.ZipFile(path) as archive:
        return archive.read(name).decode()


@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(texts=st.lists(st.text(), min_size=1, max_size=4))
def test_every_text_comes_back_as_it_is_shown(tmp_path: Path, texts: list[str]) -> None:
    write_workbook(tmp_path / "a.xlsx", [one_sheet(*((text, "") for text in texts))])
    rows = read_workbook(tmp_path / "a.xlsx")["table"]
    back = [row[0] if row else "" for row in rows[1:]]
    lines = (text.replace("\r\n", "\n").replace("\r", "\n") for text in texts)
    assert back == [visible(text) for text in lines]


@pytest.mark.parametrize(
    "text", ["=1+1", "+1", "-1", "@SUM(A1)", '=HYPERLINK("http://x")', "_x0041_", "<b>&amp;", " a "]
)
def test_nothing_is_a_formula_an_escape_or_markup(tmp_path: Path, text: str) -> None:
    write_workbook(tmp_path / "a.xlsx", [one_sheet((text, text))])
    assert read_workbook(tmp_path / "a.xlsx")["table"][1] == [text, text]
    sheet = part(tmp_path / "a.xlsx")
    assert "<f>" not in sheet
    assert set(re.findall(r' t="(\w+)"', sheet)) == {"s"}


def test_answers_are_a_dropdown_over_all_rows_and_other_cells_are_locked(tmp_path: Path) -> None:
    write_workbook(tmp_path / "a.xlsx", [one_sheet(("a", ""), ("b", ""))])
    sheet = part(tmp_path / "a.xlsx")
    assert '<formula1>"1: no,5: yes"</formula1>' in sheet
    assert 'sqref="B2:B3"' in sheet
    assert '<sheetProtection sheet="1"' in sheet
    styles = ElementTree.fromstring(part(tmp_path / "a.xlsx", "xl/styles.xml"))
    open_ = [one for one in styles.iter() if one.attrib.get("locked") == "0"]
    assert len(open_) == 1
    free = one_sheet(("a", ""), locked=False)
    write_workbook(tmp_path / "b.xlsx", [free])
    assert "sheetProtection" not in part(tmp_path / "b.xlsx")


def test_rows_are_as_tall_as_their_text_up_to_what_there_can_be(tmp_path: Path) -> None:
    write_workbook(tmp_path / "a.xlsx", [one_sheet(("a", ""), ("a\n" * 3, ""), ("x" * 9000, ""))])
    tall = re.findall(r' ht="([\d.]+)"', part(tmp_path / "a.xlsx"))
    assert tall == ["15.75", "60.75", "408.75"]  # whole pixels; the heading has the usual height


def test_a_text_that_no_cell_can_hold_is_cut_and_counted(tmp_path: Path) -> None:
    assert write_workbook(tmp_path / "a.xlsx", [one_sheet(("x" * (LONGEST + 1), ""))]) == 1
    (text,) = read_workbook(tmp_path / "a.xlsx")["table"][1]
    assert len(text) == LONGEST
    assert text.endswith(" [cut]")


def test_the_same_sheets_are_the_same_bytes(tmp_path: Path) -> None:
    for name in ("a.xlsx", "b.xlsx"):
        write_workbook(tmp_path / name, [one_sheet(("a", ""))])
    assert (tmp_path / "a.xlsx").read_bytes() == (tmp_path / "b.xlsx").read_bytes()


@pytest.mark.parametrize(
    ("path", "sheet", "error", "words"),
    [
        ("a.xlsx", Sheet("a/b", (), ()), ConfigError, "a sheet cannot be named 'a/b'"),
        *(
            ("a.xlsx", Sheet("t", (SheetColumn("c", 9, answers),), ()), ConfigError, "no dropdown")
            for answers in (("a,b",), ('"',), ("x" * 200, "y" * 60))
        ),
        ("a.xlsx", one_sheet(("a", "b", "c")), DataError, "row 2: 3 cells for 2 columns"),
        ("none/a.xlsx", one_sheet(), OutputError, "cannot write"),
    ],
)
def test_what_the_format_does_not_allow_is_refused(
    path: str, sheet: Sheet, error: type[Exception], words: str, tmp_path: Path
) -> None:
    with pytest.raises(error, match=words):
        write_workbook(tmp_path / path, [sheet])
    assert not list(tmp_path.iterdir())
