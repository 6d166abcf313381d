"""Judgments as a CSV table."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest

from assize.base.conversation import Conversation, Turn
from assize.base.errors import DataError
from assize.base.judgment import Judgment, Usage
from assize.formats import write
from assize.formats.own.assize_csv import COLUMNS, recognise
from assize.formats.read_options import ReadOptions
from assize.formats.reading import iter_records
from assize.formats.rows import Sample


def cells(path: Path) -> list[dict[str, str]]:
    with path.open(newline="", encoding="utf-8") as stream:
        return list(csv.DictReader(stream))


def table(path: Path, *lines: str) -> Path:
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


def test_a_csv_of_judgments_refuses_a_conversation_and_names_the_way_out(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="conversations as turns-csv"):
        write(tmp_path / "x.csv", [Conversation("c", (Turn("user", "hi"),))])


def test_a_table_made_by_hand_needs_only_the_names_and_a_result(tmp_path: Path) -> None:
    path = table(tmp_path / "x", "item;judge;question;answer;score", "i;j;q;3;", "i;k;q;;0.5")
    assert list(iter_records(path)) == [
        Judgment("i", "j", "q", answer="3"),
        Judgment("i", "k", "q", score=0.5),
    ]


def test_columns_that_are_not_known_stay_with_their_row(tmp_path: Path) -> None:
    path = table(tmp_path / "x", "item,judge,question,answer,mood", "i,j,q,1,calm", "i,k,q,2,")
    assert [row.extra for row in iter_records(path)] == [{"mood": "calm"}, {}]


def test_what_is_nested_stands_in_its_cell_as_json(tmp_path: Path) -> None:
    row = Judgment("i", "j", "q", distribution={"é": 0.5}, usage=Usage(3), extra={"a": [1]})
    write(tmp_path / "x.csv", [row])
    (found,) = cells(tmp_path / "x.csv")
    assert list(found) == list(COLUMNS)
    assert (found["distribution"], found["usage"], found["extra"]) == (
        '{"é": 0.5}',
        '{"input_tokens": 3}',
        '{"a": [1]}',
    )


@pytest.mark.parametrize(("answer", "what"), [("", "an empty answer"), ("a\0b", "a NUL")])
def test_an_answer_that_no_cell_can_say_is_refused(answer: str, what: str, tmp_path: Path) -> None:
    with pytest.raises(DataError, match=f"answer: received {what}.*write .jsonl"):
        write(tmp_path / "x.csv", [Judgment("i", "j", "q", answer=answer)])


def test_half_a_character_becomes_a_mark(tmp_path: Path) -> None:
    write(tmp_path / "x.csv", [Judgment("i", "j", "q", answer="half \ud800")])
    assert list(iter_records(tmp_path / "x.csv")) == [Judgment("i", "j", "q", answer="half \ufffd")]


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        (",j,q,1,", "item: is empty"),
        ("i,,q,1,", "judge: is empty"),
        ("i,j,,1,", "question: is missing"),
        ("i,j,q,,{1}", r"distribution: not JSON \("),
        ("i,j,q,,[1]", r"distribution: received \[1\]; expected an object"),
        ("i,j,q,,", "needs one of `answer`, `score`, `distribution` or `unscored`"),
    ],
)
def test_a_bad_row_says_its_line_and_its_column(line: str, problem: str, tmp_path: Path) -> None:
    header = "item,judge,question,answer,distribution"
    path = table(tmp_path / "x", header, "i,j,q,1,", line)
    with pytest.raises(DataError, match=rf"/x:3: {problem}"):
        list(iter_records(path))


@pytest.mark.parametrize(
    ("container", "names", "expected"),
    [
        ("csv", ["item", "judge", "question"], True),
        ("csv", ["item", "judge"], False),
        ("json", ["item", "judge", "question"], False),
    ],
)
def test_it_is_recognised_by_the_columns_that_every_judgment_has(
    container: Any, names: list[str], expected: bool
) -> None:
    assert recognise(Sample(container, (dict.fromkeys(names, "x"),), "x")) is expected


def test_json_with_the_same_fields_is_read_as_such(tmp_path: Path) -> None:
    row = {"item": 1, "judge": "j", "question": "q", "score": 2.5, "details": {"a": [1]}}
    (tmp_path / "x.jsonl").write_text(json.dumps(row))
    (found,) = iter_records(tmp_path / "x.jsonl", ReadOptions(format="assize-csv"))
    assert found == Judgment("1", "j", "q", score=2.5, details={"a": [1]})
    (tmp_path / "x.jsonl").write_text(json.dumps(row | {"details": 5}))
    with pytest.raises(DataError, match=r"x\.jsonl:1: details: received 5"):
        list(iter_records(tmp_path / "x.jsonl", ReadOptions(format="assize-csv")))
