"""The figures of the page for scores: spread, means, preferences, answers."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from itertools import pairwise

from markupsafe import Markup

from assize.judgment import Question
from assize.pages import charts, page
from assize.pages.summary import Group, Summary, condensed, scale_of

CHARTS_SHOWN = 24
FEW = 5  # ordered answers that share a bar; of more a bar each
MOST_BARS = 40
NAMES_SHOWN = 12
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
    levels = summary.levels
    marks = {} if levels is None else {"low": levels.low, "high": levels.high}
    marks["mean"] = summary.overall.mean.estimate
    over = f", the mean of {judges} judges" if judges > 1 else ""
    ends, bins = _bins(question)
    spec = charts.histogram(
        overall, title=str(summary.main), range=ends, bins=bins, marks=marks, unit=summary.noun
    )
    return page.figure(spec, f"How the {summary.noun} spread on {summary.main}{over}.")


def _bins(question: Question) -> tuple[tuple[float, float] | None, int]:
    """The ends of a histogram and its bins: one an answer, about it, where these are even."""
    values = sorted(question.values or ())
    steps = {round(b - a, 9) for a, b in pairwise(values)}
    if len(steps) != 1 or len(values) > MOST_BARS:
        return scale_of(question), 20
    half = steps.pop() / 2
    return (values[0] - half, values[-1] + half), len(values)


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
        rows.append((name, mean))
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
    """How often each answer was given.

    Up to `FEW` ordered answers share a bar, a figure a question, or one a scale where there is
    one judge; more, and numbers, stand where they are among the numbers, with their mean; names
    are counted, the most frequent first.
    """
    figures: dict[Hashable, list[Group]] = {}
    found = condensed(summary.groups)
    alone = (
        sum(
            one.key.question == summary.main and one.spread.n > 0
            for one in found
            if not one.key.per_turn
        )
        == 1
    )
    for group in found:
        question, key = group.question, group.key
        if _is_spread(group):
            drawn = alone and key.question == summary.main and question.kind == "number"
            if not drawn and not key.per_turn:
                figures.setdefault(key, []).append(group)
        elif question.kind == "nominal" and group.tally.answers:
            figures.setdefault(key, []).append(group)
        elif question.kind in {"ordinal", "binary"} and group.tally.answers:
            same = question.id if several else (question.kind, question.answers)
            figures.setdefault(same, []).append(group)
    pieces = [_answer_figure(groups, several) for groups in list(figures.values())[:CHARTS_SHOWN]]
    if not pieces:
        return page.EMPTY
    left = len(figures) - len(pieces)
    more = page.paragraph(f"{left} further questions are not drawn.", kind="quiet")
    return page.join(page.figures(*pieces), more if left else page.EMPTY)


def _is_spread(group: Group) -> bool:
    """Whether its values are more numbers than names, and drawn among them."""
    question = group.question
    if not group.spread.n:
        return False
    many = question.kind == "ordinal" and len(question.answers) > FEW and bool(question.values)
    return many or question.kind == "number"


def _answer_figure(groups: Sequence[Group], several: bool) -> Markup:
    first = groups[0]
    if _is_spread(first):
        return _spread(first, several)
    if first.question.kind == "nominal":
        return _counted(first, several)
    return _stacked(groups, several)


def _stacked(groups: Sequence[Group], several: bool) -> Markup:
    question = groups[0].question
    seen = (answer for group in groups for answer in group.tally.answers)
    shown = list(dict.fromkeys((*question.answers, *seen)))
    rows = [
        (_bar(group, several), answer, group.tally.answers.get(answer, 0))
        for group in groups
        for answer in shown
    ]
    spec = charts.shares(rows, answers=shown, title="answers")
    asked = list({group.question.id: group.question for group in groups}.values())
    texts = "; ".join(map(_asked, asked))
    return page.figure(spec, texts + _further(groups))


def _spread(group: Group, several: bool) -> Markup:
    """Bars where the values are; in bins where there are many, or where they were averaged."""
    question, tally = group.question, group.tally
    marks = {"mean": group.spread.mean.estimate}
    by_value = dict(zip(question.answers or (), question.values or (), strict=False))
    known = all(answer in by_value for answer in tally.answers)
    if tally.answers and known and len(by_value) <= MOST_BARS:
        counts = {value: tally.answers.get(one, 0.0) for one, value in by_value.items()}
        spec = charts.answered(counts, title=question.id, marks=marks)
    else:
        unit = "judgments" if group.key.judge.startswith("all ") else "items"
        spec = charts.histogram(
            tally.values, title=question.id, range=scale_of(question), marks=marks, unit=unit
        )
    return page.figure(spec, _asked(question) + _by(group, several) + _further([group]))


def _counted(group: Group, several: bool) -> Markup:
    """The most frequent names with their counts."""
    found = sorted(group.tally.answers.items(), key=lambda one: -one[1])
    labels = group.question.labels
    rows = [(labels.get(name, name), count) for name, count in found[:NAMES_SHOWN]]
    left = found[NAMES_SHOWN:]
    total = sum(count for _, count in found) + group.tally.further
    if left:
        rows.append((f"{len(left):,} others", sum(count for _, count in left)))
    spec = charts.counts(rows, title=group.question.id, of=total)
    return page.figure(spec, _asked(group.question) + _by(group, several) + _further([group]))


def _asked(question: Question) -> str:
    return f"{question.id}: {question.text}" if question.text else question.id


def _by(group: Group, several: bool) -> str:
    return (f", by {group.key.judge}" if several else "") + (
        ", per turn" if group.key.per_turn else ""
    )


def _further(groups: Sequence[Group]) -> str:
    further = sum(group.tally.further for group in groups)
    return f". {further:,.0f} judgments with rarer answers are not drawn." if further else ""


def _bar(group: Group, several: bool) -> str:
    name = group.key.judge if several else group.key.question
    return name + (", per turn" if group.key.per_turn else "")
