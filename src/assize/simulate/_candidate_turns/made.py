"""Candidates as a result: continuations by source, and what to check before anybody rates them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, ClassVar

import numpy as np

from assize.base.conversation import Continuation
from assize.judging.usage_total import UsageTotal
from assize.results import Column, Hidden, Percent, Records, Table, derive
from assize.results.numbers import counted
from assize.simulate._lengths import plain, words

UNSCORED = "unscored"  # in the metadata of a continuation without a candidate: why there is none


@dataclass(frozen=True, slots=True)
class Source:
    """One source's candidates, held against what people said in the same places.

    Args:
        candidates: that there are.
        missing: those that there are not, and `reasons` of these.
        words: the median length in words; NaN without candidates, as are the next two.
        length_ratio: the median of its length over that of the reference.
        same_words: share whose words are those of the reference.
    """

    source: str
    candidates: int
    missing: int
    reasons: Hidden[Mapping[str, int]]
    words: Annotated[float, Column(digits=0)]
    length_ratio: Annotated[float, Column("of the reference's", digits=2)]
    same_words: Percent[float]


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
        return Source(name, 0, lost.total(), dict(lost), nan, nan, nan)
    lengths = [words(one.candidate) for one in there]
    against = [max(1, words(one.references[0])) for one in there]
    same = [plain(one.candidate) in map(plain, one.references) for one in there]
    return Source(
        name,
        len(there),
        lost.total(),
        dict(lost),
        float(np.median(lengths)),
        float(np.median(np.array(lengths) / np.array(against))),
        float(np.mean(same)),
    )


@dataclass(frozen=True, slots=True)
class SimulatedCandidates(Records[Continuation]):
    """Continuations by several sources of turns that were held out.

    Iterating gives them.

    Args:
        items: a continuation a place and source, also where the source gave nothing: its
            candidate is then empty, and `metadata["unscored"]` says why.
        places: turns that were held out.
        conversations: that they stand in.
        left_out: turns that were not held out, by reason.
        scrubbed: placeholders by kind; None where nothing was scrubbed.
    """

    heading: ClassVar[str] = "Candidates"

    items: Sequence[Continuation] = field(repr=False)
    places: Annotated[int, Column("turns held out")]
    conversations: int
    scrubbed: Mapping[str, int] | None = None
    spent: UsageTotal | None = None
    outputs: Mapping[str, int] = field(default_factory=dict)
    out: Path | None = None
    interrupted: bool = False
    waiting: Hidden[int] = 0
    signature: str = ""
    continuations: int = field(init=False)
    unscored: int = field(init=False)
    sources: Annotated[
        Sequence[Source],
        Table("Candidates", "How many each source gave; medians beside the references."),
    ] = field(init=False)
    left_out: Annotated[Mapping[str, int], Table("Turns left out", key="reason")] = field(
        default_factory=dict
    )

    def __post_init__(self) -> None:
        derive(
            self,
            continuations=len(self.items),
            unscored=self.missing[0],
            sources=sources_of(self.items),
        )

    @property
    def notes(self) -> Sequence[str]:
        """What is missing."""
        return [
            f"{counted(n, 'candidate')} of {row.source} missing: {why}"
            for row in self.sources
            for why, n in row.reasons.items()
        ]

    @property
    def missing(self) -> tuple[int, int]:
        """Candidates that are missing, and all that were wanted."""
        return sum(not one.candidate.strip() for one in self.items), len(self.items)
