"""Each criterion of a pool with the patterns and turns that it came from."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from assize.base.conversation import Conversation, Item
from assize.criteria._criterion import POLARITIES, Criterion, Pattern
from assize.criteria._learning.learn_result import NAMED, LearnResult
from assize.pages import page
from assize.pages.excerpt import items_by_id
from assize.pages.result_page import Charts
from assize.results import Column, ResultTable
from assize.results.abridge import one_line

MOST_OPENED = 60  # criteria of a polarity that are shown with their sources
MOST_PATTERNS = 6  # of a criterion
MOST_QUOTES = 3  # turns of a pattern
LONGEST = 400  # characters of a criterion, a pattern, a reason
LONGEST_QUOTE = 280

_COLUMNS = [Column(name) for name in ("criterion", "conversation", "pattern", "turns", "reason")]


def draw_learnt(result: LearnResult, items: Iterable[Item] = ()) -> Charts:
    """Return each criterion with the turns that it comes from.

    Args:
        items: the conversations, read once, so that turns are quoted.
    """
    patterns = {pattern.id: pattern for pattern in result.patterns}
    texts = items_by_id(items, {pattern.conversation for pattern in result.patterns})
    tables: list[ResultTable] = []
    for polarity in POLARITIES:
        # Those that most conversations speak for, first.
        criteria = sorted(result.pool.of(polarity), key=lambda one: -len(one.conversations))
        rows = [row for one in criteria[:MOST_OPENED] for row in _sources(one, patterns, texts)]
        notes = []
        if len(criteria) > MOST_OPENED:
            notes.append(f"Sources are shown for {MOST_OPENED} of {len(criteria):,} criteria.")
        if result.patterns and not texts:
            notes.append("Give the conversations (items) to read the turns.")
        title = f"Where criteria of {NAMED[polarity]} come from"
        tables.append(ResultTable(title, _COLUMNS, rows, notes, grouped=True))
    return {table.title: [page.table(table)] for table in tables if table.rows}


def _sources(
    criterion: Criterion, patterns: Mapping[str, Pattern], texts: Mapping[str, Item]
) -> Iterable[tuple[str, ...]]:
    """A row a pattern of a criterion; one by itself where none stands behind it."""
    name = one_line(criterion.text, LONGEST)
    known = [patterns[id] for id in criterion.patterns if id in patterns]
    if not known:
        yield name, "", "It comes from no pattern.", "", ""
    for pattern in known[:MOST_PATTERNS]:
        yield _row(name, pattern, texts)


def _row(name: str, pattern: Pattern, texts: Mapping[str, Item]) -> tuple[str, ...]:
    item = texts.get(pattern.conversation)
    turns = item.turns if isinstance(item, Conversation) else ()
    quotes = [
        f"{number}, {turns[number].role}: {one_line(turns[number].text, LONGEST_QUOTE)}"
        if number < len(turns)
        else str(number)
        for number in sorted(set(pattern.turns))[:MOST_QUOTES]
        if number < len(turns) or not turns
    ]
    text, reason = (one_line(part, LONGEST) for part in (pattern.text, pattern.reason))
    return name, pattern.conversation, text, " | ".join(quotes), reason
