"""An index in a folder: made once, and used again while its pages and its cutting are the same.

index.json          what it was made of: pages' hash, cutting, words, version; its files' hashes
pages.jsonl         the pages; `pages.npy` says where each line begins
passages.npy        (passages, 4): page, its passage, first and last character
bm25/               scores by word, as `bm25s` writes them
"""

from __future__ import annotations

import json
import shutil
import tempfile
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import accumulate
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, overload

import numpy as np

from assize.base.errors import DataError
from assize.base.signature import file_hash
from assize.formats.writing import json_line
from assize.retrieval.index import METHOD, Index, bm25s, make_index
from assize.retrieval.pages import UNREADABLE, Page, Pages, page_of, pages_hash, read_pages
from assize.retrieval.passages import Cutting
from assize.retrieval.words import VERSION

Documents = str | PathLike[str] | Sequence[str | PathLike[str]] | Index
"""Folders and files of pages, by name; or an index."""

if TYPE_CHECKING:
    from numpy.typing import NDArray

FORMAT = 2
MANIFEST, PAGES, LINES, PASSAGES, SCORES = (
    "index.json",
    "pages.jsonl",
    "pages.npy",
    "passages.npy",
    "bm25",
)


def build_index(
    pages: Pages,
    out: str | PathLike[str] | None = None,
    cutting: Cutting | None = None,
    *,
    note: Callable[[str], None] = lambda _: None,
) -> Index:
    """Return an index of the pages: the one in the folder if it fits them, else a new one.

    Args:
        pages: folders and files, by name, or pages in memory.
        out: folder to store the index in; None keeps it in memory. An index of other pages there
            is replaced.
        cutting: how pages are cut; passages of 300 words when None.
        note: gets messages: what was read, and why a stored index is not used.

    Raises:
        DataError: there is no page with text, or the folder holds something else.
        MissingExtra: bm25s is not installed.
    """
    bm25s()
    chosen = Cutting() if cutting is None else cutting
    if not isinstance(pages, str | PathLike | Sequence):
        pages = list(pages)
    made_of = pages_hash(pages)
    place = None if out is None else Path(out)
    if place is not None and place.exists():
        why = _differs(place, made_of, chosen)
        if why is None:
            return open_index(place)
        note(f"{place} is made again: {why}")
    counts = Counter[str]()
    index = make_index(read_pages(pages, counts), chosen, made_of)
    unreadable = counts.pop(UNREADABLE, 0)
    left = [f"{n:,} {what}" for what, n in counts.items() if what != "pages"]
    also = f" (left out: {', '.join(left)})" if left else ""
    note(f"{len(index.pages):,} pages, {len(index):,} {chosen}{also}")
    if unreadable:
        note(f"{unreadable:,} {UNREADABLE}")
    if place is not None:
        save(index, place)
    return index


def save(index: Index, folder: Path) -> None:
    """Writes an index; one that was there before stays whole until this one is.

    Raises:
        DataError: the folder holds anything that `save` did not write; nothing is removed.
    """
    if folder.exists():
        _refuse_foreign(folder)
    folder.parent.mkdir(parents=True, exist_ok=True)
    draft = Path(tempfile.mkdtemp(prefix=f".{folder.name}-", dir=folder.parent))
    try:
        _write(index, draft)
        if folder.exists():
            shutil.rmtree(folder)
        draft.rename(folder)
    finally:
        shutil.rmtree(draft, ignore_errors=True)


def _write(index: Index, draft: Path) -> None:
    lines = [
        json_line({**page.extra, "id": page.id, "title": page.title, "text": page.text})
        for page in index.pages
    ]
    with open(draft / PAGES, "wb") as stream:
        stream.writelines(lines)
    np.save(draft / LINES, np.array([0, *accumulate(map(len, lines))], dtype=np.int64))
    np.save(draft / PASSAGES, index.passages)
    index.bm25.save(str(draft / SCORES), show_progress=False)
    facts = _facts(index.made_of, index.cutting) | {"files": _hashes(draft)}
    (draft / MANIFEST).write_text(json.dumps(facts, indent=1))
    draft.chmod(0o755)  # mkdtemp's is for its owner alone


def _hashes(folder: Path) -> dict[str, str]:
    """The hash of each file below a folder, but for the manifest; "" for what is no file, of
    folders the empty ones alone."""
    paths = [
        path
        for path in folder.rglob("*")
        if path.is_symlink() or not path.is_dir() or not any(path.iterdir())
    ]
    return {
        path.relative_to(folder).as_posix(): file_hash(path, 16) if path.is_file() else ""
        for path in sorted(paths)
        if path != folder / MANIFEST
    }


def _refuse_foreign(folder: Path) -> None:
    """Raises DataError unless all that a folder holds is an index as `save` writes it."""
    written, hashes = _manifest(folder)["files"], _hashes(folder)
    foreign = sorted(
        name for name in hashes if written.get(name) != hashes[name] or not _is_ours(name)
    )
    if folder.is_symlink() or foreign:
        holds = ", ".join(foreign[:3]) or "a link"
        problem = f"it holds what is not part of the index ({holds})"
        raise DataError(f"{problem}; name a folder of its own, or remove it", source=str(folder))


def _is_ours(name: str) -> bool:
    """Whether `save` writes a file of that name, whatever a manifest says of it."""
    return name in (PAGES, LINES, PASSAGES) or name.startswith(f"{SCORES}/")


def open_index(folder: str | PathLike[str]) -> Index:
    """Open an index from its folder; a page's text is read only when a search finds it.

    Raises:
        DataError: the folder holds no index, one of another version, or a damaged one.
    """
    place = Path(folder)
    facts = _manifest(place)
    if facts["format"] != FORMAT or facts["words_version"] != VERSION:
        raise DataError("this index is of another version; make it again", source=str(place))
    library = bm25s()
    try:
        if facts["files"] != _hashes(place):
            raise ValueError("its files are not those that were written")
        cutting = Cutting(facts["words"], facts["overlap"])
        scores = library.BM25.load(
            str(place / SCORES),
            mmap=True,
            show_progress=False,
            backend="numpy",  # whatever its file says
            csc_backend="scipy",
            auto_compile=False,
        )
    except Exception as error:  # the library raises a dozen kinds
        raise DataError(
            f"this index is damaged ({error!s:.200}); make it again", source=str(place)
        ) from error
    passages = np.load(place / PASSAGES, allow_pickle=False)
    return Index(StoredPages(place), passages, scores, cutting, str(facts["made_of"]))


class StoredPages(Sequence[Page]):
    """Pages that are read from a file one by one."""

    def __init__(self, folder: Path) -> None:
        self._lines: NDArray[np.int64] = np.load(folder / LINES, allow_pickle=False)
        self._bytes = np.memmap(folder / PAGES, dtype=np.uint8, mode="r")

    def __len__(self) -> int:
        return len(self._lines) - 1

    @overload
    def __getitem__(self, place: int) -> Page: ...
    @overload
    def __getitem__(self, place: slice) -> list[Page]: ...
    def __getitem__(self, place: int | slice) -> Page | list[Page]:
        if isinstance(place, slice):
            return [self[index] for index in range(*place.indices(len(self)))]
        if not 0 <= place < len(self):
            raise IndexError(place)
        line = self._bytes[self._lines[place] : self._lines[place + 1]].tobytes()
        return page_of(json.loads(line), "")


def _differs(place: Path, made_of: str, cutting: Cutting) -> str | None:
    """Why a stored index is not the one that is wanted."""
    had, wanted = _manifest(place), _facts(made_of, cutting)
    had.pop("files")
    if had == wanted:
        return None
    if had.get("made_of") != made_of:
        return "the pages have changed"
    return "pages are cut otherwise, or it is of another version"


def _facts(made_of: str, cutting: Cutting) -> dict[str, Any]:
    return {
        "format": FORMAT,
        "made_of": made_of,
        "words": cutting.words,
        "overlap": cutting.overlap,
        "words_version": VERSION,
        "method": METHOD,
    }


def _manifest(place: Path) -> dict[str, Any]:
    try:
        found = json.loads((place / MANIFEST).read_text(encoding="utf-8"))
        if not {"format", "made_of", "words", "overlap", "words_version", "files"} <= found.keys():
            raise ValueError("its manifest lacks fields")
        if not isinstance(found["files"], dict):
            raise ValueError("its files are no table")
    except FileNotFoundError:
        raise DataError(
            "there is no index here; name a folder of its own, or one that does not exist",
            source=str(place),
        ) from None
    except (OSError, ValueError, AttributeError, RecursionError) as error:
        raise DataError(f"{MANIFEST} is damaged ({error!s:.200})", source=str(place)) from error
    return dict(found)
