"""Pages out of files: text, Markdown, HTML, and JSONL with a page a line."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from assize.base.conversation import Reference
from assize.base.errors import DataError
from assize.base.signature import content_hash, file_hash
from assize.formats.files import open_input, plain_suffix
from assize.formats.messages import object_at, text_at
from assize.formats.rows import open_rows, readable
from assize.retrieval.html_text import html_decoded, html_text

TEXT, HTML = (".txt", ".text", ".md", ".markdown", ".rst"), (".html", ".htm", ".xhtml")
RECORDS = (".jsonl", ".ndjson")
UNREADABLE = "pages of HTML are no UTF-8 and name no known charset; what is none was replaced"


@dataclass(frozen=True, slots=True)
class Page:
    """What a file, or a line of one, says.

    Args:
        id: the file's name within its folder, or the line's `id`, else its `url`.
        title: of HTML its title; of Markdown its first heading; of JSONL its `title`.
        text: without markup, where it was HTML.
        extra: other fields of its line, such as `url`.
    """

    id: str
    text: str
    title: str = ""
    extra: Mapping[str, Any] = field(default_factory=dict)


Pages = (
    str
    | os.PathLike[str]
    | Sequence[str | os.PathLike[str]]
    | Iterable[Page | Reference | Mapping[str, Any]]
)
"""Files and folders, by name; or pages in memory, also as objects with a `text`."""


def read_pages(given: Pages, counts: Counter[str] | None = None) -> Iterator[Page]:
    """Read pages in the order of their files' names, without empty ones.

    Args:
        given: folders (with their subfolders), files, or pages in memory. Other kinds of files in a
            folder are skipped.
        counts: gets how many pages were read, were empty, or are of a kind that is not read.

    Raises:
        DataError: there is no page, two have one id, or a file is damaged.
    """
    counts = Counter() if counts is None else counts
    ids: set[str] = set()
    for page in _pages(given, counts):
        if not page.text.strip():
            counts["empty"] += 1
            continue
        if page.id in ids:
            raise DataError(
                f"two pages have the id {page.id!r}; references are told apart by it",
                source="documents",
            )
        ids.add(page.id)
        counts["pages"] += 1
        yield page
    if not ids:
        kinds = ", ".join((*TEXT, *HTML, *RECORDS))
        raise DataError(
            f"there is no page with text; give a folder with files of {kinds}", source=_named(given)
        )


def pages_hash(given: Pages) -> str:
    """A hash of what the pages are made of: the files' names and bytes, or the pages."""
    if not _are_files(given):
        parts = [part for one in _in_memory(given) for part in (one.id, one.title, one.text)]
        return content_hash("\0".join(parts), digits=16)
    found = [f"{name}\0{_hash(file)}" for name, file in _files(given, Counter())]
    return content_hash("\0".join(found), digits=16)


def _pages(given: Pages, counts: Counter[str]) -> Iterator[Page]:
    if not _are_files(given):
        yield from _in_memory(given)
        return
    for name, file in _files(given, counts):
        suffix = plain_suffix(name)
        if suffix in RECORDS:
            yield from _records(file, name)
            continue
        if suffix in HTML:
            decoded, whole = html_decoded(_bytes(file))
            if not whole:
                counts[UNREADABLE] += 1
            page = html_text(_plain(decoded))
            yield Page(name, page.text, page.title)
        else:
            text = _plain(_bytes(file).decode("utf-8-sig", errors="replace"))
            yield Page(name, text, _heading(text) if suffix in (".md", ".markdown") else "")


def _are_files(given: Pages) -> bool:
    if isinstance(given, str | os.PathLike):
        return True
    return isinstance(given, list | tuple) and all(
        isinstance(one, str | os.PathLike) for one in given
    )


def _in_memory(given: Any) -> Iterator[Page]:
    for number, one in enumerate(given, start=1):
        if isinstance(one, Page):
            yield one
        elif isinstance(one, Reference):
            yield Page(one.id, one.text, one.title, one.extra)
        else:
            try:
                yield page_of(one, f"page {number}")
            except DataError as error:
                raise error.at("documents", number) from None


def _files(given: Pages, counts: Counter[str]) -> Iterator[tuple[str, Path]]:
    """Each file with the name that its page has: its path below the folder that was given."""
    several: Any = [given] if isinstance(given, str | os.PathLike) else given
    for one in several:
        place = Path(one)
        if place.is_dir():
            for file in sorted(place.rglob("*")):
                name = file.relative_to(place).as_posix()
                if not file.is_file() or any(part.startswith(".") for part in Path(name).parts):
                    continue
                if plain_suffix(name) in (*TEXT, *HTML, *RECORDS):
                    yield name, file
                else:
                    counts["other files"] += 1
        elif place.is_file():
            yield place.name, place
        else:
            raise DataError("there is no such file or folder", source=str(one))


def _bytes(file: Path) -> bytes:
    with open_input(file) as stream:
        return stream.read()


def _plain(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\0", " ")


def _records(file: Path, name: str) -> Iterator[Page]:
    with open_rows(file) as (_, rows):
        for row in readable(rows):
            try:
                yield page_of(row.value, f"{name}:{row.line}")
            except DataError as error:
                raise error.at(row.source, row.line) from None


def page_of(value: Any, usual: str) -> Page:
    """A page from an object with `text`, or `html`; `usual` is the id where it has none."""
    said = object_at(value, "")
    title = text_at(said.get("title") or "", "title")
    if said.get("text") is None and isinstance(said.get("html"), str):
        made = html_text(said["html"])
        text, title = made.text, title or made.title
    else:
        text = text_at(said.get("text"), "text")
    id = next((said[one] for one in ("id", "url") if said.get(one) not in (None, "")), usual)
    rest = {key: part for key, part in said.items() if key not in ("id", "title", "text", "html")}
    return Page(str(id), text, title, rest)


def _heading(text: str) -> str:
    for line in text.splitlines()[:40]:
        if line.startswith("# "):
            return line[2:].strip().rstrip("#").strip()
    return ""


def _hash(file: Path) -> str:
    try:
        return file_hash(file, 16)
    except OSError as error:
        raise DataError(f"the file cannot be read ({error.strerror})", source=str(file)) from error


def _named(given: Pages) -> str:
    if not _are_files(given):
        return "documents"
    several: Any = [given] if isinstance(given, str | os.PathLike) else given
    return ", ".join(map(str, several))
