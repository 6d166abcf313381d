"""Rows of labels that cannot be read, or say nothing."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.formats.conftest import write_text

import assize
from assize.base.errors import DataError
from assize.base.judgment import Judgment, Question, Unscored
from assize.formats.labels import parse_rule
from assize.formats.labels.label_file import file_values, labellers


def test_values_by_conversation_an_empty_cell_being_none(tmp_path: Path) -> None:
    path = write_text(tmp_path / "labels.csv", "conversation_id,label\na,1\nb,\na,0\n")
    assert file_values(str(path), parse_rule("label")) == {"a": ["1", "0"], "b": []}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("name,label\na,1\n", "labels:2: no id; give each row one, in a column called one of id"),
        ("id,label\n,1\n", "labels:2: no id"),
        ('{"id": "a", "label": 1}\n[1]\n', "labels:2: a row of labels is an object"),
        ('{"id": "a", "label": 1}\n{"id\n', "labels:2: "),
        (
            "id,stars\na,5\n",
            "no row has a column 'label' for the labels; there are stars; name one, as stars@/",
        ),
    ],
)
def test_a_bad_row_is_told_with_its_place(tmp_path: Path, text: str, said: str) -> None:
    path = write_text(tmp_path / "labels", text)
    with pytest.raises(DataError, match=said):
        file_values(str(path), parse_rule("label"))


def _people(tmp_path: Path, *rows: tuple[str, str, str | None]) -> str:
    """A file of items, people and their answers; an answer may be missing."""
    asked = Question("overall", "How good?", "ordinal", ("1", "2", "3"), (1.0, 2.0, 3.0))
    answers = [
        Judgment(
            item,
            who,
            "overall",
            answer=answer,
            kind="person" if who != "gold" else None,
            unscored=Unscored("empty") if answer is None else None,
        )
        for item, who, answer in rows
    ]
    assize.write(tmp_path / "people.jsonl", assize.JudgmentTable.of(answers, [asked]))
    return str(tmp_path / "people.jsonl")


RATED = [("a", "ann", "3"), ("a", "bob", "1"), ("b", "ann", "2"), ("b", "bob", None)]


@pytest.mark.parametrize(
    ("rule", "expected"),
    [
        ("overall>=3,<=1", [("a", "ann", "1"), ("a", "bob", "0")]),
        ("overall:3=1,2=1,1=0", [("a", "ann", "1"), ("a", "bob", "0"), ("b", "ann", "1")]),
    ],
)
def test_what_each_person_s_answer_makes_of_an_item(
    rule: str, expected: list[tuple[str, str, str]], tmp_path: Path
) -> None:
    found = labellers(_people(tmp_path, *RATED), parse_rule(rule))
    assert [(one.item, one.judge, one.answer) for one in found or ()] == expected


def test_one_person_gold_or_plain_labels_have_no_labellers(tmp_path: Path) -> None:
    plain = write_text(tmp_path / "labels.csv", "id,label\na,1\n")
    assert labellers(str(plain), parse_rule("label")) is None
    for rows in (RATED[:1], [*RATED[:2], ("a", "gold", "1")]):
        assert labellers(_people(tmp_path, *rows), parse_rule("overall>=2")) is None
