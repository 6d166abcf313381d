"""Topics as a result: what each step left, how diverse they are, and the pages that answer them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, ClassVar

import numpy as np

from assize.results import Column, Records, Table, derive
from assize.simulate._funnel import Funnel, Stage
from assize.simulate._mining.pages import Document
from assize.simulate._topics_file import Topic


@dataclass(frozen=True, slots=True)
class CorpusSize:
    """How long documents are in words, and how many topics they serve."""

    documents: int
    mean: Annotated[float, Column("words", digits=0)]
    sd: Annotated[float, Column(digits=0)]
    served: Annotated[int, Column("topics with five or more")]


@dataclass(frozen=True, slots=True)
class SimulatedTopics(Records[Topic]):
    """Topics for conversations, and what each step left out.

    Iterating gives the topics.

    Args:
        topics: in their order.
        documents: the pages as text.
        funnel: what each step left of the queries.
        pages: what each step left of the clicked pages; empty where there were no clicks.
        nearest: mean cosine of a topic with the one nearest to it; NaN for a topic alone.
        scrubbed: placeholders by kind; None where nothing was scrubbed.
        told: what a reader should know.
        outputs: what was written, with how many records.
    """

    heading: ClassVar[str] = "Topics"

    topics: Sequence[Topic] = field(repr=False)
    documents: Sequence[Document] = field(repr=False)
    funnel: Funnel = field(repr=False)
    pages: Funnel = field(repr=False)
    nearest: float = float("nan")
    scrubbed: Mapping[str, int] | None = None
    told: Sequence[str] = field(default=(), repr=False)
    outputs: Mapping[str, int] = field(default_factory=dict)
    out: Path | None = None
    signature: str = ""
    topic_count: Annotated[int, Column("topics")] = field(init=False)
    steps: Annotated[Sequence[Stage], Table("What each step left")] = field(init=False)
    page_steps: Annotated[Sequence[Stage], Table("Pages that were clicked")] = field(init=False)
    corpus: Annotated[Sequence[CorpusSize], Table("The corpus")] = field(init=False)

    def __post_init__(self) -> None:
        lengths = [len(document.text.split()) for document in self.documents]
        served = sum(len(topic.documents) >= 5 for topic in self.topics)
        derive(
            self,
            topic_count=len(self.topics),
            steps=list(self.funnel.stages),
            page_steps=list(self.pages.stages),
            corpus=[
                CorpusSize(len(lengths), float(np.mean(lengths)), float(np.std(lengths)), served)
            ]
            if lengths
            else [],
        )

    @property
    def notes(self) -> Sequence[str]:
        """What a reader should know."""
        said = [*self.told]
        if not np.isnan(self.nearest):
            said.append(f"mean cosine of a topic with the one nearest to it: {self.nearest:.3f}")
        return said
