"""The figures of the page for scores: spread, means, preferences, answers."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from markupsafe import Markup

from assize.judgment import Question
from assize.pages import charts, page
from assize.pages.summary import Group, Summary, condensed, scale_of

CHARTS_SHOWN = 24
MEANS_SHOWN = 40
PREFERENCES_SHOWN = ("A", "tie", "B")
_PREFERENCE_COLOURS = (charts.SERIES[0], charts.SERIES[5], charts.SERIES[1])


def main_figures(summary: Summary, overall: Sequence[float]) -> Markup:
    """How the items spread on the main question, and the means of all questions on its scale."""
    question = summary.main_question
    if not summary.scored:
        return page.paragraph("Nothing has been scored, so there is nothing to draw.", kind="quiet")
    if question is None or not summary.overall.n:
        return page.EMPTY
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
    marks["mean"] = summary.overall.mean.estimate
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
    main = summary.main_question
    groups = [
        group
        for group in condensed(summary.groups)
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
        rows.append((name, mean.estimate, *mean.interval))
    spec = charts.means(rows, title="mean", range=scale_of(main))
    return page.figure(spec, "Means with their 95% intervals.")


def _preference_chart(summary: Summary) -> charts.Spec:
    rows = [
        (group.key.judge, one, group.tally.preferences.get(one, 0))
        for group in condensed(summary.groups)
        if group.key.question == summary.main and not group.key.per_turn
        for one in PREFERENCES_SHOWN
    ]
    return charts.shares(
        rows, answers=PREFERENCES_SHOWN, title=str(summary.main), colours=_PREFERENCE_COLOURS
    )


def answers(summary: Summary, several: bool) -> Markup:
    """Bars of the answers: a figure a question, or one a scale where there is one judge."""
    figures: dict[Hashable, list[Group]] = {}
    for group in condensed(summary.groups):
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
    seen = (answer for group in groups for answer in group.tally.answers)
    shown = list(dict.fromkeys((*question.answers, *seen)))
    rows = [
        (_bar(group, several), answer, group.tally.answers.get(answer, 0))
        for group in groups
        for answer in shown
    ]
    colours = None
    if question.kind == "nominal":
        colours = [charts.SERIES[place % len(charts.SERIES)] for place in range(len(shown))]
    spec = charts.shares(rows, answers=shown, title="answers", colours=colours)
    asked = list({group.question.id: group.question for group in groups}.values())
    texts = "; ".join(f"{one.id}: {one.text}" if one.text else one.id for one in asked)
    further = sum(group.tally.further for group in groups)
    said = f". {further:,.0f} judgments with rarer answers are not drawn." if further else ""
    return page.figure(spec, texts + said)


def _bar(group: Group, several: bool) -> str:
    name = group.key.judge if several else group.key.question
    return name + (", per turn" if group.key.per_turn else "")
