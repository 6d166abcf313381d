"""What functions are given, read; and what the log says of it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.conversations import pair

import assize
from assize.base.conversation import Pair
from assize.base.errors import DataError
from assize.base.judgment import Judgment, Question
from assize.formats import read, write
from assize.formats.arguments import (
    answers_in,
    files_in,
    items_beside,
    items_in,
    judgments_of,
    named,
    names_of,
    ratings_in,
)
from assize.judgments import JudgmentTable

RATED = [
    Judgment("i", "ann", "q", answer="1", kind="person"),
    Judgment("i", "bot", "q", answer="2", kind="model"),
]


def test_guessed_scales_and_repeated_rows_are_said(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("INFO", "assize")
    judgments_of([*RATED, RATED[0]])
    assert "scales guessed from the answers seen: q" in caplog.text
    assert "1 rows repeat an earlier one" in caplog.text


def test_answers_and_ratings_of_one_table_are_told_apart() -> None:
    assert answers_in(RATED).judges == ("bot",)
    assert ratings_in(RATED).judges == ("ann",)
    with pytest.raises(DataError, match="all judgments here are ratings by people"):
        answers_in(RATED[:1])
    with pytest.raises(DataError, match="no judgment here is by a person"):
        ratings_in(RATED[1:])


def test_bad_rows_and_answers_off_the_scale_are_kept_in_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.chdir(tmp_path)
    question = Question("q", kind="ordinal", answers=("1", "2"))
    write(
        tmp_path / "j.jsonl",
        JudgmentTable.of([*RATED, Judgment("i", "eve", "q", answer="9")], [question]),
    )
    with (tmp_path / "j.jsonl").open("a") as stream:
        stream.write('{"item": 1}\n')
    with pytest.raises(DataError, match=r"j\.jsonl:4"):
        judgments_of(str(tmp_path / "j.jsonl"))
    source = read(str(tmp_path / "j.jsonl"), on_error="skip")
    table = judgments_of(source)
    assert table.judges == ("ann", "bot")
    with source.rejects.saved_to("rejects.jsonl"):
        pass
    assert "2 bad records were left out: see rejects.jsonl" in caplog.text
    assert len((tmp_path / "rejects.jsonl").read_text().splitlines()) == 2


def test_items_stand_among_judgments_or_are_given(tmp_path: Path) -> None:
    path = tmp_path / "both.jsonl"
    write(path, [pair("p"), Judgment("p", "bot", "preference", answer="A")])
    assert [one.id for one in items_beside(str(path), None)] == ["p"]
    assert [one.id for one in items_beside(RATED, [pair("q")])] == ["q"]
    assert list(items_beside(RATED, None)) == []
    assert all(isinstance(one, Pair) for one in items_in(path))
    assert list(items_in(None)) == []


@pytest.mark.parametrize(
    ("given", "files", "name"),
    [
        ("a.jsonl", ["a.jsonl"], "a.jsonl"),
        ([Path("a"), "b"], ["a", "b"], "a, b"),
        (RATED, [], "<list>"),
    ],
)
def test_files_are_told_from_records(given: Any, files: list[str], name: str) -> None:
    assert (files_in(given), named(given)) == (files, name)


def test_names_are_parted_at_commas() -> None:
    assert names_of(["a, b", "c"]) == ["a", "b", "c"]
    assert names_of("") is None


def test_a_spreadsheet_without_judgments_is_explained(tmp_path: Path) -> None:
    path = tmp_path / "people.csv"
    path.write_text("rater,words\nann,good\n")
    with pytest.raises(DataError, match=r"a table of ratings .* is long, with the columns item,"):
        assize.agree(path)


def test_data_to_be_rated_is_explained_too(tmp_path: Path) -> None:
    path = tmp_path / "turns.csv"
    path.write_text("conversation,role,text\nc1,user,Hi\n")
    with pytest.raises(DataError, match="calibrate template RUN"):
        assize.agree(path)
