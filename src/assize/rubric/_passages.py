"""Passages to check claims against, and the few of them that are nearest to a claim (BM25)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from assize.base.conversation import Conversation, Reference
from assize.base.errors import DataError, MissingExtra
from assize.base.signature import content_hash
from assize.formats.files import plain_suffix
from assize.formats.rows import open_rows
from assize.retrieval.pages import HTML, TEXT, read_pages

PAGES = (*TEXT, *HTML)  # files that are a page each
WORDS = 120  # of a passage; FActScore's are of this order


@dataclass(frozen=True, slots=True)
class Passage:
    """A piece of a document: the document's id, `#` and the piece's number, from 0."""

    id: str
    title: str
    text: str


def cut(document: Reference, words: int = WORDS) -> Iterator[Passage]:
    """A document in pieces of so many words, the last one shorter.

    >>> [one.text for one in cut(Reference("d", text="a b c"), words=2)]
    ['a b', 'c']
    """
    said = document.text.split()
    for number, start in enumerate(range(0, max(1, len(said)), words)):
        text = " ".join(said[start : start + words])
        yield Passage(f"{document.id}#{number}", document.title, text)


def passages_of(conversation: Conversation) -> Passages:
    """The passages of all sources that were shown in a conversation, each source once."""
    shown = dict.fromkeys(
        (source.id, source.title, source.text)
        for turn in conversation.turns
        for source in turn.references
    )
    documents = (Reference(*one) for one in shown)
    return Passages(tuple(piece for one in documents for piece in cut(one)))


@dataclass(frozen=True)
class Passages:
    """Passages that can be searched; kept in memory, indexed at the first search."""

    all: tuple[Passage, ...]

    def nearest(self, query: str, count: int) -> tuple[Passage, ...]:
        """The passages nearest to a query, best first; all of them where there are no more."""
        if len(self.all) <= count:
            return self.all
        index = self._index
        import bm25s  # after the index, which says what to install

        words = bm25s.tokenize([query], show_progress=False)
        found, _ = index.retrieve(words, k=count, show_progress=False)
        return tuple(self.all[int(place)] for place in found[0])

    @cached_property
    def _index(self) -> Any:
        try:
            import bm25s
        except ImportError as error:
            raise MissingExtra("searching passages", extra="retrieval", missing="bm25s") from error
        index = bm25s.BM25()
        texts = [f"{one.title} {one.text}" for one in self.all]
        index.index(bm25s.tokenize(texts, show_progress=False), show_progress=False)
        return index

    @cached_property
    def hash(self) -> str:
        """Of all passages, for signatures."""
        pieces = (f"{one.id}\0{one.title}\0{one.text}\0" for one in self.all)
        return content_hash(*pieces, digits=12)


def read_corpus(place: str) -> Passages:
    """Return a corpus cut into passages: a folder of pages, a page, or a table of documents.

    Args:
        place: a folder or file of text, Markdown or HTML, as `retrieval.read_pages` takes them;
            else a table with a column `text` (maybe `id`, `title`).
    """
    if Path(place).is_dir() or plain_suffix(place) in PAGES:
        documents = [Reference(page.id, page.title, page.text) for page in read_pages(place)]
        return Passages(tuple(piece for document in documents for piece in cut(document)))
    with open_rows(place) as (_, rows):
        found = tuple(piece for row in rows for piece in cut(_document(row.value, place, row.line)))
    if not found:
        raise DataError("holds no document", source=place)
    return Passages(found)


def _document(value: Any, place: str, line: int) -> Reference:
    text = value.get("text") if isinstance(value, dict) else None
    if not isinstance(text, str) or not text.strip():
        raise DataError(
            "needs a text; allowed are `text`, `title` and `id`", source=place, line=line
        )
    title, id = value.get("title"), value.get("id")
    return Reference(
        str(line) if id in (None, "") else str(id), "" if title is None else str(title), text
    )
