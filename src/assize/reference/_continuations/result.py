"""Results of making continuations: the records, where they went, and what was left out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated

from assize.base.conversation import Continuation, Item
from assize.reference._continuations.split import UNSAID
from assize.results import Hidden, Records, Result, Table
from assize.results.numbers import counted

LeftOut = Annotated[Mapping[str, int], Table("Left out", key="reason")]
"""How many gave nothing, by reason."""


@dataclass(frozen=True, slots=True)
class SourceCount:
    """Continuations whose candidate one source wrote."""

    candidates_by: str
    continuations: int
    conversations: int


@dataclass(frozen=True, slots=True)
class Continuations(Records[Continuation]):
    """Continuations that were cut or chosen, and what gave none.

    Args:
        items: the continuations; iterating gives them too.
        left_out: what gave no continuation: how many, by reason.
        out: the file that holds them; None where none was asked for.
    """

    items: Sequence[Continuation] = field(repr=False)
    sources: Annotated[Sequence[SourceCount], Table("Continuations by source")]
    continuations: int
    conversations: int
    left_out: LeftOut
    out: str | None = None
    notes: Sequence[str] = ()
    signature: str = ""


def count_continuations(
    items: Sequence[Continuation],
    left_out: Mapping[str, int],
    notes: Sequence[str] = (),
    out: str | None = None,
    signature: str = "",
) -> Continuations:
    """Return the result of continuations, counted by who wrote the candidate."""
    by_source: dict[str, list[str]] = {}
    for item in items:
        by_source.setdefault(source_name(item), []).append(str(item.conversation))
    sources = [
        SourceCount(source, len(names), len(set(names))) for source, names in by_source.items()
    ]
    conversations = len({item.conversation for item in items})
    written = [] if out is None else [f"{out}: {counted(len(items), 'continuation')}"]
    return Continuations(
        items, sources, len(items), conversations, left_out, out, [*notes, *written], signature
    )


def source_name(item: Continuation) -> str:
    """Return who wrote a candidate, in words."""
    if not item.candidate.strip():
        return "(nobody yet)"
    return UNSAID if item.source is None else item.source


@dataclass(frozen=True, slots=True)
class SplitSide:
    """Counts of one side of a split, and the file that holds it."""

    side: str
    items: int
    conversations: int
    file: Hidden[str | None] = None


@dataclass(frozen=True, slots=True)
class Stratum:
    """Items of one stratum, by side."""

    stratum: str
    items: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class DataSplit(Result):
    """How the items were split, and how alike the sides are.

    Args:
        items: of each side: `split["train"]`.
        strata: how the sides are alike in what `by` names; empty where it has one value.
        groups: how many groups were dealt; the largest holds the share `largest_group` of the
            items.
    """

    items: Mapping[str, Sequence[Item]] = field(repr=False)
    sides: Annotated[Sequence[SplitSide], Table("Sides")]
    strata: Annotated[Sequence[Stratum], Table("Items by stratum")]
    by: str
    groups: Hidden[int]
    largest_group: float
    notes: Sequence[str] = ()
    signature: str = ""

    def __getitem__(self, side: str) -> Sequence[Item]:
        return self.items[side]


def note_split(sides: Sequence[SplitSide], largest_group: float, judgments: int) -> list[str]:
    """Return what was written, and whether the groups let the shares come out.

    Args:
        judgments: that stood among the items; they are on no side.
    """
    notes = [
        f"{side.file}: {counted(side.items, 'item')}" for side in sides if side.file is not None
    ]
    if judgments:
        rows = counted(judgments, "judgment")
        notes.append(f"{rows} among them: not split, for ids find them wherever they stand")
    if largest_group > 0.2:
        notes.append(
            f"{largest_group:.0%} of the items hang together by conversation or context and"
            " stay on one side; the shares cannot come out as asked"
        )
    return notes
