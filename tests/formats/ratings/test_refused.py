from __future__ import annotations

from pathlib import Path

import pytest

import assize
from assize.base.errors import DataError
from assize.formats.ratings.refused import is_no_table_of_ratings


def test_a_spreadsheet_without_judgments_is_explained(tmp_path: Path) -> None:
    path = tmp_path / "people.csv"
    path.write_text("rater,words\nann,good\n")
    assert is_no_table_of_ratings(str(path))
    with pytest.raises(DataError, match=r"a table of ratings .* is long, with the columns item,"):
        assize.agree(path)


def test_data_to_be_rated_is_explained_too(tmp_path: Path) -> None:
    path = tmp_path / "turns.csv"
    path.write_text("conversation,role,text\nc1,user,Hi\n")
    with pytest.raises(DataError, match="calibrate template RUN"):
        assize.agree(path)


def test_other_files_are_not(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    path.write_text('{"what": 1}\n')
    assert not is_no_table_of_ratings(str(path))
    assert not is_no_table_of_ratings(str(tmp_path / "none.csv"))
    path = tmp_path / "r.csv"
    path.write_text("item,judge,question,answer\nc,ann,q,1\n")
    assert not is_no_table_of_ratings(str(path))
