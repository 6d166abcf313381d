"""Text files with an entry a line."""

from __future__ import annotations

from pathlib import Path

import pytest

from assize.base.errors import DataError
from assize.simulate._text_lines import is_plain_text, read_entries, text_lines


def test_comments_and_empty_lines_are_no_entries(tmp_path: Path) -> None:
    path = tmp_path / "words.txt"
    path.write_bytes("\ufeff one \n\n# two\nthree\n".encode())
    assert read_entries(path) == ("one", "three")
    assert list(text_lines(path)) == ["one", "# two", "three"]
    assert read_entries(None) == ()


def test_tables_and_json_are_no_text(tmp_path: Path) -> None:
    for name, text, plain in (("a.txt", "a", True), ("b.txt", " {", False), ("c.csv", "a", False)):
        (tmp_path / name).write_text(text)
        assert is_plain_text(tmp_path / name) is plain


def test_what_is_not_utf8_is_named_with_its_line(tmp_path: Path) -> None:
    (tmp_path / "bad.txt").write_bytes(b"fine\n\xff\xfe\n")
    with pytest.raises(DataError, match="not UTF-8") as error:
        list(text_lines(tmp_path / "bad.txt"))
    assert "bad.txt:2" in str(error.value)
