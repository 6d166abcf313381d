"""Searching pages: `assize retrieve`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated

from assize.base.errors import ConfigError
from assize.base.signature import sign
from assize.formats.arguments import listed
from assize.results import Column, Estimate, Hidden, Result, Table, derive
from assize.results.log import log
from assize.retrieval import Hit, Index, build_index, open_index
from assize.retrieval.stored import Documents
from assize.simulate._settings import Retrieval
from assize.simulate._topics_file import Topic, Topics, read_topics
from assize.stats._intervals import mean

_SHOWN = 20  # passages


@dataclass(frozen=True, slots=True)
class FoundPassage:
    """A passage that a query finds.

    Args:
        place: from 1, the best.
        passage: its number on the page.
    """

    query: str
    place: int
    page: str
    title: Hidden[str]
    passage: Hidden[int]
    score: Annotated[float, Column(digits=2)]
    text: Annotated[str, Column(cut=True)]


@dataclass(frozen=True, slots=True)
class Retrieved(Result):
    """What the searches found.

    Args:
        hits: of each query, best first, in the order of the queries.
        index: that was searched.
        top: passages a query.
        recall: mean share of the documents that a topic names among the pages found; None where
            no topic names any.
        pages, passages: in the index, and how it cuts pages.
    """

    hits: Mapping[str, Sequence[Hit]] = field(repr=False)
    index: Index = field(repr=False)
    top: Hidden[int]
    recall: Annotated[Estimate | None, Column("recall of the documents that topics name")] = None
    queries: int = field(init=False)
    found: Annotated[
        Sequence[FoundPassage],
        Table("What was found", "The best passages of each query.", group="query", most=_SHOWN),
    ] = field(init=False)
    pages: Hidden[int] = field(init=False)
    passages: Hidden[int] = field(init=False)
    cutting: str = field(init=False)
    signature: str = field(init=False)

    def __post_init__(self) -> None:
        derive(
            self,
            queries=len(self.hits),
            found=[
                FoundPassage(query, place, hit.page, hit.title, hit.passage, hit.score, hit.text)
                for query, hits in self.hits.items()
                for place, hit in enumerate(hits, start=1)
            ],
            pages=len(self.index.pages),
            passages=len(self.index),
            cutting=str(self.index.cutting),
            signature=sign(self.index.signature, self.top),
        )

    @property
    def lines(self) -> Sequence[str]:
        """What was searched."""
        return [f"{self.index!r:.200} | {self.signature}"]

    @property
    def notes(self) -> Sequence[str]:
        """Queries that found nothing."""
        none = sum(not found for found in self.hits.values())
        return [f"{none:,} of {len(self.hits):,} queries found nothing"] if none else []


def retrieve(
    documents: Documents | None = None,
    *,
    query: str | Sequence[str] = (),
    topics: Topics | None = None,
    index: str | Path | None = None,
    top: int = 5,
    words: int = 300,
    overlap: int = 50,
) -> Retrieved:
    """Find the passages of pages that fit queries best, by BM25.

    Pages are files of text, Markdown or HTML, or lines of JSONL. They are cut into passages; words
    are compared as they are, in lower case.

    Args:
        documents: folders and files of pages to search: text, Markdown, HTML or JSONL. In Python
            also pages in memory, or an index.
        query: what to search for (repeatable).
        topics: file of topics to search for; the documents that they name give the recall.
        index: folder to keep the index in, which is used again while the pages stay the same.
        top: maximum number of passages per query.
        words: passage length in words; 0 for whole pages.
        overlap: words that a passage shares with the one before.

    Returns:
        What each query found.

    Raises:
        ConfigError: nothing is searched, or nothing is searched for.
        DataError: there is no page with text, or a file is damaged.
        MissingExtra: bm25s is not installed.
    """
    settings = Retrieval(documents, index, top, words, overlap)
    if any(not one.strip() for one in listed(query)):
        raise ConfigError("query: received an empty text; write what is searched for")
    found = documents if isinstance(documents, Index) else index_of(settings)
    if found is None:
        raise ConfigError("documents: name folders or files of pages, or the folder of an index")
    known = [] if topics is None else read_topics(topics)
    wanted = [*listed(query), *(one.text for one in known)]
    if not wanted:
        raise ConfigError("query: write what is searched for, or give topics")
    hits = {one: found.search(one, top) for one in dict.fromkeys(wanted)}
    return Retrieved(hits, found, top, _recall(known, hits))


def index_of(settings: Retrieval) -> Index | None:
    """The index that is given, stored, or made of documents; None where there are none.

    Raises:
        ConfigError: the index that is stored cuts pages otherwise than wanted.
    """
    documents, folder = settings.documents, settings.index
    if not documents and folder is None and not isinstance(documents, Index):
        return None
    if isinstance(documents, Index):
        index = documents
    elif documents:
        index = build_index(documents, folder, settings.cutting(), note=log.info)
    else:
        index = open_index(str(folder))
    if index.cutting != settings.cutting():
        raise ConfigError(
            f"words: this index has {index.cutting}, and {settings.cutting()} are wanted; give its"
            " words and overlap, or documents, of which it is made again"
        )
    return index


def _recall(topics: Sequence[Topic], hits: Mapping[str, Sequence[Hit]]) -> Estimate | None:
    shares = [
        len(named & {hit.page for hit in hits[one.text]}) / len(named)
        for one in topics
        if (named := {document.id for document in one.documents})
    ]
    return mean(shares).within((0, 1)) if shares else None
