"""BM25 over passages: which of them a query's words point to."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from assize.base.conversation import Reference
from assize.base.errors import ConfigError, DataError, MissingExtra
from assize.base.signature import sign
from assize.retrieval.pages import Page
from assize.retrieval.passages import Cutting, cut, ends_of
from assize.retrieval.words import VERSION, spans, words_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

K1, B = 1.2, 0.75  # Elasticsearch's
METHOD = "lucene"  # its form of the inverse document frequency


@dataclass(frozen=True, slots=True)
class Hit:
    """A passage that was found.

    Args:
        page: the page's id; `passage` counts its passages from 0.
        score: BM25's, above 0; comparable within one query only.
    """

    page: str
    passage: int
    title: str
    text: str
    score: float

    def reference(self, id: str) -> Reference:
        """As a source on a turn, called as the assistant cites it."""
        found = {"page": self.page, "passage": self.passage, "score": round(self.score, 4)}
        return Reference(id, self.title, self.text, found)


@dataclass
class Index:
    """Passages that can be searched.

    Args:
        pages: whose text the passages are; read from disk where the index is stored.
        passages: (passages, 4): page, its passage, first character, character beyond the last.
        bm25: scores by word and passage, as `bm25s` keeps them.
        made_of: hash of the pages' files.
    """

    pages: Sequence[Page]
    passages: NDArray[np.int64]
    bm25: Any
    cutting: Cutting
    made_of: str = ""
    places: dict[str, int] = field(default_factory=dict)  # of pages, by id

    def search(self, query: str, k: int = 5) -> list[Hit]:
        """The passages that fit best, at most `k`; those without any word of the query never.

        Each page is found once, by its best passage; only where fewer than `k` pages fit do
        further passages of theirs follow. Of equal scores the first in the files comes first.

        Args:
            query: any text. Words that no page has are passed over; a word counts as often as it
                stands there.

        Raises:
            ConfigError: `k` is below 1.
        """
        if k < 1:
            raise ConfigError(f"k: received {k}; give at least 1")
        scores = self.scores(query)
        begins = self._begins
        pages = best(np.maximum.reduceat(scores, begins[:-1]), k)
        found = [
            (int(begins[at] + np.argmax(scores[begins[at] : begins[at + 1]])), score)
            for at, score in pages
        ]
        if len(found) < k:
            scores[[at for at, _ in found]] = 0
            found += best(scores, k - len(found))
        return [self._hit(at, score) for at, score in found]

    def longest(self, k: int = 5) -> list[Hit]:
        """The `k` passages with the most characters, whose score is 0."""
        sizes = self.passages[:, 3] - self.passages[:, 2]
        return [self._hit(int(at), 0.0) for at in np.argsort(-sizes, kind="stable")[:k]]

    def scores(self, query: str) -> NDArray[np.float32]:
        """(passages P): BM25's score of each."""
        known = self.bm25.vocab_dict
        ids = [known[word] for word in words_of(query) if word in known]
        total = np.zeros(len(self.passages), dtype=np.float32)
        if ids:
            held = self.bm25.scores
            for word, times in zip(*np.unique(ids, return_counts=True), strict=True):
                start, end = held["indptr"][word], held["indptr"][word + 1]
                places, values = held["indices"][start:end], held["data"][start:end]
                # A word stands once for each of its passages, so no place is added to twice.
                total[places] += values * np.float32(times)
        return total

    def page(self, id: str) -> Page | None:
        """A page by its id."""
        if not self.places:
            self.places |= {one.id: at for at, one in enumerate(self.pages)}
        return self.pages[self.places[id]] if id in self.places else None

    @cached_property
    def _begins(self) -> NDArray[np.int64]:
        """Where each page's passages begin, and where the last one's end."""
        return np.append(np.flatnonzero(self.passages[:, 1] == 0), len(self.passages))

    @property
    def signature(self) -> str:
        """What can change what is found: pages, cutting, words, and BM25's form and numbers."""
        return sign(self.made_of, str(self.cutting), VERSION, METHOD, K1, B)

    def _hit(self, at: int, score: float) -> Hit:
        page, passage, start, end = map(int, self.passages[at])
        found = self.pages[page]
        return Hit(found.id, passage, found.title, found.text[start:end].strip(), score)

    def __len__(self) -> int:
        return len(self.passages)

    def __repr__(self) -> str:
        return f"<Index: {len(self.pages):,} pages, {len(self):,} {self.cutting}>"


def best(scores: NDArray[np.float32], k: int) -> list[tuple[int, float]]:
    """Place and score of the highest `k` above 0, the first of equals first.

    >>> best(np.array([0, 2, 1, 2], dtype=np.float32), 3)
    [(1, 2.0), (3, 2.0), (2, 1.0)]
    """
    if len(scores) > k:
        least = np.partition(scores, len(scores) - k)[len(scores) - k]
        candidates = np.flatnonzero(scores >= least) if least > 0 else np.flatnonzero(scores > 0)
    else:
        candidates = np.flatnonzero(scores > 0)
    order = np.lexsort((candidates, -scores[candidates]))[:k]
    return [(int(one), float(scores[one])) for one in candidates[order]]


def make_index(pages: Iterable[Page], cutting: Cutting, made_of: str = "") -> Index:
    """An index of the pages, in memory. A page's title is searched with its first passage.

    Raises:
        DataError: no page holds a word.
        MissingExtra: bm25s is not installed.
    """
    kept: list[Page] = []
    rows = array("q")
    vocabulary: dict[str, int] = {}
    add = vocabulary.setdefault
    ids: list[array[int]] = []
    for page in pages:
        found = list(spans(page.text))
        texts = (page.text[start:end].lower() for start, end in found)
        words = array("i", (add(word, len(vocabulary)) for word in texts))
        title = array("i", (add(word, len(vocabulary)) for word in words_of(page.title)))
        cuts = cut(len(found), cutting)
        for number, ((first, last), (start, end)) in enumerate(
            zip(cuts, ends_of(found, cuts, len(page.text)), strict=True)
        ):
            ids.append(title + words[first:last] if number == 0 else words[first:last])
            rows.extend((len(kept), number, start, end))
        kept.append(page)
    if not vocabulary:
        raise DataError("no page holds a word", source="documents")
    model = bm25s().BM25(k1=K1, b=B, method=METHOD, backend="numpy", csc_backend="scipy")
    model.index((ids, vocabulary), show_progress=False)
    return Index(kept, np.array(rows, dtype=np.int64).reshape(-1, 4), model, cutting, made_of)


def bm25s() -> Any:
    """The library, imported late."""
    try:
        import bm25s as found
    except ImportError as error:
        raise MissingExtra("retrieval", extra="retrieval", missing="bm25s") from error
    return found
