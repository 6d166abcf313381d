"""Judgments as a CSV table."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from tests.formats.conftest import lines, only_record, write_text

from assize.base.conversation import Conversation, Turn
from assize.base.errors import DataError
from assize.base.judgment import Judgment, Usage
from assize.formats import Record, write
from assize.formats.own.assize_csv import recognise
from assize.formats.reading import iter_records
from assize.formats.rows import Sample


@pytest.mark.parametrize(
    ("record", "problem"),
    [
        (Conversation("c", (Turn("user", "hi"),)), "conversations as turns-csv"),
        (Judgment("i", "j", "q", answer=""), r"answer: received an empty answer.*write .jsonl"),
        (Judgment("i", "j", "q", answer="a\0b"), r"answer: received a NUL.*write .jsonl"),
    ],
)
def test_what_no_row_can_say_is_refused_with_the_way_out(
    record: Record, problem: str, tmp_path: Path
) -> None:
    with pytest.raises(DataError, match=problem):
        write(tmp_path / "x.csv", [record])


def table(path: Path, *lines: str) -> Path:
    return write_text(path, "\n".join(lines))


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
    found = pd.read_csv(tmp_path / "x.csv", dtype=str).iloc[0].dropna().to_dict()
    assert found == {
        "item": "i",
        "judge": "j",
        "question": "q",
        "distribution": '{"é": 0.5}',
        "usage": '{"input_tokens": 3}',
        "extra": '{"a": [1]}',
    }


def test_half_a_character_becomes_a_mark(tmp_path: Path) -> None:
    write(tmp_path / "x.csv", [Judgment("i", "j", "q", answer="half \ud800")])
    assert only_record(tmp_path / "x.csv") == Judgment("i", "j", "q", answer="half \ufffd")


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
    good, bad = (
        lines(tmp_path / f"{name}.jsonl", row | more)
        for name, more in (("good", {}), ("bad", {"details": 5}))
    )
    expected = Judgment("1", "j", "q", score=2.5, details={"a": [1]})
    assert only_record(good, format="assize-csv") == expected
    with pytest.raises(DataError, match=r"bad\.jsonl:1: details: received 5"):
        only_record(bad, format="assize-csv")
