"""Candidates as a result: continuations by source, and what to check before anybody rates them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, ClassVar

import numpy as np

from assize.base.conversation import Continuation
from assize.results import Column, Hidden, Percent, Table
from assize.simulate._lengths import plain, words
from assize.simulate._result import Simulated

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
    words: Annotated[float, Column(digits=0)] = float("nan")
    length_ratio: Annotated[float, Column("of the reference's", digits=2)] = float("nan")
    same_words: Percent[float] = float("nan")


def sources_of(items: Sequence[Continuation]) -> list[Source]:
    """The sources in order of appearance."""
    by: dict[str, list[Continuation]] = {}
    for one in items:
        if one.candidate.strip() or UNSCORED in one.metadata:
            by.setdefault(one.source or "(not said)", []).append(one)
    return [_source(name, of) for name, of in by.items()]


def _source(name: str, of: Sequence[Continuation]) -> Source:
    there = [one for one in of if one.candidate.strip()]
    lost = Counter(str(one.metadata[UNSCORED]["reason"]) for one in of if UNSCORED in one.metadata)
    if not there:
        return Source(name, 0, lost.total(), dict(lost))
    lengths = np.array([words(one.candidate) for one in there])
    against = np.array([max(1, words(one.references[0])) for one in there])
    same = [plain(one.candidate) in map(plain, one.references) for one in there]
    return Source(
        name,
        len(there),
        lost.total(),
        dict(lost),
        float(np.median(lengths)),
        float(np.median(lengths / against)),
        float(np.mean(same)),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class SimulatedCandidates(Simulated[Continuation]):
    """Continuations by several sources of turns that were held out: one a place and source.

    Where a source gave nothing its candidate is empty, and `metadata["unscored"]` says why.

    Args:
        places: turns that were held out.
        conversations: that they stand in.
        unscored: candidates that are missing, of `n` that were wanted.
        sources: how each did.
        left_out: turns that were not held out, by reason.
    """

    heading: ClassVar[str] = "Candidates"

    places: Annotated[int, Column("turns held out")] = 0
    conversations: int = 0
    n: Hidden[int] = 0
    unscored: int = 0
    sources: Annotated[
        Sequence[Source],
        Table("Candidates", "How many each source gave; medians beside the references."),
    ] = ()
    left_out: Annotated[Mapping[str, int], Table("Turns left out", key="reason")] = field(
        default_factory=dict
    )
