"""Topics as a result: what each step left, how diverse they are, and the pages that answer them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from assize.results import Result, ResultTable, columns
from assize.simulation.funnel import Funnel
from assize.simulation.mining.pages import Document
from assize.simulation.topics_file import Topic


@dataclass(frozen=True, slots=True, eq=False)
class SimulatedTopics(Result):
    """Topics, and the pages that were clicked for them; iterating gives the topics.

    Args:
        funnel: what each step left of the queries.
        pages: what each step left of the clicked pages; empty where there were no clicks.
        documents: the pages as text.
        nearest: mean cosine of a topic with the one nearest to it; NaN for a topic alone.
    """

    topics: Sequence[Topic]
    documents: Sequence[Document]
    funnel: Funnel
    pages: Funnel
    nearest: float = float("nan")
    scrubbed: Mapping[str, int] | None = None
    told: Sequence[str] = ()
    files: Mapping[str, int] = field(default_factory=dict)
    out: Path | None = None
    signature: str = ""

    def __iter__(self) -> Iterator[Topic]:
        return iter(self.topics)

    def __len__(self) -> int:
        return len(self.topics)

    @property
    def words(self) -> tuple[float, float]:
        """Mean and standard deviation of the documents' lengths in words."""
        lengths = [len(one.text.split()) for one in self.documents]
        if not lengths:
            return float("nan"), float("nan")
        return float(np.mean(lengths)), float(np.std(lengths))

    @property
    def tables(self) -> Mapping[str, ResultTable]:
        """`steps`; `pages` and `corpus` where there were clicks."""
        found = {"steps": self.funnel.table()}
        if self.pages.stages:
            pages = self.pages.table()
            found["pages"] = ResultTable("Pages that were clicked", pages.columns, pages.rows)
        if self.documents:
            named = [*columns("count", "documents"), *columns("number", "words", "sd", digits=0)]
            named += columns("count", "topics with five or more")
            served = _served(self)
            row = (len(self.documents), *self.words, served)
            found["corpus"] = ResultTable("The corpus, mean words a document", named, [row])
        return found

    @property
    def lines(self) -> Sequence[str]:
        """What makes the topics reproducible."""
        return [self.signature] if self.signature else []

    @property
    def notes(self) -> Sequence[str]:
        """What was written, and what a reader should know."""
        said = [*self.told]
        if not np.isnan(self.nearest):
            said.append(f"mean cosine of a topic with the one nearest to it: {self.nearest:.3f}")
        said += [f"{path}: {count:,} records" for path, count in self.files.items()]
        if self.scrubbed is not None:
            kinds = ", ".join(f"{n:,} {kind}" for kind, n in sorted(self.scrubbed.items()))
            said.append(f"scrubbed: {kinds or 'nothing found'}")
        return said

    def to_json(self) -> dict[str, Any]:
        """Every count."""
        mean, deviation = self.words
        return {
            "topics": len(self.topics),
            "documents": len(self.documents),
            "steps": self.funnel.to_json(),
            "pages": self.pages.to_json(),
            "words": {"mean": _number(mean), "sd": _number(deviation)},
            "nearest": _number(self.nearest),
            "scrubbed": None if self.scrubbed is None else dict(self.scrubbed),
            "files": dict(self.files),
            "signature": self.signature,
        }


def _served(found: SimulatedTopics) -> int:
    return sum(len(one.documents) >= 5 for one in found.topics)


def _number(value: float) -> float | None:
    return None if np.isnan(value) else round(value, 6)
