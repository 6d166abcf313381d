"""The figures of the page of judgments, and the list of items to look at first."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from itertools import pairwise

from markupsafe import Markup

from assize.base.judgment import Question
from assize.pages import charts, page
from assize.pages.result_page import Charts
from assize.pages.scores.groups import Group, condensed, scale_of
from assize.pages.scores.summary import SIDES, ScoreSummary
from assize.results.numbers import number, preferred

CHARTS_SHOWN = 24
FEW = 5  # ordered answers that share a bar; of more a bar each
MOST_BARS = 40
NAMES_SHOWN = 12
MEANS_SHOWN = 40
_SIDE_COLOURS = (charts.SERIES[0], charts.SERIES[5], charts.SERIES[1])

Figure = tuple[charts.Spec, str]


def draw_scores(summary: ScoreSummary) -> Charts:
    """Return how scores spread and what was answered, and the items to look at first."""
    first = f"{'most ' * (summary.listing == 'decided')}{summary.listing} {summary.noun} first"
    return {
        "at a glance": main_figures(summary),
        "scores": [],
        "named": [],
        "preferences": [],
        "answers": answers(summary),
        first: [list_items(summary)],
        "reasons": [],
        "judges": [],
    }


def main_figures(summary: ScoreSummary) -> Sequence[Figure | Markup]:
    """Return how the items spread on the main question, and the means on its scale."""
    question = summary.main
    if not summary.scored:
        words = "Nothing has been scored, so there is nothing to draw."
        return [page.paragraph(words, kind="quiet")]
    if question is None or not summary.overall.n:
        return []
    if summary.prefers:
        return [(_preference_chart(summary), "Which side each judge prefers.")]
    if question.values and set(summary.values) <= set(question.values):
        return _means(summary)
    return [_histogram(summary, question), *_means(summary)]


def _histogram(summary: ScoreSummary, question: Question) -> Figure:
    levels, noun = summary.levels, summary.noun
    judges = len({group.judge for group in summary.groups if group.question == question.id})
    marks = {} if levels is None else {"low": levels.low, "high": levels.high}
    marks["mean"] = summary.overall.mean.estimate
    over = f", the mean of {judges} judges" if judges > 1 else ""
    ends, bins = _bins(question)
    spec = charts.histogram(
        summary.values, title=question.id, range=ends, bins=bins, marks=marks, unit=noun
    )
    return spec, f"How the {noun} spread on {question.id}{over}."


def _bins(question: Question) -> tuple[tuple[float, float] | None, int]:
    """The ends of a histogram and its bins: one an answer, about it, where these are even."""
    values = sorted(question.values or ())
    steps = {round(b - a, 9) for a, b in pairwise(values)}
    if len(steps) != 1 or len(values) > MOST_BARS:
        return scale_of(question), 20
    half = steps.pop() / 2
    return (values[0] - half, values[-1] + half), len(values)


def _means(summary: ScoreSummary) -> Sequence[Figure]:
    """Means side by side, of whole items on one scale; nothing where there is only one."""
    main = summary.main
    groups = [
        group
        for group in condensed(summary.groups)
        if main is not None and group.per == "item" and group.spread.n
        if scale_of(group.asked) == scale_of(main) and group.asked.kind == main.kind
    ]
    if main is None or not 2 <= len(groups) <= MEANS_SHOWN:
        return []
    several = len({group.judge for group in groups}) > 1
    rows = [
        (f"{group.question}, {group.judge}" if several else group.question, group.spread.mean)
        for group in groups
    ]
    spec = charts.means(rows, title="mean", range=scale_of(main))
    return [(spec, "Means with their 95% intervals.")]


def _preference_chart(summary: ScoreSummary) -> charts.Spec:
    rows = [
        (group.judge, side, group.tally.preferences[side])
        for group in condensed(summary.groups)
        if group.question == summary.question and group.per == "item"
        for side in SIDES
    ]
    return charts.shares(rows, answers=SIDES, title=str(summary.question), palette=_SIDE_COLOURS)


def answers(summary: ScoreSummary) -> Sequence[Figure | Markup]:
    """Return how often each answer was given.

    Up to `FEW` ordered answers share a bar, a figure a question, or one a scale where there is
    one judge; more, and numbers, stand where they are among the numbers, with their mean; names
    are counted, the most frequent first.
    """
    together: dict[Hashable, list[Group]] = {}
    groups = condensed(summary.groups)
    main = [group for group in groups if group.question == summary.question and group.spread.n]
    alone = sum(group.per == "item" for group in main) == 1
    for group in groups:
        question = group.asked
        key: Hashable = (group.judge, group.name)
        if _is_spread(group):
            drawn = alone and group in main and question.kind == "number"
            if drawn or group.per == "turn":
                continue
        elif not group.answers or question.kind not in {"nominal", "ordinal", "binary"}:
            continue
        elif question.kind != "nominal":
            key = question.id if summary.several else (question.kind, question.answers)
        together.setdefault(key, []).append(group)
    drawn_groups = list(together.values())[:CHARTS_SHOWN]
    figures: list[Figure | Markup] = [_draw(same, summary.several) for same in drawn_groups]
    if left := len(together) - len(figures):
        figures.append(page.paragraph(f"{left} further questions are not drawn.", kind="quiet"))
    return figures


def _is_spread(group: Group) -> bool:
    """Whether its values are more numbers than names, and drawn among them."""
    question = group.asked
    many = question.kind == "ordinal" and len(question.answers) > FEW and bool(question.values)
    return group.spread.n > 0 and (many or question.kind == "number")


def _draw(groups: Sequence[Group], several: bool) -> Figure:
    """A chart of what was answered, with the questions and who answered below it."""
    first = groups[0]
    by = (f", by {first.judge}" if several else "") + (", per turn" if first.per == "turn" else "")
    if _is_spread(first):
        spec = _spread(first)
    elif first.asked.kind == "nominal":
        spec = _counted(first)
    else:
        spec, by = _stacked(groups, several), ""
    asked = {group.question: group.asked for group in groups}.values()
    texts = "; ".join(f"{each.id}: {each.text}" if each.text else each.id for each in asked)
    further = sum(group.tally.further for group in groups)
    rarer = f". {further:,.0f} judgments with rarer answers are not drawn." if further else ""
    return spec, texts + by + rarer


def _stacked(groups: Sequence[Group], several: bool) -> charts.Spec:
    seen = (answer for group in groups for answer in group.answers)
    shown = list(dict.fromkeys((*groups[0].asked.answers, *seen)))
    per_turn = ", per turn"
    rows = [
        (
            f"{group.judge}{per_turn * (group.per == 'turn')}" if several else group.name,
            answer,
            group.answers.get(answer, 0),
        )
        for group in groups
        for answer in shown
    ]
    return charts.shares(rows, answers=shown, title="answers")


def _spread(group: Group) -> charts.Spec:
    """Bars where the values are; in bins where there are many, or where they were averaged."""
    question = group.asked
    marks = {"mean": group.spread.mean.estimate}
    by_value = dict(zip(question.answers or (), question.values or (), strict=False))
    known = all(answer in by_value for answer in group.answers)
    if group.answers and known and len(by_value) <= MOST_BARS:
        counts = {value: group.answers.get(answer, 0.0) for answer, value in by_value.items()}
        return charts.answered(counts, title=question.id, marks=marks)
    unit = "judgments" if group.judge.startswith("all ") else "items"
    return charts.histogram(
        group.tally.values, title=question.id, range=scale_of(question), marks=marks, unit=unit
    )


def _counted(group: Group) -> charts.Spec:
    """The most frequent names with their counts."""
    names = sorted(group.answers.items(), key=lambda answer: -answer[1])
    labels = group.asked.labels
    rows = [(labels.get(name, name), count) for name, count in names[:NAMES_SHOWN]]
    if left := names[NAMES_SHOWN:]:
        rows.append((f"{len(left):,} others", sum(count for _, count in left)))
    total = sum(group.answers.values()) + group.tally.further
    return charts.counts(rows, title=group.question, of=total)


def list_items(summary: ScoreSummary) -> Markup:
    """Return the items to look at first, folded, with a box to search them where they are many."""
    items, levels, noun = summary.listed, summary.levels, summary.noun
    if not items:
        return page.EMPTY
    left = summary.overall.n - len(items)
    rest = f"; {left:,} more are not shown" if left else ""
    lead = f"{len(items):,} of {summary.overall.n:,} scored {noun} by {summary.question}{rest}."
    if summary.texts < summary.items:
        lead += " The text of an item is shown where the item was given (--items)."
    pieces = [
        page.render(
            "item.html",
            item=item,
            opened=place == 0,
            several=summary.several,
            shown=preferred if summary.prefers else lambda value: number(value, summary.digits),
            level=lambda value: "" if levels is None else levels.name(value),
            main=summary.question,
        )
        for place, item in enumerate(items)
    ]
    names = () if levels is None else ("low", "middle", "high")
    return page.join(
        page.paragraph(lead, kind="quiet"), page.browsed(pieces, noun=noun, levels=names)
    )
