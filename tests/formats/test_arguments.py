"""What functions are given, read; and what the log says of it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.conversations import pair
from tests.formats.conftest import write_text

import assize
from assize.base.conversation import Pair
from assize.base.errors import ConfigError, DataError
from assize.base.judgment import Judgment
from assize.formats import write
from assize.formats.arguments import (
    answers_in,
    files_in,
    items_beside,
    items_in,
    judgments_of,
    known_questions,
    named,
    names_of,
    ratings_in,
)


@pytest.mark.parametrize(
    ("header", "row", "words"),
    [
        (
            "rater,words",
            "ann,good",
            r"no column names the item: call one 'item'",
        ),
        ("conversation,role,text", "c1,user,Hi", "calibrate template RUN"),
    ],
)
def test_a_table_without_judgments_is_explained(
    header: str, row: str, words: str, tmp_path: Path
) -> None:
    path = write_text(tmp_path / "table.csv", f"{header}\n{row}\n")
    with pytest.raises(DataError, match=words):
        assize.agree(path)


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


def test_a_question_is_known_in_any_spelling_and_a_mistyped_one_has_a_hint() -> None:
    assert known_questions(["overall", "tone"], ["Overall", "tone"]) == ["Overall", "tone"]
    with pytest.raises(
        ConfigError, match="no question 'tones'; did you mean 'tone'\\? asked were Overall, tone"
    ):
        known_questions(["tones"], ["Overall", "tone"])


def test_raters_whose_names_differ_by_case_are_said_to_be_counted_apart(
    caplog: pytest.LogCaptureFixture,
) -> None:
    rows = [Judgment("i", name, "q", answer="1") for name in ("Tom", "tom", "Lena")]
    with caplog.at_level("WARNING", "assize"):
        judgments_of(rows)
    assert [line for line in caplog.messages if "names differ" in line] == [
        "judges whose names differ only by case and spaces are counted apart: Tom, tom; write each"
        " name in one way"
    ]
