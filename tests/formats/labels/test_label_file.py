"""Rows of labels that cannot be read, or say nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

import assize
from assize.base.errors import DataError
from assize.base.judgment import Judgment, Question, Unscored
from assize.formats.labels import parse_rule
from assize.formats.labels.label_file import file_values, labellers


def test_values_by_conversation_an_empty_cell_being_none(tmp_path: Path) -> None:
    path = tmp_path / "labels.csv"
    path.write_text("conversation_id,label\na,1\nb,\na,0\n")
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
            "no row has 'label'; there are stars; name one as in SPEC@FILE",
        ),
    ],
)
def test_a_bad_row_is_told_with_its_place(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "labels"
    path.write_text(text)
    with pytest.raises(DataError, match=said):
        file_values(str(path), parse_rule("label"))


def _people(tmp_path: Path, *rows: Judgment) -> str:
    path = tmp_path / "people.jsonl"
    asked = Question("overall", "How good?", "ordinal", ("1", "2", "3"), (1.0, 2.0, 3.0))
    assize.write(path, assize.JudgmentTable.of(rows, [asked]))
    return str(path)


def _said(item: str, who: str, answer: str) -> Judgment:
    return Judgment(item, who, "overall", answer=answer, kind="person")


def test_what_each_person_s_answer_makes_of_an_item(tmp_path: Path) -> None:
    rows = [_said("a", "ann", "3"), _said("a", "bob", "1"), _said("b", "ann", "2")]
    unscored = Judgment("b", "bob", "overall", kind="person", unscored=Unscored("empty"))
    found = labellers(_people(tmp_path, *rows, unscored), parse_rule("overall>=3,<=1"))
    assert found is not None
    assert [(one.item, one.judge, one.answer) for one in found] == [
        ("a", "ann", "1"),
        ("a", "bob", "0"),
    ]
    words = labellers(_people(tmp_path, *rows), parse_rule("overall:3=1,2=1,1=0"))
    assert words is not None
    assert [one.answer for one in words] == ["1", "0", "1"]


def test_one_person_gold_or_plain_labels_have_no_labellers(tmp_path: Path) -> None:
    rule = parse_rule("overall>=2")
    ann = _said("a", "ann", "3")
    assert labellers(_people(tmp_path, ann), rule) is None
    gold = Judgment("a", "gold", "overall", answer="1")
    assert labellers(_people(tmp_path, ann, _said("a", "bob", "1"), gold), rule) is None
    plain = tmp_path / "labels.csv"
    plain.write_text("id,label\na,1\n")
    assert labellers(str(plain), parse_rule("label")) is None
