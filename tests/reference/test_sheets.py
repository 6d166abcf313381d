"""Sheets that people rate in, out and back."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.reference.rating_sheets.filling import filled, items, table_of

import assize
from assize.base.conversation import Conversation, Turn
from assize.base.errors import ConfigError, DataError, OutputError
from assize.reference._sheets import continuations_in


def score(row: str, column: str) -> str:
    return "" if column.endswith("style") and row == "r0001" else "5"


def test_ratings_come_back_to_the_continuations_they_are_of(tmp_path: Path) -> None:
    given = items(5)
    written = assize.reference.sheet(given, tmp_path / "out")
    order = [one.item for one in written.key.entries]
    assert sorted(order) == sorted(one.id for one in given)
    assert order != [one.id for one in given]
    sheets = [filled(tmp_path / "out", tmp_path / f"{who}.xlsx", score) for who in ("anna", "ben")]
    read = assize.reference.labels(tmp_path / "out", sheets, out=tmp_path / "ratings.jsonl")
    table = read.judgments
    assert read.notes == [f"60 judgments: {tmp_path / 'ratings.jsonl'}"]
    assert len(table) == 10 * 3 * 2
    assert table.unscored == 2
    back = assize.read_judgments([tmp_path / "ratings.jsonl"])
    assert [row.key for row in back] == [row.key for row in table]
    assert back.questions["content"].answers == ("1", "2", "3", "4", "5")
    assert not back.inferred
    assert (tmp_path / "ratings.questions.json").is_file()
    agreed = assize.agree(back, items=given)
    assert [row.question for row in agreed.questions] == ["content", "style", "reasonableness"]


def test_a_sheet_of_a_few_hangs_on_the_seed(tmp_path: Path) -> None:
    given = items(5)

    def rows(name: str, **more: Any) -> list[str]:
        assize.reference.sheet(given, tmp_path / name, n=4, **more)
        return [row[3] for row in table_of(tmp_path / name)[1:]]

    assert rows("a") == rows("b") != rows("c", seed=1)
    assert len(rows("d")) == 4


def test_what_cannot_be_rated_is_left_out_and_counted(tmp_path: Path) -> None:
    first, second, *rest = items(3)
    given = [replace(first, references=()), replace(second, candidate=" "), *rest]
    written = assize.reference.sheet(given, tmp_path / "out")
    assert len(written.key.entries) == 4
    assert any("2 continuations were left out" in one for one in written.notes)
    assert written.to_json()["about"]["left_out"] == 2
    with pytest.raises(DataError, match="no continuation has both a candidate and a reference"):
        assize.reference.sheet([replace(first, references=())], tmp_path / "none")
    with pytest.raises(OutputError, match="is there already"):
        assize.reference.sheet(rest, tmp_path / "out")


def test_only_continuations_with_ids_of_their_own_are_shown() -> None:
    one, other, *_ = items(1)
    assert continuations_in([one, one, other]) == [one, other]
    with pytest.raises(DataError, match="two continuations have this id"):
        continuations_in([one, replace(other, id=one.id)])
    talk = Conversation("c", (Turn("user", "Hi"),))
    with pytest.raises(DataError, match="c: a sheet shows continuations, and this is a conversat"):
        continuations_in([talk])


def test_how_much_was_filled_in_is_told(tmp_path: Path) -> None:
    assize.reference.sheet(items(1), tmp_path / "out")
    read = assize.reference.labels(
        tmp_path / "out", filled(tmp_path / "out", tmp_path / "anna.csv", score)
    )
    assert (read.missing, "out" in read.to_json()) == ((1, 6), False)
    assert read.tables["judgments"].rows == [
        ("anna", "content", 2, 0),
        ("anna", "style", 2, 1),
        ("anna", "reasonableness", 2, 0),
    ]
    with pytest.raises(ConfigError, match="name at least one filled-in sheet"):
        assize.reference.labels(tmp_path / "out", [])
