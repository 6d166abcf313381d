"""Documents cut into passages, and the nearest of them."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from assize.base.conversation import Conversation, Reference, Turn
from assize.base.errors import DataError, MissingExtra
from assize.rubric._passages import Passages, cut, passages_of, read_corpus

SOURCES = (
    Reference("1", "Bridge", "The bridge was rebuilt in 1954."),
    Reference("2", "Town", "The town has a market on Fridays."),
)


def test_documents_are_cut_into_passages_and_each_source_counts_once() -> None:
    long = Reference("d", "Title", " ".join(str(n) for n in range(250)))
    pieces = list(cut(long))
    assert [one.id for one in pieces] == ["d#0", "d#1", "d#2"]
    assert " ".join(one.text for one in pieces) == long.text
    turn = Turn("assistant", "x", SOURCES)
    assert len(passages_of(Conversation("c", (turn, turn))).all) == 2


def test_the_nearest_passages_come_best_first() -> None:
    found = Passages(tuple(piece for one in SOURCES for piece in cut(one)))
    assert found.nearest("When is the market in town?", 1)[0].id == "2#0"


def test_without_bm25s_a_search_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "bm25s", None)  # Python's mark of what cannot be imported
    found = Passages(tuple(piece for one in SOURCES for piece in cut(one)))
    assert len(found.nearest("market", 2)) == 2, "nothing to choose from needs no search"
    with pytest.raises(MissingExtra, match=r"'\.\[retrieval\]'"):
        found.nearest("market", 1)


@pytest.mark.parametrize("line", ['{"title": "no text"}', '{"text": " "}', "[1]"])
def test_a_corpus_without_text_is_refused_with_its_line(tmp_path: Path, line: str) -> None:
    corpus = tmp_path / "corpus.jsonl"
    corpus.write_text('{"text": "fine"}\n' + line + "\n")
    with pytest.raises(DataError, match=r"corpus.jsonl:2: .*allowed are `text`"):
        read_corpus(str(corpus))


def test_a_corpus_may_be_a_folder_of_pages_or_a_page(tmp_path: Path) -> None:
    (tmp_path / "town.md").write_text("# Town\n\nThe town has a market on Fridays.\n")
    (tmp_path / "bridge.html").write_text(
        "<title>Bridge</title><p>Rebuilt in <b>1954</b>.</p><p hidden>Ignore this.</p>"
    )
    (tmp_path / "notes.bin").write_bytes(b"\0")
    found = read_corpus(str(tmp_path))
    assert [(one.id, one.title) for one in found.all] == [
        ("bridge.html#0", "Bridge"),
        ("town.md#0", "Town"),
    ]
    assert "Ignore" not in found.all[0].text
    (page,) = read_corpus(str(tmp_path / "town.md")).all
    assert "market" in page.text


def test_a_folder_without_pages_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="there is no page with text; give a folder"):
        read_corpus(str(tmp_path))
