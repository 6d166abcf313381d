"""Topics as a result: what each step left, how diverse they are, and the pages that answer them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Annotated, ClassVar

import numpy as np

from assize.results import Column, Table
from assize.retrieval import Page
from assize.simulate._funnel import Stage
from assize.simulate._result import Simulated
from assize.simulate._topics_file import Topic


@dataclass(frozen=True, slots=True)
class CorpusSize:
    """How long documents are in words, and how many topics they serve."""

    documents: int
    mean: Annotated[float, Column("words", digits=0)]
    sd: Annotated[float, Column(digits=0)]
    served: Annotated[int, Column("topics with five or more")]


@dataclass(frozen=True, slots=True, kw_only=True)
class SimulatedTopics(Simulated[Topic]):
    """Topics for conversations, and what each step left out.

    Args:
        documents: the pages as text.
        nearest: mean cosine of a topic with the one nearest to it; NaN for a topic alone.
        steps: what each step left of the queries.
        page_steps: what each step left of the clicked pages; empty where there were no clicks.
        corpus: how long the documents are; empty where there are none.
    """

    heading: ClassVar[str] = "Topics"

    documents: Sequence[Page] = field(default=(), repr=False)
    steps: Annotated[Sequence[Stage], Table("What each step left")] = ()
    page_steps: Annotated[Sequence[Stage], Table("Pages that were clicked")] = ()
    corpus: Annotated[Sequence[CorpusSize], Table("The corpus")] = ()


def corpus_sizes(topics: Sequence[Topic], documents: Sequence[Page]) -> list[CorpusSize]:
    """Return the sizes of a corpus; none where it is empty."""
    if not documents:
        return []
    lengths = [len(document.text.split()) for document in documents]
    served = sum(len(topic.documents) >= 5 for topic in topics)
    return [CorpusSize(len(lengths), float(np.mean(lengths)), float(np.std(lengths)), served)]
