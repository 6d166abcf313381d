"""From the numbers of a `Summary` to the sections of the page for scores."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from markupsafe import Markup

from assize.pages import page
from assize.pages.excerpt import Excerpt
from assize.pages.figures import PREFERENCES_SHOWN, answers, main_figures
from assize.pages.page import Section, Tile
from assize.pages.summary import MOST_JUDGES, Group, Summary, UnscoredRow, condensed
from assize.results import Column, ResultTable, Scaled
from assize.results.numbers import NONE, digits_for, interval, number, percent, percents, preferred
from assize.stats import wilson

ROWS_SHOWN = 100
_LISTING = {
    "lowest": "Lowest {noun} first",
    "highest": "Highest {noun} first",
    "closest": "Closest {noun} first",
    "decided": "Most decided {noun} first",
}


def sections(
    summary: Summary, overall: Sequence[float], listed: Sequence[Excerpt], listing: str
) -> list[Section]:
    """The sections that have something to show, in the order of the page."""
    several = len(summary.judges) > 1
    found = [
        Section("At a glance", page.join(_headline(summary), main_figures(summary, overall))),
        Section(
            "By question",
            _tables(by_question(summary, several), named(summary, several), preferences(summary)),
        ),
        Section("Answers", answers(summary, several)),
        Section(
            _LISTING[listing].format(noun=summary.noun), _items(summary, listed, listing, several)
        ),
        Section("Not scored", _unscored(summary)),
        Section("Judges", _judges(summary)),
    ]
    return [section for section in found if section.body.strip()]


def _tables(*found: ResultTable) -> Markup:
    return page.join(*(page.table(one, most=ROWS_SHOWN) for one in found if one.rows))


def flagged(summary: Summary) -> list[str]:
    """Notes on items for which a judge itself said that care is needed."""
    notes = []
    if summary.languages:
        total, noun = sum(summary.languages.values()), summary.noun
        each = ", ".join(f"{name} {count:,}" for name, count in summary.languages.items())
        of = f"{total:,} of the {noun} {'is' if total == 1 else 'are'}"
        notes.append(f"{of} in a language that the judge flags as not its own ({each}).")
    if summary.windowed:
        notes.append(
            f"{summary.windowed:,} of the {summary.noun} hold turns longer than the judge's "
            "window; they were read in several pieces."
        )
    if summary.shortened:
        notes.append(
            f"{summary.shortened:,} of the {summary.noun} were too long for a judge, which read "
            "them without their oldest turns."
        )
    return notes


def _headline(summary: Summary) -> Markup:
    noun = summary.noun
    missing = summary.items - summary.scored
    tiles = [
        Tile(noun.capitalize(), f"{summary.items:,}", f"{summary.judgments:,} judgments"),
        Tile("Scored", f"{summary.scored:,}", _of(summary.scored, summary.items)),
        Tile("Not scored", f"{missing:,}", _why(summary)),
    ]
    question = summary.main_question
    if question is not None and question.kind == "preference":
        tiles += _preference_tiles(summary)
    elif summary.overall.n:
        digits = digits_for([summary.overall.least, summary.overall.greatest])
        found = summary.overall.mean
        note = f"95% interval {interval(found, digits) or NONE}" if summary.overall.n > 1 else ""
        tiles.append(Tile(f"Mean of {summary.main}", number(found.estimate, digits), note))
        tiles.append(Tile("Median", number(summary.overall.median, digits), _middle(summary)))
    if summary.levels is not None and summary.levels.n:
        levels = summary.levels
        low, high = _of(levels.low_count, levels.n), _of(levels.high_count, levels.n)
        tiles.append(Tile(f"Low, at most {levels.low:.3g}", f"{levels.low_count:,}", low))
        tiles.append(Tile(f"High, at least {levels.high:.3g}", f"{levels.high_count:,}", high))
    return page.tiles(tiles)


def _of(count: int, n: int) -> str:
    return f"{100 * count / n:.1f}%" if n else ""


def _middle(summary: Summary) -> str:
    spread = summary.overall
    digits = digits_for([spread.least, spread.greatest])
    return f"middle half {number(spread.lower, digits)} to {number(spread.upper, digits)}"


def _why(summary: Summary) -> str:
    counts = {
        "unscored": summary.unscored,
        "not judged": summary.not_judged,
        "does not apply": summary.not_applicable,
    }
    return ", ".join(f"{count:,} {why}" for why, count in counts.items() if count)


def _preference_tiles(summary: Summary) -> list[Tile]:
    """A, tie, B of the only judge; of several each stands in the table."""
    groups = [one for one in summary.groups if one.key.question == summary.main and one.shares]
    if len(groups) != 1:
        return [Tile("Judges", f"{len(summary.judges):,}", "each in the table below")]
    names = {"A": "A is better", "tie": "Tie", "B": "B is better"}
    return [
        Tile(names[one], percent(share.estimate), percents(share))
        for one in PREFERENCES_SHOWN
        for share in [groups[0].shares[one]]
    ]


def by_question(summary: Summary, several: bool) -> ResultTable:
    """The scores of every question by every judge."""
    shown = condensed(summary.groups)
    rows = []
    for group in shown:
        if group.question.kind in {"preference", "nominal"}:
            continue
        spread = group.spread
        digits = digits_for([spread.least, spread.greatest])
        values = (spread.mean, spread.mean, spread.lower, spread.median, spread.upper)
        rows.append(
            (
                *_named(group, several, [group.key.judge]),
                *(spread.n, sum(group.tally.unscored.values()), group.tally.not_applicable),
                *(Scaled(value, digits) for value in values),
            )
        )
    counts = (Column(name, "count") for name in ("n", "Unscored", "NA"))
    judge = (Column("Judge"),) if several else ()
    columns = (
        *(Column("Question"), *judge, *counts, Column("Mean", "number", ends="none")),
        Column("95% interval", "number", ends="alone"),
        *(Column(name, "number") for name in ("25%", "50%", "75%")),
    )
    note = (
        "n counts items with a value; the interval takes items as the units. "
        "Unscored and NA count judgments."
    )
    if len(shown) < len(summary.groups):
        note += (
            f" Where more than {MOST_JUDGES} judges answered a question they are taken together, "
            "n counts items and judges, and there is no interval; --json has each of them."
        )
    return ResultTable("Scores by question", columns, rows, [note])


def _named(group: Group, several: bool, more: Sequence[str]) -> Sequence[str]:
    """The question, and what tells it apart where there are several."""
    name = group.key.question + (", per turn" if group.key.per_turn else "")
    return [name, *more] if several else [name]


def named(summary: Summary, several: bool) -> ResultTable:
    """How often each name was answered to questions whose answers have no order."""
    rows = [
        (
            *_named(group, several, [group.key.judge]),
            *(group.question.labels.get(name, name), wilson(round(count), round(total))),
        )
        for group in condensed(summary.groups)
        if group.question.kind == "nominal"
        for total in [sum(group.tally.answers.values()) + group.tally.further]
        for name, count in sorted(group.tally.answers.items(), key=lambda one: -one[1])
    ]
    judge = (Column("Judge"),) if several else ()
    columns = (
        *(Column("Question"), *judge, Column("Answer")),
        Column("Judgments", "share", 1, ends="below", unit="%"),
    )
    note = "Shares of the judgments that have an answer, with Wilson's 95% interval."
    return ResultTable("Answers without an order", columns, rows, [note])


def preferences(summary: Summary) -> ResultTable:
    """A, tie and B by judge."""
    groups = [group for group in condensed(summary.groups) if group.shares]
    several = len({group.key[1:] for group in groups}) > 1
    rows = [
        (
            *(group.key.judge, *(_named(group, False, ()) if several else ()), group.tally.items),
            *(group.shares[one] for one in PREFERENCES_SHOWN),
            *(group.tally.items_unscored, group.tally.split),
        )
        for group in groups
    ]
    columns = (
        *(Column("Judge"), *([Column("Question")] if several else [])),
        Column(summary.noun.capitalize(), "count"),
        *(Column(name, "share", 1, ends="below", unit="%") for name in ("A", "Tie", "B")),
        *(Column("Unscored", "count"), Column("Split", "count")),
    )
    note = (
        "Shares of all items that the judge was asked about, with Wilson's 95% interval. "
        "An item's preference is the strict majority of its votes; votes that cancel out are a "
        "tie, and split."
    )
    return ResultTable("Preferences by judge", columns, rows, [note])


def _items(summary: Summary, listed: Sequence[Excerpt], listing: str, several: bool) -> Markup:
    if not listed:
        return page.EMPTY
    shown, noun = len(listed), summary.noun
    left = summary.overall.n - shown
    rest = f"; {left:,} more are not shown" if left else ""
    question = summary.main_question
    prefers = question is not None and question.kind == "preference"
    digits = digits_for([summary.overall.least, summary.overall.greatest])
    lead = f"{shown:,} of {summary.overall.n:,} scored {noun} by {summary.main}{rest}."
    if summary.texts < summary.items:
        lead += " The text of an item is shown where the item was given (--items)."
    levels = summary.levels
    each = [
        page.render(
            "item.html",
            item=one,
            opened=place == 0,
            several=several,
            shown=lambda value: preferred(value) if prefers else number(value, digits),
            level=lambda value: "" if levels is None else levels.name(value),
            main=summary.main,
        )
        for place, one in enumerate(listed)
    ]
    chosen = () if levels is None else ("low", "middle", "high")
    return page.join(
        page.paragraph(lead, kind="quiet"), page.browsed(each, noun=noun, levels=chosen)
    )


def _unscored(summary: Summary) -> Markup:
    return not_scored(summary.reasons, summary.failures, summary.judgments)


def not_scored(
    reasons: Mapping[str, int], failures: Sequence[UnscoredRow], judgments: int
) -> Markup:
    """Why judgments could not be made, and the first of them; nothing where all were.

    Args:
        reasons: how many by reason.
        failures: the first of them.
        judgments: all there are, the others too.
    """
    if not reasons:
        return page.EMPTY
    total = sum(reasons.values())
    ordered = sorted(reasons.items(), key=lambda pair: -pair[1])
    each = [(reason, count, count / judgments) for reason, count in ordered]
    notes = [f"The first {len(failures):,} of {total:,}."] if total > len(failures) else []
    rows = [(row.place, row.judge, row.question, row.reason, row.message) for row in failures]
    share = Column("Of all", "percent", 1, unit="%")
    names = ("Item", "Judge", "Question", "Reason", "Message")
    return _tables(
        ResultTable("Reasons", (Column("Reason"), Column("Judgments", "count"), share), each),
        ResultTable("Judgments that could not be made", [*map(Column, names)], rows, notes),
    )


def _judges(summary: Summary) -> Markup:
    if not summary.made_by:
        return page.EMPTY
    rows = [
        (judge, signature or "none given", count)
        for (judge, signature), count in summary.made_by.items()
    ]
    lines = []
    if summary.duplicates:
        lines.append(
            f"Judgments that repeat another's key, and are counted: {summary.duplicates:,}."
        )
    spent = summary.spent
    if spent.calls:
        price = f"${spent.dollars:,.4f}" if spent.calls > spent.unpriced else "an unknown price"
        more = f", {spent.unpriced:,} of unknown price" if 0 < spent.unpriced < spent.calls else ""
        lines.append(f"{spent.calls:,} calls{more}, {spent.tokens:,} tokens, {price}.")
    columns = (Column("Judge"), Column("Signature"), Column("Judgments", "count"))
    note = "Numbers are comparable where the signatures are the same."
    made = _tables(ResultTable("Who judged", columns, rows, [note]))
    return page.join(made, page.bullets(lines))
