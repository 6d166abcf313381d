"""An index in a folder: made once, and used again while its pages and its cutting are the same.

index.json          what it was made of: pages' hash, cutting, words, version; its files' sizes
pages.jsonl         the pages; `pages.npy` says where each line begins
passages.npy        (passages, 4): page, its passage, first and last character
bm25/               scores by word, as `bm25s` writes them
"""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Callable, Sequence
from itertools import accumulate
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, overload

import numpy as np

from assize.base.errors import AssizeError, DataError
from assize.formats.writing import json_line
from assize.retrieval.index import METHOD, Index, bm25s, make_index
from assize.retrieval.pages import UNREADABLE, Page, Pages, Reading, page_of, pages_hash, read_pages
from assize.retrieval.passages import Cutting
from assize.retrieval.words import VERSION

Documents = str | PathLike[str] | Sequence[str | PathLike[str]] | Index
"""Folders and files of pages, by name; or an index."""

if TYPE_CHECKING:
    from numpy.typing import NDArray

FORMAT = 1
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
    """An index of the pages: the one in the folder where it is of just these, else a new one.

    Args:
        pages: folders and files, by name, or pages in memory.
        out: folder of the index, written where there is none or it is of others; None keeps it
            in memory.
        cutting: how pages are cut; passages of 300 words if unset.
        note: is told what was read, and why a stored index is not used.

    Raises:
        DataError: there is no page with text; the folder holds something else.
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
    reading = Reading()
    index = make_index(read_pages(pages, reading), chosen, made_of)
    unreadable = reading.counts.pop(UNREADABLE, 0)
    left = [f"{n:,} {what}" for what, n in reading.counts.items() if what != "pages"]
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
    lines = [json_line(_page_json(one)) for one in index.pages]
    with open(draft / PAGES, "wb") as stream:
        stream.writelines(lines)
    np.save(draft / LINES, np.array([0, *accumulate(map(len, lines))], dtype=np.int64))
    np.save(draft / PASSAGES, index.passages)
    index.bm25.save(str(draft / SCORES), show_progress=False)
    facts = _facts(index.made_of, index.cutting) | {"files": _sizes(draft)}
    (draft / MANIFEST).write_text(json.dumps(facts, indent=1))
    draft.chmod(0o755)  # mkdtemp's is for its owner alone


def _sizes(folder: Path) -> dict[str, int]:
    """The bytes of each file below a folder, but for the manifest; -1 for what is no file."""
    paths = [path for path in folder.rglob("*") if path.is_symlink() or not path.is_dir()]
    return {
        path.relative_to(folder).as_posix(): -1 if path.is_symlink() else path.stat().st_size
        for path in sorted(paths)
        if path != folder / MANIFEST
    }


def _refuse_foreign(folder: Path) -> None:
    """Raises DataError unless all that a folder holds is an index as `save` writes it."""
    written, sizes = _manifest(folder)["files"], _sizes(folder)
    foreign = sorted(name for name in sizes if written.get(name) != sizes[name])
    if folder.is_symlink() or foreign:
        holds = ", ".join(foreign[:3]) or "a link"
        problem = f"it holds what is not part of the index ({holds})"
        raise DataError(f"{problem}; name a folder of its own, or remove it", source=str(folder))


def open_index(folder: str | PathLike[str]) -> Index:
    """An index from its folder; pages are read when they are found.

    Raises:
        DataError: the folder holds no index, one of another version, or it is damaged.
    """
    place = Path(folder)
    facts = _manifest(place)
    if facts["format"] != FORMAT or facts["words_version"] != VERSION:
        raise DataError("this index is of another version; make it again", source=str(place))
    library = bm25s()
    try:
        scores = library.BM25.load(
            str(place / SCORES),
            mmap=True,
            show_progress=False,
            backend="numpy",  # whatever its file says
            csc_backend="scipy",
            auto_compile=False,
        )
        passages = np.load(place / PASSAGES, allow_pickle=False)
        pages = StoredPages(place)
        cutting = Cutting(facts["words"], facts["overlap"])
        _check_passages(passages, len(pages))
        _check_scores(scores, len(passages))
    except Exception as error:  # numpy alone raises a dozen kinds, of tokens among them
        raise DataError(
            f"this index is damaged ({error!s:.200}); make it again", source=str(place)
        ) from error
    return Index(pages, passages, scores, cutting, str(facts["made_of"]))


def _check_passages(passages: NDArray[Any], pages: int) -> None:
    """Raise ValueError unless every page has passages, in order, each between two characters."""
    if passages.dtype.kind != "i" or passages.ndim != 2 or passages.shape[1] != 4:
        raise ValueError("its passages are no table of numbers")
    if (passages < 0).any():
        raise ValueError("a passage is before the first")
    page, passage, start, end = passages.T
    begins = np.diff(page, prepend=-1) == 1
    expected = np.arange(len(passages)) - np.flatnonzero(begins)[np.cumsum(begins) - 1]
    fits = (passage == expected).all() and (page == np.cumsum(begins) - 1).all()
    if not fits or page[-1] != pages - 1 or (end < start).any():
        raise ValueError("its passages are not those of its pages")


def _rises(numbers: NDArray[Any]) -> bool:
    """Whether no number is below the one before; a difference of two may overflow."""
    return bool((numbers[1:] >= numbers[:-1]).all())


def _check_scores(scores: Any, passages: int) -> None:
    """Raise ValueError unless words and passages have places among the scores.

    The scores themselves, which may be many, are checked where a query asks for them.
    """
    held = scores.scores
    words = np.array([number for word, number in scores.vocab_dict.items() if word])  # "" is bm25s'
    bounds, places, values = held["indptr"], held["indices"], held["data"]
    kinds = bounds.dtype.kind + places.dtype.kind + words.dtype.kind + values.dtype.kind
    if kinds != "iiif" or {array.ndim for array in (bounds, places, values)} != {1}:
        raise ValueError("its scores are no numbers")
    ends = (bounds[0], bounds[-1], len(places)) == (0, len(values), len(values))
    if not ends or not _rises(bounds) or held["num_docs"] != passages:
        raise ValueError("its parts do not fit together")
    if words.min() < 0 or words.max() >= len(bounds) - 1:
        raise ValueError("a word has no scores")


class StoredPages(Sequence[Page]):
    """Pages that are read from a file one by one."""

    def __init__(self, folder: Path) -> None:
        self._lines: NDArray[np.int64] = np.load(folder / LINES, allow_pickle=False)
        self._bytes = np.memmap(folder / PAGES, dtype=np.uint8, mode="r")
        self._source = str(folder / PAGES)
        lines = self._lines
        if lines.dtype.kind != "i" or lines.ndim != 1 or lines[0] or not _rises(lines):
            raise ValueError(f"{LINES} does not say where lines begin")
        if len(self._bytes) != lines[-1]:
            raise ValueError(f"{PAGES} has {len(self._bytes)} bytes, not {lines[-1]}")

    def __len__(self) -> int:
        return len(self._lines) - 1

    @overload
    def __getitem__(self, at: int) -> Page: ...
    @overload
    def __getitem__(self, at: slice) -> list[Page]: ...
    def __getitem__(self, at: int | slice) -> Page | list[Page]:
        if isinstance(at, slice):
            return [self[one] for one in range(*at.indices(len(self)))]
        if not 0 <= at < len(self):
            raise IndexError(at)
        line = self._bytes[self._lines[at] : self._lines[at + 1]].tobytes()
        try:
            return page_of(json.loads(line), "")
        except (AssizeError, ValueError, RecursionError) as error:
            raise DataError(
                f"is damaged ({error!s:.200}); make the index again",
                source=self._source,
                line=at + 1,
            ) from error


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
            raise ValueError("its manifest lists no files")
    except FileNotFoundError:
        raise DataError(
            "there is no index here; name a folder of its own, or one that does not exist",
            source=str(place),
        ) from None
    except (OSError, ValueError, AttributeError, RecursionError) as error:
        raise DataError(f"{MANIFEST} is damaged ({error!s:.200})", source=str(place)) from error
    return dict(found)


def _page_json(page: Page) -> dict[str, Any]:
    return {**page.extra, "id": page.id, "title": page.title, "text": page.text}
