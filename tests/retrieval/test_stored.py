"""An index is used again while its pages are the same, and made again when they are not."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from assize.base.errors import DataError
from assize.base.signature import file_hash
from assize.retrieval import Cutting, Page, build_index, open_index


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    pages = tmp_path / "pages"
    pages.mkdir()
    for n in range(6):
        (pages / f"p{n}.md").write_text(f"# Page {n}\n\n" + f"matter{n} and others. " * 20)
    return pages


@pytest.fixture
def place(folder: Path, tmp_path: Path) -> Path:
    """An index of the pages in that folder."""
    build_index(folder, tmp_path / "index")
    return tmp_path / "index"


def facts_in(place: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((place / "index.json").read_text())
    return found


def change(place: Path, **facts: Any) -> None:
    """Write other facts into the manifest of an index."""
    (place / "index.json").write_text(json.dumps(facts_in(place) | facts))


def test_a_stored_index_finds_what_the_one_in_memory_finds(folder: Path, tmp_path: Path) -> None:
    cutting = Cutting(20, 5)
    made = build_index(folder, tmp_path / "index", cutting)
    again = open_index(tmp_path / "index")
    assert again.search("matter3 others", 7) == made.search("matter3 others", 7)
    assert again.signature == made.signature
    assert repr(again) == repr(made)
    assert [one.id for one in again.pages[1:3]] == ["p1.md", "p2.md"]
    for outside in (-1, 6):
        with pytest.raises(IndexError):
            again.pages[outside]


def test_it_is_made_again_only_where_something_changed(folder: Path, tmp_path: Path) -> None:
    said: list[str] = []
    place = tmp_path / "index"
    build_index(folder, place, note=said.append)
    before = (place / "passages.npy").stat().st_mtime_ns
    build_index(folder, place, note=said.append)
    assert (place / "passages.npy").stat().st_mtime_ns == before
    (folder / "p0.md").write_text("zebra")
    assert build_index(folder, place, note=said.append).search("zebra")
    build_index(folder, place, Cutting(None), note=said.append)
    assert [one for one in said if "again" in one] == [
        f"{place} is made again: the pages have changed",
        f"{place} is made again: pages are cut otherwise, or it is of another version",
    ]
    assert "6 pages, 6 passages of 300 words, 50 of them shared" in said[0]


def test_a_folder_that_holds_something_else_is_left_alone(folder: Path, tmp_path: Path) -> None:
    with pytest.raises(DataError, match="there is no index here; name a folder of its own"):
        build_index(folder, folder)
    assert (folder / "p0.md").exists()
    with pytest.raises(DataError, match="there is no index here"):
        open_index(tmp_path / "nowhere")


@pytest.mark.parametrize("name", ["notes.txt", "bm25/notes.txt", "more/notes.txt", "passages.npy"])
def test_what_somebody_put_into_an_index_is_never_removed(
    name: str, folder: Path, place: Path
) -> None:
    (place / name).parent.mkdir(exist_ok=True)
    (place / name).write_text("mine")
    (folder / "p0.md").write_text("zebra")
    with pytest.raises(DataError, match=f"not part of the index .{name}"):
        build_index(folder, place)
    assert (place / name).read_text() == "mine"


def test_a_look_alike_of_an_index_is_left_alone(folder: Path, place: Path) -> None:
    for path in (place / "bm25").iterdir():
        path.unlink()
    (place / "thesis.tex").write_text("years of work")
    change(place, made_of="other", files={})
    with pytest.raises(DataError, match="not part of the index"):
        build_index(folder, place)
    assert (place / "thesis.tex").read_text() == "years of work"


@pytest.mark.parametrize("files", [[], None, "x"])
def test_a_list_of_files_that_is_none_is_told(files: object, folder: Path, place: Path) -> None:
    change(place, files=files)
    (folder / "p0.md").write_text("zebra")
    with pytest.raises(DataError, match="its files are no table"):
        build_index(folder, place)


def test_no_manifest_vouches_for_a_file_of_another_name(folder: Path, place: Path) -> None:
    (place / "empty").mkdir()
    (place / "thesis.tex").write_text("years of work")
    own = {"thesis.tex": file_hash(place / "thesis.tex", 16)}
    change(place, files=facts_in(place)["files"] | own)
    (folder / "p0.md").write_text("zebra")
    with pytest.raises(DataError, match=r"not part of the index .empty, thesis\.tex"):
        build_index(folder, place)


def test_a_folder_beside_the_index_is_left_alone(folder: Path, tmp_path: Path) -> None:
    beside = tmp_path / ".index.new"
    beside.mkdir()
    (beside / "notes.txt").write_text("mine")
    build_index(folder, tmp_path / "index")
    assert (beside / "notes.txt").read_text() == "mine"
    assert {path.name for path in tmp_path.iterdir()} == {"pages", "index", ".index.new"}


def test_what_is_damaged_is_said_to_be(place: Path) -> None:
    data = (place / "pages.jsonl").read_bytes()
    (place / "pages.jsonl").write_bytes(data[:-9])
    with pytest.raises(DataError, match="this index is damaged"):
        open_index(place)
    change(place, format=99)
    with pytest.raises(DataError, match="of another version"):
        open_index(place)
    (place / "index.json").write_text("{}")
    with pytest.raises(DataError, match="is damaged"):
        open_index(place)


def test_pages_in_memory_need_no_folder() -> None:
    index = build_index(iter([Page("a", "storage keys"), Page("b", "alerts")]))
    assert [one.page for one in index.search("keys")] == ["a"]
