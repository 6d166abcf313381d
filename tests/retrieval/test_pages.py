"""Pages come out of every kind of file, in order, each once; the rest is counted."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from assize.base.conversation import Reference
from assize.base.errors import DataError
from assize.retrieval import build_index
from assize.retrieval.pages import UNREADABLE, Page, pages_hash, read_pages


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "sub").mkdir()
    (tmp_path / "a.md").write_text("# Keys #\n\nRotate them.")
    (tmp_path / "sub" / "b.html").write_text("<title>Alerts</title><p>Set <b>them</b>.")
    (tmp_path / "c.jsonl").write_text(
        '{"url": "http://x/1", "text": "backup", "lang": "en"}\n{"html": "<title>H</title>h"}\n'
    )
    (tmp_path / "d.txt").write_bytes(b"\xef\xbb\xbfplain \xff\r\ntext")
    (tmp_path / "e.txt").write_text(" ")
    (tmp_path / "f.pdf").write_text("x")
    (tmp_path / ".hidden.txt").write_text("no")
    return tmp_path


def test_every_kind_of_file_is_a_page(folder: Path) -> None:
    counts = Counter[str]()
    assert list(read_pages(folder, counts)) == [
        Page("a.md", "# Keys #\n\nRotate them.", "Keys"),
        Page("http://x/1", "backup", "", {"url": "http://x/1", "lang": "en"}),
        Page("c.jsonl:2", "h", "H"),
        Page("d.txt", "plain \ufffd\ntext"),
        Page("sub/b.html", "Set them.", "Alerts"),
    ]
    assert counts == {"pages": 5, "empty": 1, "other files": 1}


def test_pages_of_html_are_read_by_their_own_charset_and_others_are_counted(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_bytes(b"<meta charset=latin1><title>\xfc</title>na\xefve")
    (tmp_path / "b.html").write_bytes(b"<meta charset=nonsense>na\xefve")
    counts, notes = Counter[str](), list[str]()
    found = list(read_pages(tmp_path, counts))
    assert [(one.title, one.text) for one in found] == [("\xfc", "na\xefve"), ("", "na\ufffdve")]
    assert counts == {"pages": 2, UNREADABLE: 1}
    build_index(tmp_path, note=notes.append)
    assert notes[1] == f"1 {UNREADABLE}"


def test_pages_in_memory_are_pages_too() -> None:
    given: list[Any] = [Reference("1", "A", "a"), Page("2", "b"), {"id": 3, "text": "c"}]
    assert [one.id for one in read_pages(given)] == ["1", "2", "3"]


def test_the_hash_changes_with_a_byte_or_a_name(folder: Path) -> None:
    before = pages_hash(folder)
    assert pages_hash(folder) == before
    (folder / "a.md").write_text("# Keys #\n\nRotate them!")
    changed = pages_hash(folder)
    (folder / "a.md").rename(folder / "aa.md")
    assert len({before, changed, pages_hash(folder)}) == 3
    assert pages_hash([Page("a", "b")]) != pages_hash([Page("ab", "")])


def test_what_cannot_be_read_is_said_with_its_place(folder: Path) -> None:
    with pytest.raises(DataError, match="nowhere: there is no such file or folder"):
        list(read_pages(str(folder / "nowhere")))
    with pytest.raises(DataError, match=r"two pages have the id 'a\.md'"):
        list(read_pages([folder, folder / "a.md"]))
    (folder / "c.jsonl").write_text('{"text": "x"}\n{"title": "y"}\n')
    with pytest.raises(DataError, match=r"c.jsonl:2: text: received None; expected text"):
        list(read_pages(folder))
    empty = folder / "empty"
    empty.mkdir()
    with pytest.raises(DataError, match="there is no page with text; give a folder with files of"):
        list(read_pages(empty))
