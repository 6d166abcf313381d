"""The tables of a comparison: differences, segments, and what to read."""

from __future__ import annotations

from collections.abc import Sequence

from assize.conversation import Continuation, Conversation, Item, Pair
from assize.results import Column, ResultTable, columns
from assize.results.escape import shortened
from assize.results.numbers import NONE, counted, digits_for, number
from assize.versions.compared import Moved, Regression, VersionsCompared

EXCERPT = 160


def compared_tables(found: VersionsCompared) -> dict[str, ResultTable]:
    """`differences`, `shares`, `power`, `segments` and `regressions`, as far as there are any."""
    tables = {
        "differences": _differences(found, found.rows),
        "shares": _shares(found),
        "power": _power(found),
    }
    if found.segments:
        tables["segments"] = _differences(found, found.segments)
    if found.regressions:
        tables["regressions"] = _regressions(found)
    return tables


def _title(found: VersionsCompared) -> str:
    first, *others = found.versions.items()
    against = ", ".join(f"{name} ({counted(n, 'conversation')})" for name, n in others)
    return f"{against} against {first[0]} ({counted(first[1], 'conversation')})"


def _names() -> list[Column]:
    return [Column("question"), Column("judge"), Column("version")]


def _named(found: VersionsCompared, one: Moved) -> tuple[str | None, ...]:
    """Question, judge and version; what is the same in all rows is left out."""
    judges = {row.judge for row in found.rows}
    return (
        one.question,
        one.judge if len(judges) > 1 else None,
        one.version if found.several else None,
    )


def _differences(found: VersionsCompared, rows: Sequence[Moved]) -> ResultTable:
    digits = _digits(rows)
    segmented = bool(rows) and bool(rows[0].segment)
    named = [Column(found.by or "segment")] if segmented else []
    named += [*_names(), *columns("count", "n")]
    named += columns("number", "before", "after", digits=digits, ends="page")
    named.append(Column("difference", "number", digits=digits, ends="below", signed=True))
    named += [Column("p", "p"), Column("it is")]
    cells = [
        [
            *([shortened(one.segment)] if segmented else []),
            *_named(found, one),
            one.difference.n,
            one.before,
            one.after,
            one.difference,
            one.p_value,
            one.verdict or NONE,
        ]
        for one in rows
    ]
    level = number(100 * (1 - found.level), 0)
    corrected = f"; p-values are corrected for {len(rows):,} comparisons (Holm)"
    notes = [f"Intervals are {level}%{corrected if len(rows) > 1 else ''}."]
    unscored = sum(one.difference.unscored for one in rows)
    if unscored and not segmented:
        what = "pairs of which one is unscored" if rows[0].paired else "unscored conversations"
        notes.append(f"Left out, over all rows: {unscored:,} {what}.")
    title = f"By {found.by}" if segmented else _title(found)
    return ResultTable(title, named, cells, notes, segmented)


def _digits(rows: Sequence[Moved]) -> int:
    return digits_for([end for one in rows for end in (one.before.estimate, one.after.estimate)])


def _power(found: VersionsCompared) -> ResultTable:
    named = [*_names(), Column("detectable", "number", digits=_digits(found.rows))]
    named += columns("count", "needed", "more")
    cells = []
    for one in found.rows:
        unknown = one.needed is None or one.needed < 0
        more = [None, None] if unknown else [one.needed, one.more]
        cells.append([*_named(found, one), one.detectable, *more])
    notes = ["Detectable: the least difference that so many conversations show 4 times in 5."]
    if found.detect is not None:
        notes.append(
            f"Needed: conversations a version that show a difference of {found.detect:g} as often;"
            " more: how many are lacking."
        )
    return ResultTable("What could be found", named, cells, notes)


def _shares(found: VersionsCompared) -> ResultTable:
    named = [*_names()]
    named += columns("percent", "better", "equal", "worse", digits=0, unit="%", ends="below")
    rows = [[*_named(found, one), one.better, one.equal, one.worse] for one in found.rows]
    paired = {one.paired for one in found.rows}
    notes = []
    if True in paired:
        notes.append("Of pairs: how many conversations are better than before, equal, worse.")
    if False in paired:
        notes.append(
            "Without pairs: how often a conversation drawn from the one version is above, equal to,"
            " below one drawn from the other."
        )
    return ResultTable("Better and worse", named, rows, notes)


def _regressions(found: VersionsCompared) -> ResultTable:
    judge, question = found.main
    values = [end for one in found.regressions for end in (one.before, one.after)]
    digits = digits_for(values)
    paired = any(one.before_item for one in found.regressions)
    named = [Column("version"), Column("item", cut=False)]
    named += columns("number", "before", "after", digits=digits)
    named += [Column("change", "number", digits=digits, signed=True), Column("begins", cut=True)]
    rows = [
        [
            one.version if found.several else None,
            shortened(one.item),
            one.before if one.before_item else None,
            one.after,
            one.change if one.before_item else None,
            gist_of(found, one) or None,
        ]
        for one in found.regressions
    ]
    what = "What fell furthest" if paired else "The lowest"
    return ResultTable(f"{what}, by {question} ({judge})", named, rows)


def gist_of(found: VersionsCompared, one: Regression) -> str:
    """How a conversation begins; "" where its text is not known."""
    item = found.items.get((one.version, one.item))
    return "" if item is None else gist(item)


def gist(item: Item) -> str:
    """The first words of a user."""
    if isinstance(item, Conversation):
        turns = item.turns
    elif isinstance(item, Pair):
        turns = item.context or item.a
    elif isinstance(item, Continuation):
        turns = item.context
    text = next((turn.text for turn in [*(t for t in turns if t.role == "user"), *turns]), "")
    short = " ".join(text[: 4 * EXCERPT].split())
    return short if len(short) <= EXCERPT else f"{short[:EXCERPT]}…"
