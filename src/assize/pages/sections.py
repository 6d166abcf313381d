"""From the numbers of a `Summary` to the sections of the page for scores."""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup

from assize.pages import page
from assize.pages.excerpt import Excerpt
from assize.pages.figures import PREFERENCES_SHOWN, answers, main_figures
from assize.pages.numbers import digits_for, interval, number, percent, percents, preferred
from assize.pages.page import Section, Tile
from assize.pages.summary import MOST_JUDGES, Group, Summary, condensed

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
        Section("By question", page.join(_groups(summary, several), _preferences(summary))),
        Section("Answers", answers(summary, several)),
        Section(
            _LISTING[listing].format(noun=summary.noun), _items(summary, listed, listing, several)
        ),
        Section("Not scored", _unscored(summary)),
        Section("Judges", _judges(summary)),
    ]
    return [section for section in found if section.body.strip()]


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
        note = f"95% interval {interval(found, digits)}" if summary.overall.n > 1 else ""
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
        Tile(names[one], percent(groups[0].shares[one]), percents(groups[0].shares[one]))
        for one in PREFERENCES_SHOWN
    ]


def _groups(summary: Summary, several: bool) -> Markup:
    shown = condensed(summary.groups)
    numeric = [group for group in shown if group.question.kind != "preference"]
    if not numeric:
        return page.EMPTY
    judge = ["Judge"] if several else []
    header = ["Question", *judge, "n", "Unscored", "NA", "Mean", "95% interval", "Quartiles"]
    note = (
        "n counts items with a value; the interval takes items as the units. "
        "Unscored and NA count judgments."
    )
    if len(shown) < len(summary.groups):
        note += (
            f" Where more than {MOST_JUDGES} judges answered a question they are taken together, "
            "n counts items and judges, and there is no interval; --json has each of them."
        )
    cells = [_group_row(group, several) for group in numeric]
    texts = (0, 1) if several else (0,)
    return page.table("Scores by question", header, cells, texts=texts, note=note, most=ROWS_SHOWN)


def _group_row(group: Group, several: bool) -> list[str]:
    spread = group.spread
    digits = digits_for([spread.least, spread.greatest])
    name = group.key.question + (", per turn" if group.key.per_turn else "")
    quartiles = " · ".join(
        number(point, digits) for point in (spread.lower, spread.median, spread.upper)
    )
    return [
        name,
        *([group.key.judge] if several else []),
        f"{spread.n:,}",
        f"{sum(group.tally.unscored.values()):,}",
        f"{group.tally.not_applicable:,}",
        number(spread.mean.estimate, digits),
        interval(spread.mean, digits),
        quartiles if spread.n else "–",
    ]


def _preferences(summary: Summary) -> Markup:
    groups = [group for group in condensed(summary.groups) if group.shares]
    if not groups:
        return page.EMPTY
    several = len({group.key[1:] for group in groups}) > 1
    asked = ["Question"] if several else []
    header = ["Judge", *asked, summary.noun.capitalize(), "A", "Tie", "B", "Unscored", "Split"]
    rows = [_preference_row(group, several) for group in groups]
    note = (
        "Shares of all items that the judge was asked about, with Wilson's 95% interval. "
        "An item's preference is the strict majority of its votes; votes that cancel out are a "
        "tie, and split."
    )
    texts = (0, 1) if several else (0,)
    return page.table("Preferences by judge", header, rows, texts=texts, note=note, most=ROWS_SHOWN)


def _preference_row(group: Group, several: bool) -> list[str | Markup]:
    tally = group.tally
    shares = [
        page.two_lines(
            f"{tally.preferences.get(one, 0):,} ({percent(group.shares[one])})",
            percents(group.shares[one]),
        )
        for one in PREFERENCES_SHOWN
    ]
    question = group.key.question + (", per turn" if group.key.per_turn else "")
    rest = [f"{tally.items_unscored:,}", f"{tally.split:,}"]
    return [group.key.judge, *([question] if several else []), f"{tally.items:,}", *shares, *rest]


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
    return page.render(
        "items.html",
        lead=lead,
        listed=listed,
        several=several,
        shown=lambda value: preferred(value) if prefers else number(value, digits),
        level=lambda value: "" if summary.levels is None else summary.levels.name(value),
        main=summary.main,
    )


def _unscored(summary: Summary) -> Markup:
    if not summary.reasons:
        return page.EMPTY
    total = sum(summary.reasons.values())
    ordered = sorted(summary.reasons.items(), key=lambda pair: -pair[1])
    reasons = [[reason, f"{count:,}", _of(count, summary.judgments)] for reason, count in ordered]
    left = total - len(summary.failures)
    note = f"The first {len(summary.failures):,} of {total:,}." if left else ""
    rows = [
        [row.place, row.judge, row.question, row.reason, row.message] for row in summary.failures
    ]
    header = ["Item", "Judge", "Question", "Reason", "Message"]
    return page.join(
        page.table("Reasons", ["Reason", "Judgments", "Of all"], reasons, most=ROWS_SHOWN),
        page.table("Judgments that could not be made", header, rows, texts=range(5), note=note),
    )


def _judges(summary: Summary) -> Markup:
    if not summary.made_by:
        return page.EMPTY
    rows = [
        [judge, signature or "none given", f"{count:,}"]
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
    note = "Numbers are comparable where the signatures are the same."
    made = page.table(
        "Who judged",
        ["Judge", "Signature", "Judgments"],
        rows,
        texts=(0, 1),
        note=note,
        most=ROWS_SHOWN,
    )
    return page.join(made, page.bullets(lines))
