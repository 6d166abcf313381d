"""Labels out of filled-in sheets."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.reference.rating_sheets.filling import filled, items

from assize.base.errors import ConfigError, DataError
from assize.judgments import JudgmentTable
from assize.reference._rating_sheets.form import COMPARED, RATINGS
from assize.reference._rating_sheets.labels import labels_of, name_rater
from assize.reference._rating_sheets.workbook import Key, write_form

SCORES = {
    "score_task_1_content": "4: agree",
    "score_task_2_style": "3",
    "score_task_3_reasonableness": "5: a reasonable continuation",
}


def scores(row: str, column: str) -> str:
    return "" if row == "r0002" else SCORES[column]


@pytest.fixture
def key(tmp_path: Path) -> Key:
    return write_form(tmp_path / "out", RATINGS, items(2), {})


@pytest.mark.parametrize("name", ["anna.xlsx", "anna.csv"])
def test_labels_are_judgments_by_their_raters(tmp_path: Path, key: Key, name: str) -> None:
    table = labels_of(key, [filled(tmp_path / "out", tmp_path / name, scores)])
    rows = list(table)
    assert len(rows) == 4 * 3
    assert {(row.judge, row.kind) for row in rows} == {("anna", "person")}
    first = [row for row in rows if row.item == "k0-0-m1"]
    assert {row.question: row.answer for row in first} == {
        "content": "4",
        "style": "3",
        "reasonableness": "5",
    }
    empty = [row for row in rows if row.item == "k0-0-m2"]
    assert {row.unscored.reason for row in empty if row.unscored} == {"missing"}
    assert table.questions["style"].answers == ("1", "2", "3", "4", "5")


def test_rows_can_be_sorted_and_left_out(tmp_path: Path, key: Key) -> None:
    place = filled(tmp_path / "out", tmp_path / "anna.csv", scores)
    head, *rows = place.read_text("utf-8-sig").splitlines()
    kept = [row for row in reversed(rows) if not row.startswith("r0003")]
    place.write_text("\n".join([head, *kept, ",,,,,,"]))
    table = labels_of(key, [place])
    assert len(table) == 12
    assert {row.item for row in table if row.unscored} == {"k0-0-m2", "k1-0-m1"}


def test_free_text_is_kept_as_it_is_shown_and_an_empty_theme_is_nothing(tmp_path: Path) -> None:
    key = write_form(tmp_path / "notes", COMPARED, items(1), {})

    def fill(row: str, column: str) -> str:
        return {"phrasing": "Human", "difference": "longer\u202e"}.get(column, "")

    table = labels_of(key, [filled(tmp_path / "notes", tmp_path / "ben.csv", fill)])
    assert [(row.question, row.answer) for row in table][:2] == [
        ("phrasing", "human"),
        ("difference", "longer[U+202E]"),
    ]
    assert "theme" not in table.asked


def test_raters_are_told_apart_by_their_names(tmp_path: Path, key: Key) -> None:
    place = filled(tmp_path / "out", tmp_path / "anna.xlsx", scores)
    table: JudgmentTable = labels_of(key, [place, f"ben={place}"])
    assert set(table.judges) == {"anna", "ben"}
    with pytest.raises(ConfigError, match="are both by 'anna'; write NAME=FILE"):
        labels_of(key, [place, f"anna={place}"])
    assert name_rater("a/b=c.xlsx") == ("b=c", "a/b=c.xlsx")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("row,chat_history\nr0001,\n", "has no column 'score_task_1_content'"),
        ("[[]]\n[1]\n", "a row has no columns; save the sheet as CSV"),
        ("", "the file is empty"),
        ("{head}\nr9,,,,1,1,1\n", "row 'r9' is none of the sheet's"),
        (
            "{head}\nr0001,,,,1,1,1\nr0001,,,,1,1,1\n",
            "row 'r0001' is none of the sheet's, or there twice",
        ),
        ("{head}\n,,,,1,1,1\n", "row '' is none of the sheet's"),
        ("{head}\nr0001,,,,6,1,1\n", "row r0001: received '6'; allowed are 1: strongly disagree"),
        ("{head}\nr0001,,,,1,2,1\n", "allowed are 1: different styles, 3: "),
    ],
)
def test_a_sheet_that_is_not_ours_is_told(tmp_path: Path, key: Key, text: str, told: str) -> None:
    head = "row,chat_history,Option A,Option B," + ",".join(SCORES)
    (tmp_path / "anna.csv").write_text(text.format(head=head))
    with pytest.raises(DataError, match=told):
        labels_of(key, [tmp_path / "anna.csv"])


def test_a_workbook_without_the_table_is_told(tmp_path: Path, key: Key) -> None:
    from assize.formats.xlsx import Sheet, SheetColumn, write_workbook

    columns = (SheetColumn("about"), SheetColumn("what to do"))
    write_workbook(tmp_path / "anna.xlsx", [Sheet("instructions", columns, (("a", "b"),))])
    with pytest.raises(DataError, match="has no column 'row'; it has about, what to do"):
        labels_of(key, [tmp_path / "anna.xlsx"])
