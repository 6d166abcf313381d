"""Rows of labels that cannot be read, or say nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from assize.errors import DataError
from assize.formats.labels import parse_rule
from assize.formats.labels.label_file import file_values


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
