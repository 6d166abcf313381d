"""The page of `assize criteria learn`: each criterion with the patterns and turns it came from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from markupsafe import Markup

from assize.conversation import Item
from assize.criteria.criterion import (
    CONDUCTS,
    MAXIMS,
    POLARITIES,
    Criterion,
    Merged,
    Pattern,
    Polarity,
)
from assize.criteria.learning.learnt import NAMED, Learnt
from assize.formats.files import Location
from assize.pages import charts, page
from assize.pages.criteria.figures import sentences
from assize.pages.criteria.quotes import Quoted, fitted, quoted, short, wanted
from assize.pages.page import Section, Tile
from assize.results import Column, ResultTable, columns
from assize.results.abridge import Abridged, abridge
from assize.results.numbers import counted

MOST_OPENED = 60  # criteria of a polarity that are shown with their sources
MOST_LISTED = 500  # further ones, in a table
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


def write_learnt(
    path: Location,
    found: Learnt,
    *,
    items: Iterable[Item] = (),
    title: str = "Criteria learnt",
    reproduce: Sequence[str] = (),
) -> int:
    """Writes the page; returns its size in bytes.

    Args:
        items: the conversations, read once, so that turns are quoted.
    """
    patterns = {one.id: one for one in found.patterns}
    opened = {polarity: _first(found, polarity) for polarity in POLARITIES}
    uncovered = _uncovered(found)
    needed = [*_needed(opened, patterns), *(one.conversation for one in uncovered[:MOST_UNCOVERED])]
    texts = wanted(items, needed)
    sections = [
        Section("At a glance", page.join(_tiles(found), _figures(found), _counts(found))),
        *(_criteria(found, polarity, opened[polarity], patterns, texts) for polarity in POLARITIES),
        Section("Patterns in no criterion", _left(uncovered, texts)),
        Section("Not scored", page.table(_unscored(found))),
    ]
    return page.write_page(
        path,
        title,
        [one for one in sections if one.body.strip()],
        signature=found.pool.wording,
        subtitle=_subtitle(found),
        notes=_notes(found, bool(texts)),
        reproduce=reproduce,
    )


def _subtitle(found: Learnt) -> str:
    task = "" if found.pool.domain is None else f"; {found.pool.domain.task}"
    return f"{found.pool.name}: {counted_criteria(len(found.pool.criteria))}{task}"


def counted_criteria(n: int) -> str:
    """`1 criterion`, `1,200 criteria`."""
    return f"{n:,} {'criterion' if n == 1 else 'criteria'}"


def _notes(found: Learnt, texts: bool) -> list[str]:
    """What is not at its end, and what was edited; the rest stands below the figures."""
    notes = [*found.unfinished, *found.told]
    if not texts and found.patterns:
        notes.append("turns are quoted where the conversations are given (items)")
    return sentences(notes)


def _tiles(found: Learnt) -> Markup:
    tiles = []
    for polarity, one in found.sides.items():
        lost = sum(one.unscored.values())
        note = f"{counted(one.patterns, 'pattern')}, {lost:,} conversations unscored"
        name = "Good" if polarity == "sat" else "Bad"
        tiles.append(Tile(f"{name} conversations", f"{one.conversations:,}", note))
    for polarity in POLARITIES:
        ours = found.pool.of(polarity)
        merged = sum(len(one.merged) for one in ours)
        tiles.append(
            Tile(
                f"Criteria of {NAMED[polarity]}",
                f"{len(ours):,}",
                f"{merged:,} merged into them",
            )
        )
    return page.tiles(tiles)


def figures_of(found: Learnt) -> dict[str, charts.Spec]:
    """`about` and `maxim`, as the page and `plot` draw them; none for an empty pool."""
    drawn = {}
    for name, known in (("about", CONDUCTS), ("maxim", MAXIMS)):
        if any(getattr(one, name) is not None for one in found.pool.criteria):
            drawn[name] = _tagged(found.pool.criteria, name, known)
    return drawn


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
    return charts.shares(rows, answers=answers, title="criteria", colours=colours)


def _figures(found: Learnt) -> Markup:
    drawn = figures_of(found)
    captions = {
        "about": "Whose conduct the criteria are about.",
        "maxim": "Which of Grice's maxims they follow (SAT) or break (DSAT).",
    }
    if not drawn:
        return page.EMPTY
    return page.figures(*(page.figure(spec, captions[name]) for name, spec in drawn.items()))


def _counts(found: Learnt) -> Markup:
    """A row a label, what it took, and what a reader should mind."""
    above = {*found.unfinished, *found.told}
    said = page.bullets(sentences(one for one in found.notes if one not in above))
    return page.join(page.table(found.tables["learnt"]), said) if found.sides else page.EMPTY


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
    found: Learnt,
    polarity: Polarity,
    ours: Sequence[Criterion],
    patterns: Mapping[str, Pattern],
    texts: Mapping[str, Item],
) -> Section:
    shown = [_shown(one, patterns, texts) for one in ours[:MOST_OPENED]]
    rest = ours[MOST_OPENED : MOST_OPENED + MOST_LISTED]
    body = page.render("criteria/pool.html", shown=shown, lead=_lead(ours)) if shown else page.EMPTY
    return Section(
        f"Criteria of {NAMED[polarity]}", page.join(body, page.table(_further(ours, rest)))
    )


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


def _further(ours: Sequence[Criterion], rest: Sequence[Criterion]) -> ResultTable | None:
    if not rest:
        return None
    rows = [
        (short(one.text), one.about or "", one.maxim or "", len(one.conversations)) for one in rest
    ]
    named = [*columns("words", "criterion", "about", "maxim"), Column("conversations", "count")]
    more = len(ours) - MOST_OPENED - len(rest)
    notes = [f"{more:,} more are not shown."] if more else []
    return ResultTable("Further criteria", named, rows, notes)


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


def _unscored(found: Learnt) -> ResultTable | None:
    rows = [
        (NAMED[polarity], what, reason, count)
        for polarity, one in found.sides.items()
        for what, reasons in (("conversations", one.unscored), ("mini-batches", one.failed))
        for reason, count in reasons.items()
    ]
    if not rows:
        return None
    named = [*columns("words", "criteria of", "what", "reason"), Column("unscored", "count")]
    return ResultTable("Calls without an answer", named, rows)
