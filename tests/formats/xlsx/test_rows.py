from __future__ import annotations

import io
import zipfile
from datetime import date
from pathlib import Path

import pytest
import xlsxwriter

from assize.base.errors import DataError
from assize.formats.rows import open_rows
from assize.formats.xlsx import Sheet, SheetColumn, write_workbook
from assize.formats.xlsx.rows import read_tables


def sheet(name: str, *rows: tuple[str, ...]) -> Sheet:
    columns = tuple(SheetColumn(one) for one in rows[0])
    return Sheet(name, columns, rows[1:])


def values(path: Path) -> list[tuple[int, object]]:
    with open_rows(path) as (sample, rows):
        assert sample.container == "csv"
        return [(row.line, row.value) for row in rows]


def test_rows_stand_below_the_header_with_their_number(tmp_path: Path) -> None:
    path = tmp_path / "a.xlsx"
    write_workbook(path, [sheet("x", ("item", "", "q"), ("c1", "", "4"), ("", "", ""), ("c2",))])
    assert values(path) == [(2, {"item": "c1", "q": "4"}), (4, {"item": "c2", "q": ""})]


def test_a_title_above_the_header_is_passed_over(tmp_path: Path) -> None:
    path = tmp_path / "a.xlsx"
    write_workbook(path, [sheet("x", ("Ratings 2026", ""), ("item", "q"), ("c1", "4"))])
    assert values(path) == [(3, {"item": "c1", "q": "4"})]


def test_the_sheet_ratings_is_read_of_several(tmp_path: Path) -> None:
    path = tmp_path / "a.xlsx"
    first, second = sheet("notes", ("a", "b"), ("1", "2")), sheet("Ratings", ("c", "d"), ("3", "4"))
    write_workbook(path, [first, second])
    assert values(path) == [(2, {"c": "3", "d": "4"})]


@pytest.mark.parametrize("rows", [(("a", "a"), ("1", "2")), (("alone",), ("1",))])
def test_a_table_without_a_header_or_with_a_name_twice_is_an_error(
    rows: tuple[tuple[str, ...], ...], tmp_path: Path
) -> None:
    path = tmp_path / "a.xlsx"
    write_workbook(path, [sheet("x", *rows)])
    with pytest.raises(DataError, match=r"more than once|no sheet holds a table"):
        values(path)


def test_dates_truth_values_and_numbers_of_a_table_are_texts(tmp_path: Path) -> None:
    path = tmp_path / "a.xlsx"
    with xlsxwriter.Workbook(str(path), {"default_date_format": "yyyy-mm-dd"}) as workbook:
        table = workbook.add_worksheet()
        table.write_row(0, 0, ["item", "day", "solved", "whole", "half"])
        table.write_row(1, 0, ["c1", date(2026, 1, 2), True, 4.0, 4.5])
    expected = {"item": "c1", "day": "2026-01-02", "solved": "TRUE", "whole": "4", "half": "4.5"}
    assert values(path) == [(2, expected)]


def test_another_archive_is_no_workbook() -> None:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        archive.writestr("a.txt", "a")
    data.seek(0)
    with pytest.raises(DataError, match=r"a.zip: is no workbook"):
        read_tables(io.BufferedReader(data), "a.zip")
