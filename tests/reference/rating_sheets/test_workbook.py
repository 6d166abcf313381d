"""A form as three sheets that hide whose each row is."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from tests.reference.rating_sheets.filling import items, table_of

from assize.base.conversation import Continuation
from assize.base.errors import DataError, OutputError
from assize.formats import read
from assize.formats.xlsx import read_workbook
from assize.reference._rating_sheets.form import COMPARED, RATINGS
from assize.reference._rating_sheets.workbook import KEY, SHEET, read_key, reference_of, write_form


def test_there_are_instructions_examples_and_a_table(tmp_path: Path) -> None:
    write_form(tmp_path / "out", RATINGS, items(), {})
    sheets = read_workbook(tmp_path / "out" / SHEET)
    assert list(sheets) == ["instructions", "examples", "ratings"]
    assert sheets["ratings"][0] == [
        "row",
        "chat_history",
        "Option A",
        "Option B",
        "score_task_1_content",
        "score_task_2_style",
        "score_task_3_reasonableness",
    ]
    assert sheets["ratings"][1] == [
        "r0001",
        "user: =1+0?",
        "reference of 0 0",
        "candidate of 0 0 by one",
    ]
    assert any("at most 3" in cell for row in sheets["instructions"] for cell in row)


def test_the_sheet_tells_neither_source_nor_id(tmp_path: Path) -> None:
    given = [replace(one, id=f"by-{one.source}-{n}") for n, one in enumerate(items())]
    write_form(tmp_path / "out", COMPARED, given, {})
    said = json.dumps(read_workbook(tmp_path / "out" / SHEET))
    for one in given:
        assert one.id not in said
        assert str(one.source) not in said
    key = json.loads((tmp_path / "out" / KEY).read_text())
    assert [one["item"] for one in key["entries"]] == [one.id for one in given]


def test_the_key_is_read_as_it_was_written(tmp_path: Path) -> None:
    key = write_form(tmp_path / "out", COMPARED, items(), {"sources": ["m1", "m2"]})
    assert read_key(tmp_path / "out") == key
    assert (key.entries[1].row, key.entries[1].source) == ("r0002", "m2")
    assert key.about["cut"] == 0


def test_a_folder_that_holds_a_sheet_is_left_alone(tmp_path: Path) -> None:
    write_form(tmp_path / "out", COMPARED, items(), {})
    before = (tmp_path / "out" / SHEET).read_bytes()
    with pytest.raises(OutputError, match="is there already"):
        write_form(tmp_path / "out", COMPARED, items(2), {})
    assert (tmp_path / "out" / SHEET).read_bytes() == before


@pytest.mark.parametrize(
    "text", ["", "[]", '{"version": 9}', '{"form": "x", "entries": [], "about": {}}']
)
def test_a_damaged_key_is_told(tmp_path: Path, text: str) -> None:
    with pytest.raises(DataError, match=r"holds no key\.json"):
        read_key(tmp_path)
    (tmp_path / KEY).write_text(text)
    with pytest.raises(DataError, match="is no key of a sheet"):
        read_key(tmp_path)


def test_the_first_reference_that_says_something_is_option_a() -> None:
    (one, *_) = items()
    assert reference_of(replace(one, references=(" ", "b", "c"))) == "b"
    assert reference_of(replace(one, references=())) == ""


def test_the_table_saved_as_csv_is_upheld_table(tmp_path: Path) -> None:
    import csv

    write_form(tmp_path / "out", RATINGS, items(2), {})
    head, *rows = table_of(tmp_path / "out")
    place = tmp_path / "anna.csv"
    with place.open("w", newline="") as stream:
        csv.writer(stream).writerows([head, *([*row[:4], "3: neutral", "1", "5"] for row in rows)])
    records = list(read(place))
    found = [one for one in records if isinstance(one, Continuation)]
    assert [one.candidate for one in found] == [one.candidate for one in items(2)]
    assert [turn.text for turn in found[0].context] == ["=1+0?"]
