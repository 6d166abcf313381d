"""Workbooks whose ratings stand in several sheets."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.formats.ratings.sheet_of_raters import (
    ANSWERS,
    QUESTIONS,
    RATERS,
    Cells,
    Table,
    alphas,
    crossed,
    long,
    sheets_of_raters,
    write_table,
)

import assize
from assize.base.errors import DataError
from assize.formats import read, read_judgments
from assize.versions.compare_result import VersionsCompared

README: Table = [["About these ratings"], ["Question", "Meaning"], ["Helpful", "Was it of use?"]]


def test_a_sheet_a_question_has_the_numbers_of_the_long_table(
    cells: Cells, expected: dict[str, float], tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    sheets = {"Read me": README, **sheets_of_raters(cells)}
    path = write_table(tmp_path / "sheets.xlsx", sheets)
    with caplog.at_level("INFO", logger="assize"):
        assert alphas(path) == expected
    assert "passed over (no ratings): Read me" in caplog.text
    assert (
        "4 questions (Helpful, Polite, Clear, Depth) by 5 raters (r1, r2, r3, r4, r5),"
        " one sheet per question, one column per rater" in caplog.text
    )
    table = read_judgments(path)
    assert len(table) == ANSWERS
    assert set(table.asked) == set(QUESTIONS)


def test_a_sheet_a_rater_has_the_numbers_of_the_long_table(
    cells: Cells, expected: dict[str, float], tmp_path: Path
) -> None:
    header, *rows = crossed(cells, "{q} - {r}")
    sheets = {
        rater: [
            [name.removesuffix(f" - {rater}") for name in _of_rater(header, header, rater)],
            *(_of_rater(header, row, rater) for row in rows),
        ]
        for rater in RATERS
    }
    assert alphas(write_table(tmp_path / "raters.xlsx", sheets)) == expected


def _of_rater(header: list[str], row: list[str], rater: str) -> list[str]:
    return [
        cell
        for name, cell in zip(header, row, strict=True)
        if name == "Chat ID" or name.endswith(rater)
    ]


def test_sheets_with_a_column_of_raters_are_one_table(
    cells: Cells, expected: dict[str, float], tmp_path: Path
) -> None:
    header, *rows = long(cells)
    path = write_table(
        tmp_path / "months.xlsx",
        {"May": [header, *rows[:400]], "June": [header, *rows[400:]]},
    )
    assert alphas(path) == expected


MONTHS = {
    month: [
        ["Chat no.", "Chat", "Rater", "Polite"],
        [f"{place}1", "Customer: Hi\nAgent: Hello", "ann", "4"],
        [f"{place}1", "", "ben", "3"],
        [f"{place}2", "Hi there", "ann", low],
        [f"{place}2", "", "ben", "2"],
        [f"{place}3", "Customer: Hi\nAgent: " + 90 * "Well, ", "ann", low],
    ]
    for place, month, low in (("5", "May", "1"), ("6", "June", "5"))
}


def test_the_chats_of_a_workbook_of_months_are_read_beside_its_ratings(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = write_table(tmp_path / "months.xlsx", MONTHS)
    with caplog.at_level("INFO", logger="assize"):
        ratings = read_judgments(path)
    assert "with sheets May, June: one column per question (Polite), raters: Rater" in caplog.text
    assert ratings.items == ("51", "52", "53", "61", "62", "63")
    chats = read(path, map="turns=Chat,id=Chat no.", on_error="skip")
    assert [(chat.id, chat.metadata["sheet"]) for chat in chats] == [
        (f"{place}{number}", month)
        for place, month in ((5, "May"), (6, "June"))
        for number in (1, 3)
    ]
    assert {"Rater", "Polite"}.isdisjoint(next(iter(chats)).metadata)
    bad = [(reject.line, reject.problem.partition(":")[0]) for reject in chats.rejects]
    assert bad == [(4, "sheet May"), (4, "sheet June")]
    compared = assize.compare(path, by="sheet", items=chats)
    assert isinstance(compared, VersionsCompared)
    assert set(compared.versions) == {"May", "June"}


def test_the_caller_says_what_was_rated(tmp_path: Path) -> None:
    rows = [["Nr", "Rater", "Polite"], ["a", "ann", "4"], ["b", "ann", "3"]]
    path = write_table(tmp_path / "one.xlsx", {"May": rows})
    for words in ("item=Nr", "id=Nr"):
        assert read_judgments(path, map=words).items == ("a", "b")
    with pytest.raises(DataError, match="there is no column 'Chat' for item; there are Nr, Rater"):
        read_judgments(path, map="item=Chat")


def test_a_sheet_that_nobody_filled_in_is_said_to_be_empty(tmp_path: Path) -> None:
    path = write_table(
        tmp_path / "new.xlsx", {"May": [["Nr", "Rater", "Polite"], ["a", "ann", ""]]}
    )
    with pytest.raises(DataError, match="columns: Nr, Rater, Polite; empty: Polite"):
        read_judgments(path, map="item=Nr", format="ratings")


def test_one_sheet_of_ratings_keeps_the_question_s_name(cells: Cells, tmp_path: Path) -> None:
    sheets = {"Read me": README, "Sheet1": sheets_of_raters(cells)["Helpful"]}
    assert read_judgments(write_table(tmp_path / "one.xlsx", sheets)).asked == ("rating",)


def test_an_odd_cell_names_its_sheet(
    cells: Cells, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    sheets = sheets_of_raters(cells)
    sheets["Polite"][3][1] = "3?"
    table = read_judgments(write_table(tmp_path / "odd.xlsx", sheets))
    assert "sheet Polite, row 4, r1: '3?'" in caplog.text
    (odd,) = [row for row in table if row.unscored is not None]
    assert (odd.question, odd.judge) == ("Polite", "r1")
    assert table.questions["Polite"].answers == ("1", "2", "3", "4", "5")


@pytest.mark.parametrize(
    ("row", "column", "cell", "words"),
    [
        (3, 0, "", r"odd.xlsx:4: sheet Polite: column 'Chat ID' is empty"),
        (0, 2, "r1", "the header of sheet Polite names 'r1' more than once"),
    ],
)
def test_an_error_names_the_sheet(
    row: int, column: int, cell: str, words: str, cells: Cells, tmp_path: Path
) -> None:
    sheets = sheets_of_raters(cells)
    sheets["Polite"][row][column] = cell
    with pytest.raises(DataError, match=words):
        read_judgments(write_table(tmp_path / "odd.xlsx", sheets))
