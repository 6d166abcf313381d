"""Charts of a pool, and each criterion with the patterns and turns that it came from."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from markupsafe import Markup

from assize.base.conversation import Item
from assize.criteria._criterion import (
    POLARITIES,
    Criterion,
    Merged,
    Pattern,
    Polarity,
)
from assize.criteria._learning.learn_result import NAMED, LearnResult
from assize.pages import page
from assize.pages.criteria.quotes import Quoted, fitted, quoted, short, wanted
from assize.pages.result_page import Charts
from assize.results.abridge import Abridged, abridge

MOST_OPENED = 60  # criteria of a polarity that are shown with their sources
MOST_PATTERNS = 6  # of a criterion
MOST_MERGED = 12
LONGEST = 400  # characters of a pattern or reason


@dataclass(frozen=True, slots=True)
class Source:
    """A pattern as shown, with the turns that show it."""

    conversation: str
    text: Abridged
    reason: Abridged
    quoted: Quoted


@dataclass(frozen=True, slots=True)
class Shown:
    """A criterion with what it came from; the others are counted."""

    criterion: Criterion
    sources: tuple[Source, ...]
    sources_left_out: int
    merged: tuple[Merged, ...]
    merged_left_out: int


def draw_learnt(result: LearnResult, items: Iterable[Item] = ()) -> Charts:
    """Return each criterion with the turns that it comes from.

    Args:
        items: the conversations, read once, so that turns are quoted.
    """
    patterns = {pattern.id: pattern for pattern in result.patterns}
    opened = {polarity: _first(result, polarity) for polarity in POLARITIES}
    texts = wanted(items, _needed(opened, patterns))
    drawn: dict[str, list[Markup]] = {}
    for polarity, criteria in opened.items():
        if criteria:
            drawn[f"criteria of {NAMED[polarity]}"] = [_criteria(criteria, patterns, texts)]
    if result.patterns and not texts:
        hint = "Give the conversations (items) to read the turns that patterns come from."
        for pieces in drawn.values():
            pieces.insert(0, page.paragraph(hint, kind="quiet"))
            break
    return drawn


def _first(found: LearnResult, polarity: Polarity) -> list[Criterion]:
    """Those that most conversations speak for, first."""
    return sorted(found.pool.of(polarity), key=lambda one: -len(one.conversations))


def _needed(
    opened: Mapping[Polarity, Sequence[Criterion]], patterns: Mapping[str, Pattern]
) -> list[str]:
    """Conversations that turns are quoted from."""
    return [
        patterns[id].conversation
        for criteria in opened.values()
        for one in criteria[:MOST_OPENED]
        for id in one.patterns[:MOST_PATTERNS]
        if id in patterns
    ]


def _criteria(
    ours: Sequence[Criterion], patterns: Mapping[str, Pattern], texts: Mapping[str, Item]
) -> Markup:
    shown = [_shown(criterion, patterns, texts) for criterion in ours[:MOST_OPENED]]
    lead = "Those that most conversations speak for come first."
    if len(ours) > MOST_OPENED:
        lead += f" The first {MOST_OPENED} of {len(ours):,} are shown with their sources."
    return page.render("criteria/pool.html", shown=shown, lead=lead)


def _shown(one: Criterion, patterns: Mapping[str, Pattern], texts: Mapping[str, Item]) -> Shown:
    known = [patterns[id] for id in one.patterns if id in patterns]
    return Shown(
        fitted(one),
        tuple(_source(each, texts) for each in known[:MOST_PATTERNS]),
        max(0, len(known) - MOST_PATTERNS),
        tuple(replace(each, text=short(each.text)) for each in one.merged[:MOST_MERGED]),
        max(0, len(one.merged) - MOST_MERGED),
    )


def _source(one: Pattern, texts: Mapping[str, Item]) -> Source:
    return Source(
        one.conversation,
        abridge(one.text, LONGEST),
        abridge(one.reason, LONGEST),
        quoted(texts.get(one.conversation), one.turns),
    )
