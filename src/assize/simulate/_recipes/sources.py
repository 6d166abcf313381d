"""The documents of a dialogue: those of its topic, or those that a search finds."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from assize.base.conversation import Reference
from assize.retrieval import Cutting, Index, Page
from assize.retrieval.index import make_index
from assize.simulate._topics_file import Topic


@dataclass(frozen=True, slots=True)
class Sources:
    """What documents there are.

    Args:
        index: that is searched; None where no recipe searches.
        top: number of documents shown at once.
        cutting: how documents that a topic names are shown: their passage that fits the topic
            best, or whole.
    """

    index: Index | None = None
    top: int = 5
    cutting: Cutting = Cutting()  # noqa: RUF009 -- frozen

    async def found(self, query: str) -> tuple[Reference, ...]:
        """What a search finds, numbered as it is cited, from 1."""
        if self.index is None:
            return ()
        hits = await asyncio.to_thread(self.index.search, query, self.top)
        return tuple(hit.reference(str(at)) for at, hit in enumerate(hits, start=1))

    def given(self, topic: Topic) -> tuple[Reference, ...]:
        """The topic's best documents, numbered; those of which nobody has the text are left out."""
        pages = [page for one in topic.best(len(topic.documents)) if (page := self._page(one))]
        return tuple(
            self._shown(page, topic.text, str(at))
            for at, page in enumerate(pages[: self.top], start=1)
        )

    def _page(self, document: Reference) -> Page | None:
        if document.text.strip():
            return Page(document.id, document.text, document.title, document.extra)
        return None if self.index is None else self.index.page(document.id)

    def _shown(self, page: Page, query: str, id: str) -> Reference:
        if self.cutting.words is None or len(page.text.split()) <= self.cutting.words:
            return Reference(id, page.title, page.text, {"page": page.id})
        index = make_index([page], self.cutting)
        hits = index.search(query, 1)
        if hits:
            return hits[0].reference(id)
        start, end = index.passages[0][2:]
        return Reference(id, page.title, page.text[start:end].strip(), {"page": page.id})

    def described(self) -> dict[str, Any]:
        """What can change the documents, for a run's settings."""
        index = None if self.index is None else self.index.signature
        return {"top": self.top, "shown": str(self.cutting), "index": index}


def pages_of(sources: Sequence[Reference]) -> list[str]:
    """The pages' ids, each once."""
    return list(dict.fromkeys(str(one.extra.get("page", one.id)) for one in sources))
