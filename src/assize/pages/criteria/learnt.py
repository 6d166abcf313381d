"""Charts of a pool, and each criterion with the patterns and turns that it came from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from markupsafe import Markup

from assize.base.conversation import Item
from assize.criteria._criterion import (
    CONDUCTS,
    MAXIMS,
    POLARITIES,
    Criterion,
    Merged,
    Pattern,
    Polarity,
)
from assize.criteria._learning.learnt import NAMED, Learnt
from assize.pages import charts, page
from assize.pages.criteria.quotes import Quoted, fitted, quoted, short, wanted
from assize.pages.result_page import Charts
from assize.results.abridge import Abridged, abridge
from assize.results.numbers import counted

MOST_OPENED = 60  # criteria of a polarity that are shown with their sources
MOST_PATTERNS = 6  # of a criterion
MOST_MERGED = 12
MOST_UNCOVERED = 20
LONGEST = 400  # characters of a pattern or reason

UNKNOWN = "not said"
_COLOURS = (charts.SERIES[0], charts.SERIES[2], charts.SERIES[4], charts.SERIES[1])


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


def draw_learnt(result: Learnt, items: Iterable[Item] = ()) -> Charts:
    """Return what criteria are about, and each criterion with the turns that it comes from.

    Args:
        items: the conversations, read once, so that turns are quoted.
    """
    patterns = {pattern.id: pattern for pattern in result.patterns}
    opened = {polarity: _first(result, polarity) for polarity in POLARITIES}
    uncovered = _uncovered(result)
    needed = [*_needed(opened, patterns), *(one.conversation for one in uncovered[:MOST_UNCOVERED])]
    texts = wanted(items, needed)
    pieces = {
        f"criteria of {NAMED[polarity]}": _criteria(opened[polarity], patterns, texts)
        for polarity in POLARITIES
    }
    if result.patterns and not texts:
        hint = "Give the conversations (items) to read the turns that patterns come from."
        first = next(iter(pieces))
        pieces[first] = page.join(page.paragraph(hint, kind="quiet"), pieces[first])
    pieces["patterns in no criterion"] = _left(uncovered, texts)
    drawn = {name: [piece] for name, piece in pieces.items() if piece.strip()}
    return {**_tags(result), **drawn}


def _tags(result: Learnt) -> dict[str, list[tuple[charts.Spec, str]]]:
    known = {"about": CONDUCTS, "maxim": MAXIMS}
    return {
        name: [(_tagged(result.pool.criteria, name, values), "As a share of each polarity.")]
        for name, values in known.items()
        if getattr(result, name)
    }


def counted_criteria(n: int) -> str:
    """`1 criterion`, `1,200 criteria`."""
    return f"{n:,} {'criterion' if n == 1 else 'criteria'}"


def _tagged(criteria: Sequence[Criterion], name: str, known: Sequence[str]) -> charts.Spec:
    counts = Counter((one.polarity, getattr(one, name) or UNKNOWN) for one in criteria)
    answers = [*known, *([UNKNOWN] if any(value == UNKNOWN for _, value in counts) else [])]
    rows = [
        (polarity.upper(), answer, float(counts[polarity, answer]))
        for polarity in POLARITIES
        for answer in answers
        if any(one.polarity == polarity for one in criteria)
    ]
    colours = [*_COLOURS[: len(known)], *([charts.SERIES[5]] if UNKNOWN in answers else [])]
    return charts.shares(rows, answers=answers, title="criteria", palette=colours)


def _first(found: Learnt, polarity: Polarity) -> list[Criterion]:
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
    shown = [_shown(one, patterns, texts) for one in ours[:MOST_OPENED]]
    return page.render("criteria/pool.html", shown=shown, lead=_lead(ours)) if shown else page.EMPTY


def _lead(ours: Sequence[Criterion]) -> str:
    lead = f"{counted_criteria(len(ours))}; those that most conversations speak for come first."
    if len(ours) > MOST_OPENED:
        lead += f" The first {MOST_OPENED} are shown with their sources."
    return lead


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


def _uncovered(found: Learnt) -> list[Pattern]:
    covered = {
        id
        for one in found.pool.criteria
        for ids in (one.patterns, *(each.patterns for each in one.merged))
        for id in ids
    }
    return [one for one in found.patterns if one.id not in covered]


def _left(uncovered: Sequence[Pattern], texts: Mapping[str, Item]) -> Markup:
    if not uncovered:
        return page.EMPTY
    shown = [_source(one, texts) for one in uncovered[:MOST_UNCOVERED]]
    lead = f"{counted(len(uncovered), 'pattern')} that no criterion says"
    lead += f", the first {len(shown)}." if len(shown) < len(uncovered) else "."
    return page.render("criteria/sources.html", lead=lead, shown=shown)
