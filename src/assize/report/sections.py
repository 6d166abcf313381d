"""From the numbers of a `Summary` to the sections of the page for scores."""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence

from markupsafe import Markup

from assize.judgment import Question
from assize.report import charts, page
from assize.report.excerpt import Excerpt
from assize.report.intervals import Interval
from assize.report.page import Section, Tile
from assize.report.summary import Group, Summary
from assize.report.tally import Tally

CHARTS_SHOWN = 24
MEANS_SHOWN = 40
PREFERENCES_SHOWN = ("A", "tie", "B")
_PREFERENCE_COLOURS = (charts.SERIES[0], charts.SERIES[5], charts.SERIES[1])
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
        Section("At a glance", page.join(_headline(summary), _main_figures(summary, overall))),
        Section("By question", page.join(_groups(summary, several), _preferences(summary))),
        Section("Answers", _answers(summary, several)),
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
        are = "is" if total == 1 else "are"
        notes.append(f"{total:,} of the {noun} {are} in a language the judge flags ({each}).")
    if summary.windowed:
        notes.append(
            f"{summary.windowed:,} of the {summary.noun} hold turns longer than the judge's "
            "window; they were read in several pieces."
        )
    return notes


def number(value: float, digits: int) -> str:
    """The value with thousands separated; a dash where there is none.

    >>> number(1234.5, 1), number(float("nan"), 2)
    ('1,234.5', '–')
    """
    return "–" if math.isnan(value) else f"{value:,.{digits}f}"


def digits_for(values: Sequence[float]) -> int:
    """Decimals that tell values apart on their scale: 3 up to a span of 2, then 2, then 1."""
    known = [value for value in values if not math.isnan(value)]
    span = max(known) - min(known) if known else 0.0
    reach = max(span, max(map(abs, known), default=0.0))
    return 3 if reach <= 2 else 2 if reach <= 20 else 1


def interval(found: Interval, digits: int) -> str:
    """Both ends of an interval; a dash where there is too little data."""
    if math.isnan(found.low):
        return "–"
    return f"{number(found.low, digits)} to {number(found.high, digits)}"


def percent(found: Interval) -> str:
    """A share in percent; a dash when it is one of nothing."""
    return "–" if math.isnan(found.value) else f"{100 * found.value:.1f}%"


def percents(found: Interval) -> str:
    """The interval of a share, in percent."""
    if math.isnan(found.low):
        return "–"
    return f"{100 * found.low:.1f}% to {100 * found.high:.1f}%"


def _main_question(summary: Summary) -> Question | None:
    return next((one.question for one in summary.groups if one.key.question == summary.main), None)


def _headline(summary: Summary) -> Markup:
    noun = summary.noun
    missing = summary.items - summary.scored
    tiles = [
        Tile(noun.capitalize(), f"{summary.items:,}", f"{summary.judgments:,} judgments"),
        Tile("Scored", f"{summary.scored:,}", _of(summary.scored, summary.items)),
        Tile("Not scored", f"{missing:,}", _why(summary)),
    ]
    question = _main_question(summary)
    if question is not None and question.kind == "preference":
        tiles += _preference_tiles(summary)
    elif summary.overall.n:
        digits = digits_for([summary.overall.least, summary.overall.greatest])
        found = summary.overall.mean
        note = f"95% interval {interval(found, digits)}" if summary.overall.n > 1 else ""
        tiles.append(Tile(f"Mean of {summary.main}", number(found.value, digits), note))
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


def _main_figures(summary: Summary, overall: Sequence[float]) -> Markup:
    question = _main_question(summary)
    if question is None or not summary.overall.n:
        return page.paragraph("Nothing has been scored, so there is nothing to draw.", kind="quiet")
    judges = {group.key.judge for group in summary.groups if group.key.question == summary.main}
    if question.kind == "preference":
        return page.figure(_preference_chart(summary), "Which side each judge prefers.")
    pieces = [_means(summary)]
    if not question.values or not set(overall) <= set(question.values):
        pieces.insert(0, _histogram(summary, question, overall, len(judges)))
    return page.figures(*(piece for piece in pieces if piece))


def _histogram(
    summary: Summary, question: Question, overall: Sequence[float], judges: int
) -> Markup:
    ends = summary.levels
    marks = {} if ends is None else {"low": ends.low, "high": ends.high}
    marks["mean"] = summary.overall.mean.value
    over = f", the mean of {judges} judges" if judges > 1 else ""
    spec = charts.histogram(
        overall,
        title=str(summary.main),
        range=scale_of(question),
        marks=marks,
        unit=summary.noun,
    )
    return page.figure(spec, f"How the {summary.noun} spread on {summary.main}{over}.")


def _means(summary: Summary) -> Markup:
    """Means side by side, of whole items on one scale; nothing where there is only one."""
    main = _main_question(summary)
    groups = [
        group
        for group in summary.groups
        if main is not None and not group.key.per_turn and group.spread.n
        if scale_of(group.question) == scale_of(main) and group.question.kind == main.kind
    ]
    if main is None or not 2 <= len(groups) <= MEANS_SHOWN:
        return page.EMPTY
    several = len({group.key.judge for group in groups}) > 1
    rows = []
    for group in groups:
        mean = group.spread.mean
        name = f"{group.key.question}, {group.key.judge}" if several else group.key.question
        rows.append((name, mean.value, mean.low, mean.high))
    spec = charts.means(rows, title="mean", range=scale_of(main))
    return page.figure(spec, "Means with their 95% intervals.")


def scale_of(question: Question) -> tuple[float, float] | None:
    """The least and the greatest number that an answer can stand for, where that is known."""
    if question.range is not None:
        return question.range
    return (min(question.values), max(question.values)) if question.values else None


def _preference_chart(summary: Summary) -> charts.Spec:
    rows = [
        (group.key.judge, one, group.tally.preferences.get(one, 0))
        for group in summary.groups
        if group.key.question == summary.main and not group.key.per_turn
        for one in PREFERENCES_SHOWN
    ]
    return charts.shares(
        rows, answers=PREFERENCES_SHOWN, title=str(summary.main), colours=_PREFERENCE_COLOURS
    )


def _groups(summary: Summary, several: bool) -> Markup:
    numeric = [group for group in summary.groups if group.question.kind != "preference"]
    if not numeric:
        return page.EMPTY
    judge = ["Judge"] if several else []
    header = ["Question", *judge, "n", "Unscored", "NA", "Mean", "95% interval", "Quartiles"]
    note = (
        "n counts items with a value; the interval takes items as the units. "
        "Unscored and NA count judgments."
    )
    cells = [_group_row(group, several) for group in numeric]
    texts = (0, 1) if several else (0,)
    return page.table("Scores by question", header, cells, texts=texts, note=note)


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
        number(spread.mean.value, digits),
        interval(spread.mean, digits),
        quartiles if spread.n else "–",
    ]


def _preferences(summary: Summary) -> Markup:
    groups = [group for group in summary.groups if group.shares]
    if not groups:
        return page.EMPTY
    header = ["Judge", "Question", summary.noun.capitalize(), "A", "Tie", "B", "Unscored", "Split"]
    rows = [_preference_row(group) for group in groups]
    note = (
        "Shares of all items that the judge was asked about, with Wilson's 95% interval. "
        "An item's preference is the strict majority of its votes; votes that cancel out are a "
        "tie, and split."
    )
    return page.table("Preferences by judge", header, rows, texts=(0, 1), note=note)


def _preference_row(group: Group) -> list[str]:
    tally = group.tally
    shares = [
        f"{tally.preferences.get(one, 0):,} ({percent(group.shares[one])}, "
        f"{percents(group.shares[one])})"
        for one in PREFERENCES_SHOWN
    ]
    question = group.key.question + (", per turn" if group.key.per_turn else "")
    rest = [f"{tally.items_unscored:,}", f"{tally.split:,}"]
    return [group.key.judge, question, f"{tally.items:,}", *shares, *rest]


def _answers(summary: Summary, several: bool) -> Markup:
    """Bars of the answers: a figure a question, or one a scale where there is one judge."""
    figures: dict[Hashable, list[Group]] = {}
    for group in summary.groups:
        question = group.question
        if question.kind in {"ordinal", "nominal", "binary"} and group.tally.answers:
            same = question.id if several else (question.kind, question.answers)
            figures.setdefault(same, []).append(group)
    pieces = [_answer_figure(groups, several) for groups in list(figures.values())[:CHARTS_SHOWN]]
    if not pieces:
        return page.EMPTY
    left = len(figures) - len(pieces)
    more = page.paragraph(f"{left} further questions are not drawn.", kind="quiet")
    return page.join(page.figures(*pieces), more if left else page.EMPTY)


def _answer_figure(groups: Sequence[Group], several: bool) -> Markup:
    question = groups[0].question
    shown = _answers_in_order(question, [group.tally for group in groups])
    rows = [
        (_bar(group, several), answer, group.tally.answers.get(answer, 0))
        for group in groups
        for answer in shown
    ]
    colours = _nominal(len(shown)) if question.kind == "nominal" else None
    spec = charts.shares(rows, answers=shown, title="answers", colours=colours)
    asked = list({group.question.id: group.question for group in groups}.values())
    texts = "; ".join(f"{one.id}: {one.text}" if one.text else one.id for one in asked)
    further = sum(group.tally.further for group in groups)
    said = f". {further:,.0f} judgments with rarer answers are not drawn." if further else ""
    return page.figure(spec, texts + said)


def _bar(group: Group, several: bool) -> str:
    name = group.key.judge if several else group.key.question
    return name + (", per turn" if group.key.per_turn else "")


def _answers_in_order(question: Question, tallies: Sequence[Tally]) -> list[str]:
    seen = dict.fromkeys(answer for tally in tallies for answer in tally.answers)
    return [*question.answers, *(answer for answer in seen if answer not in question.answers)]


def _nominal(count: int) -> tuple[str, ...]:
    return tuple(charts.SERIES[index % len(charts.SERIES)] for index in range(count))


def _items(summary: Summary, listed: Sequence[Excerpt], listing: str, several: bool) -> Markup:
    if not listed:
        return page.EMPTY
    shown, noun = len(listed), summary.noun
    left = summary.scored - shown
    rest = f"; {left:,} more are not shown" if left else ""
    question = _main_question(summary)
    prefers = question is not None and question.kind == "preference"
    digits = digits_for([summary.overall.least, summary.overall.greatest])
    lead = f"{shown:,} of {summary.scored:,} scored {noun} by {summary.main}{rest}."
    if summary.texts < summary.items:
        lead += " The text of an item is shown where the item was given (--items)."
    return page.render(
        "items.html",
        lead=lead,
        listed=listed,
        several=several,
        shown=lambda value: preferred(value) if prefers else number(value, digits),
        level=lambda value: "" if summary.levels is None else summary.levels.name(value),
    )


def preferred(value: float) -> str:
    """A preference between 1 (A) and -1 (B) in words.

    >>> preferred(1.0), preferred(-0.5), preferred(0.0)
    ('A', 'B 0.50', 'tie')
    """
    if value == 0:
        return "tie"
    side = "A" if value > 0 else "B"
    return side if abs(value) == 1 else f"{side} {abs(value):.2f}"


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
        page.table("Reasons", ["Reason", "Judgments", "Of all"], reasons),
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
        lines.append(f"{summary.duplicates:,} judgments repeat another's key; they are counted.")
    spent = summary.spent
    if spent.calls:
        price = f"${spent.dollars:,.4f}" if spent.calls > spent.unpriced else "an unknown price"
        more = f", {spent.unpriced:,} of unknown price" if 0 < spent.unpriced < spent.calls else ""
        lines.append(f"{spent.calls:,} calls{more}, {spent.tokens:,} tokens, {price}.")
    note = "Numbers are comparable where the signatures are the same."
    made = page.table(
        "Who judged", ["Judge", "Signature", "Judgments"], rows, texts=(0, 1), note=note
    )
    return page.join(made, page.bullets(lines))
