"""Topics as a result: what each step left, how diverse they are, and the pages that answer them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from assize.judging.stepping import Spent, unfinished
from assize.simulation.funnel import Funnel
from assize.simulation.mining.pages import Document
from assize.simulation.topics_file import Topic
from assize.tables import Result, ResultTable, columns


@dataclass(frozen=True, slots=True)
class Diversity:
    """How unlike one another the topics are.

    Args:
        nearest: mean cosine of each topic with the one nearest to it.
        by_chance: the same of as many queries drawn at random, mean of 20 draws.
        clusters: that the queries were put into.
        covered: clusters with a topic.
    """

    nearest: float
    by_chance: float
    clusters: int
    covered: int


@dataclass(frozen=True, slots=True, eq=False)
class SimulatedTopics(Result):
    """Topics, and the pages that were clicked for them; iterating gives the topics.

    Args:
        funnel: what each step left of the queries.
        pages: what each step left of the clicked pages; empty where there were no clicks.
        documents: the pages as text.
        unscored: (queries that a model did not answer for, all that it was asked about).
    """

    topics: Sequence[Topic]
    documents: Sequence[Document]
    funnel: Funnel
    pages: Funnel
    diversity: Diversity | None = None
    scrubbed: Mapping[str, int] | None = None
    unscored: tuple[int, int] = (0, 0)
    reasons: Mapping[str, int] = field(default_factory=dict)
    spent: Spent | None = None
    told: Sequence[str] = ()
    files: Mapping[str, int] = field(default_factory=dict)
    out: Path | None = None
    stopped: bool = False
    waiting: int = 0
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
        """`steps`; `pages` and `corpus` where there were clicks; `diversity`."""
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
        if self.diversity is not None:
            one = self.diversity
            named = [*columns("count", "clusters", "with a topic")]
            named += columns("number", "nearest topic", "by chance", digits=3)
            known = (one.clusters, one.covered, one.nearest, one.by_chance)
            found["diversity"] = ResultTable("How alike the topics are (cosine)", named, [known])
        return found

    @property
    def lines(self) -> Sequence[str]:
        """What makes the topics reproducible."""
        return [self.signature] if self.signature else []

    @property
    def notes(self) -> Sequence[str]:
        """What was written and spent, and what a reader should know."""
        said = [*self.unfinished, *self.told]
        said += [f"{path}: {count:,} records" for path, count in self.files.items()]
        if self.scrubbed is not None:
            kinds = ", ".join(f"{n:,} {kind}" for kind, n in sorted(self.scrubbed.items()))
            said.append(f"scrubbed: {kinds or 'nothing found'}")
        if self.spent is not None:
            said.append(str(self.spent))
        return said + [f"{n:,} answers missing: {why}" for why, n in self.reasons.items()]

    @property
    def unfinished(self) -> Sequence[str]:
        """Why the run is not at its end, if it is not."""
        return unfinished(interrupted=self.stopped, waiting=self.waiting)

    @property
    def interrupted(self) -> bool:
        """Whether it was stopped before the end."""
        return self.stopped

    @property
    def missing(self) -> tuple[int, int]:
        """Queries that the model said nothing about, and all it was asked about."""
        return self.unscored if self.unscored[1] else (0, len(self.topics))

    def to_json(self) -> dict[str, Any]:
        """Every count."""
        mean, deviation = self.words
        one = self.diversity
        return {
            "topics": len(self.topics),
            "documents": len(self.documents),
            "steps": self.funnel.to_json(),
            "pages": self.pages.to_json(),
            "words": {"mean": _number(mean), "sd": _number(deviation)},
            "diversity": None if one is None else {
                "clusters": one.clusters, "covered": one.covered,
                "nearest": _number(one.nearest), "by_chance": _number(one.by_chance),
            },
            "scrubbed": None if self.scrubbed is None else dict(self.scrubbed),
            "unscored": self.unscored[0],
            "reasons": dict(self.reasons),
            "spent": None if self.spent is None else self.spent.to_json(),
            "files": dict(self.files),
            "interrupted": self.stopped,
            "waiting": self.waiting,
            "signature": self.signature,
        }  # fmt: skip


def _served(found: SimulatedTopics) -> int:
    return sum(len(one.documents) >= 5 for one in found.topics)


def _number(value: float) -> float | None:
    return None if np.isnan(value) else round(value, 6)
