"""Candidates as a result: continuations by source, and what to check before anybody rates them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from assize.conversation import Continuation
from assize.judging.stepping import Spent, unfinished
from assize.results import Column, Result, ResultTable, columns
from assize.results.numbers import counted
from assize.simulation.lengths import words

UNSCORED = "unscored"  # in the metadata of a continuation without a candidate: why there is none


@dataclass(frozen=True, slots=True)
class Source:
    """One source's candidates, held against what people said in the same places.

    Args:
        n: candidates that there are.
        missing: those that there are not, by reason.
        words: the median length in words; NaN without candidates, as are the next two.
        ratio: the median of its length over that of the reference.
        same: share whose words are those of the reference.
    """

    name: str
    n: int
    missing: Mapping[str, int]
    words: float
    ratio: float
    same: float


def sources_of(items: Sequence[Continuation]) -> list[Source]:
    """The sources in order of appearance."""
    by: dict[str, list[Continuation]] = {}
    for one in items:
        by.setdefault(one.source or "", []).append(one)
    return [_source(name, of) for name, of in by.items()]


def _source(name: str, of: Sequence[Continuation]) -> Source:
    there = [one for one in of if one.candidate.strip()]
    lost = Counter(
        str(one.metadata.get(UNSCORED, {}).get("reason", "unknown"))
        for one in of
        if not one.candidate.strip()
    )
    if not there:
        nan = float("nan")
        return Source(name, 0, dict(lost), nan, nan, nan)
    lengths = [words(one.candidate) for one in there]
    against = [max(1, words(one.references[0])) for one in there]
    same = [_plain(one.candidate) in map(_plain, one.references) for one in there]
    return Source(
        name,
        len(there),
        dict(lost),
        float(np.median(lengths)),
        float(np.median(np.array(lengths) / np.array(against))),
        float(np.mean(same)),
    )


def _plain(text: str) -> str:
    return " ".join(text.casefold().split())


@dataclass(frozen=True, slots=True, eq=False)
class SimulatedCandidates(Result):
    """Continuations of every source; iterating gives them.

    Args:
        items: a continuation a place and source, also where the source gave nothing: its
            candidate is then empty, and `metadata["unscored"]` says why.
        places: turns that were held out.
        conversations: that they stand in.
        passed: turns that were not held out, by reason.
        scrubbed: placeholders by kind; None where nothing was scrubbed.
    """

    items: Sequence[Continuation]
    places: int
    conversations: int
    passed: Mapping[str, int]
    scrubbed: Mapping[str, int] | None = None
    spent: Spent | None = None
    files: Mapping[str, int] = field(default_factory=dict)
    out: Path | None = None
    stopped: bool = False
    waiting: int = 0
    signature: str = ""

    def __iter__(self) -> Iterator[Continuation]:
        return iter(self.items)

    def __len__(self) -> int:
        return len(self.items)

    @property
    def tables(self) -> Mapping[str, ResultTable]:
        """`candidates` by source, `turns` a conversation, and `left out` where any were."""
        named = [Column("source"), *columns("count", "candidates", "missing")]
        named += columns("number", "words", digits=0)
        named += columns("number", "of the reference's", digits=2)
        named += columns("percent", "same words", digits=1, unit="%")
        rows = [
            (one.name, one.n, sum(one.missing.values()), one.words, one.ratio, one.same)
            for one in sources_of(self.items)
        ]
        found = {"candidates": ResultTable("Candidates, medians a source", named, rows)}
        by = Counter(
            one.conversation for one in {(x.conversation, x.turn): x for x in self.items}.values()
        )
        if by:
            each = list(by.values())
            named = [*columns("count", "conversations", "turns held out", "fewest")]
            named += [*columns("number", "median", digits=0), *columns("count", "most")]
            row = (len(each), sum(each), min(each), float(np.median(each)), max(each))
            found["turns"] = ResultTable("Turns held out a conversation", named, [row])
        if self.passed:
            named = [Column("turns left out"), *columns("count", "count")]
            found["left out"] = ResultTable("Left out", named, list(self.passed.items()))
        return found

    @property
    def lines(self) -> Sequence[str]:
        """What makes the set reproducible."""
        return [self.signature] if self.signature else []

    @property
    def notes(self) -> Sequence[str]:
        """What was written and spent, and what is missing."""
        said = [*self.unfinished]
        said += [f"{path}: {counted(n, 'continuation')}" for path, n in self.files.items()]
        if self.scrubbed is not None:
            kinds = ", ".join(f"{n:,} {kind}" for kind, n in sorted(self.scrubbed.items()))
            said.append(f"scrubbed: {kinds or 'nothing found'}")
        if self.spent is not None:
            said.append(str(self.spent))
        for one in sources_of(self.items):
            said += [
                f"{counted(n, 'candidate')} of {one.name} missing: {why}"
                for why, n in one.missing.items()
            ]
        return said

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
        """Candidates that are missing, and all that were wanted."""
        return sum(not one.candidate.strip() for one in self.items), len(self.items)

    def to_json(self) -> dict[str, Any]:
        """Every count."""
        return {
            "continuations": len(self.items),
            "places": self.places,
            "conversations": self.conversations,
            "left_out": dict(self.passed),
            "sources": {
                one.name: {
                    "candidates": one.n,
                    "missing": dict(one.missing),
                    "words": _nullable(one.words),
                    "length_ratio": _nullable(one.ratio),
                    "same_words": _nullable(one.same),
                }
                for one in sources_of(self.items)
            },
            "unscored": self.missing[0],
            "scrubbed": None if self.scrubbed is None else dict(self.scrubbed),
            "spent": None if self.spent is None else self.spent.to_json(),
            "files": dict(self.files),
            "interrupted": self.stopped,
            "waiting": self.waiting,
            "signature": self.signature,
        }


def _nullable(value: float) -> float | None:
    return None if np.isnan(value) else round(value, 6)
